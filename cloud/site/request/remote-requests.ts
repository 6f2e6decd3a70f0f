import type { Right } from '#shared/access/index.ts';
import { REMOTE_ARGS, type RemoteOperation, type RemoteResponse } from '#shared/contract/feed/index.ts';
import { invalid } from '#shared/contract/invalid.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import {
  type Call,
  type HostRow,
  hostByName,
  type Lifecycle,
  mutate,
  recordAudit,
  type Store,
} from '../../store/index.ts';
import type { HostName } from '../lifecycle/lifecycle-operations.ts';
import type { DiagnosisBundles } from './diagnosis.ts';
import { UPGRADE_ASKED, UPGRADE_REFUSED, upgradeTurn } from './upgrade-turn.ts';

/** Asks a host over its management connection; fails with `unreachable` or `late`. */
export type AskHost = (
  uid: string,
  question: {
    readonly op: RemoteOperation;
    readonly args: Record<string, unknown>;
    readonly forMs: number;
    readonly by: string;
  },
) => Promise<Result<RemoteResponse>>;

export interface RemotePort {
  readonly store: Store;
  readonly ask: AskHost;
  /** Where hosts put what they are asked to send; absent: bundles are not taken. */
  readonly diagnosis?: {
    readonly bundles: DiagnosisBundles;
    /** The URL of the edge listener. */
    readonly edgeUrl: () => string;
  };
}

export type RemoteFailure = Failure<
  | 'notFound'
  | 'forbidden'
  | 'conflict'
  | 'invalid'
  | 'hostUnreachable'
  | 'hostSilent'
  | 'hostRefused'
  | 'unknownOperation'
>;

/** The roles that may ask, the lifecycle states in which a host answers, and the time limit. */
interface Rule {
  readonly right: Right;
  readonly lives: readonly Lifecycle[];
  readonly forMs: number;
}

const SERVING: readonly Lifecycle[] = ['commissioning', 'active', 'draining', 'drained'];
const rule = (right: Right, forMs: number): Rule => ({ right, lives: SERVING, forMs });

/** Operations of control plane 3.5 that people start; all others are the platform's own. */
const RULES: { readonly [O in RemoteOperation]?: Rule } = {
  ping: rule('reading', 5_000),
  probe: rule('lifecycle', 10_000),
  'logs.tail': rule('lifecycle', 10_000),
  // Each point has a time of its own; a host that is cut off from all waits for each of them.
  selftest: rule('lifecycle', 150_000),
  'svc.restart': rule('lifecycle', 30_000),
  'diag.bundle': rule('lifecycle', 60_000),
  'cfg.resync': rule('lifecycle', 10_000),
  'override.clear': rule('lifecycle', 10_000),
  'cert.renew': rule('lifecycle', 30_000),
  'sw.upgrade': rule('lifecycle', 30_000),
  'outbox.list': rule('reading', 10_000),
  'outbox.replay': rule('operation', 30_000),
  'sip.registrations': rule('reading', 10_000),
};

/** Requests of people to a host: who may, when, and with what; each is in the audit log of tenant and host. */
export const createRemoteRequests =
  ({ store, ask, diagnosis }: RemotePort) =>
  async (
    call: Call,
    { siteId, hostId }: HostName,
    op: RemoteOperation,
    given: Readonly<Record<string, unknown>>,
    lackOf: (right: Right) => string | undefined,
  ): Promise<Result<Record<string, unknown>, RemoteFailure>> => {
    const rules = RULES[op];
    if (rules === undefined)
      return fail(
        'unknownOperation',
        `The request is refused: ${op} is not an operation for people. Choose an operation of the API description.`,
      );
    const lack = lackOf(rules.right);
    if (lack !== undefined) return fail('forbidden', lack);
    // Where a bundle goes is ours to say.
    const args = REMOTE_ARGS[op].safeParse(op === 'diag.bundle' ? { ...given, url: '' } : given);
    if (!args.success) return { ok: false, error: { ...invalid(args.error), code: 'invalid' } };
    const host = await hostByName(store, call.tenant, siteId, hostId);
    if (host === undefined)
      return fail('notFound', `The host ${hostId} does not exist in site ${siteId}. Check both ids.`);
    if (!rules.lives.includes(host.lifecycle))
      return fail(
        'conflict',
        `The request is refused: a host that is ${host.lifecycle} does not answer ${op}. Wait, or commission the host.`,
      );
    const asking = await mutate(store, call, async (tx) => {
      if (op === UPGRADE_ASKED && given.force !== true) {
        // Writers of a tenant take turns: of two that are asked at once the second one finds the first.
        const turn = await upgradeTurn(tx, host, call.actor.at);
        if (!turn.ok) return turn;
      }
      await recordAudit(tx, call.actor, entryOf(host, op, { args: given }));
      return ok(null);
    });
    if (!asking.ok) return fail('conflict', asking.error.reason);
    const ticket = op === 'diag.bundle' ? await diagnosis?.bundles.ticket(call.tenant, host.uid) : undefined;
    const place = ticket && { url: `${diagnosis?.edgeUrl()}/edge/v1/diagnosis/${ticket}` };
    const question = {
      op,
      args: { ...args.data, ...place },
      forMs: rules.forMs,
      by: `user:${call.actor.name}`,
    };
    const answer = await ask(host.uid, question);
    const late = !answer.ok && answer.error.code === 'late';
    if (op === UPGRADE_ASKED && !late && !(answer.ok && answer.value.ok)) {
      const reason = answer.ok ? answer.value.error?.reason : answer.error.reason;
      // The next host need not wait for it.
      await store.withTx((tx) => recordAudit(tx, call.actor, entryOf(host, UPGRADE_REFUSED, { reason })));
    }
    if (!answer.ok) {
      return fail(late ? 'hostSilent' : 'hostUnreachable', `${hostId}: ${answer.error.reason}`);
    }
    const { ok: done, data, error } = answer.value;
    if (!done) return fail('hostRefused', `${hostId} refused ${op}: ${error?.reason ?? 'it gave no reason'}`);
    if (ticket === undefined) return ok(data);
    if ((await diagnosis?.bundles.holds(ticket, String(data.sha256))) !== true)
      return fail(
        'hostSilent',
        `The support bundle is missing: ${hostId} reported that it sent one, and the control plane received none. Ask again.`,
      );
    const path = `/site/${call.domain}/${siteId}/host/${hostId}/diagnosis/${ticket}`;
    return ok({ ...data, path });
  };

export type RemoteRequests = ReturnType<typeof createRemoteRequests>;

const entryOf = (
  { tenant, siteId, hostId, uid }: HostRow,
  action: string,
  more: Readonly<Record<string, unknown>>,
) => ({ tenant, action, entity: 'host', entityId: uid, detail: { hostId, siteId, ...more } });
