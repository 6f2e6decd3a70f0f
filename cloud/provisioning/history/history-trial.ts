import {
  PAYLOAD_LIMIT_BYTES,
  type RemoteOperation,
  type RemoteResponse,
} from '#shared/contract/feed/index.ts';
import {
  type BridgeHistoryTrialRequest,
  type HistoryTrialAnswer,
  type HistoryTrialArgs,
  type HistoryTrialData,
  type HistoryTrialRequest,
  historyTrialDataSchema,
  type TriedReceiver,
  triedReceiverSchema,
} from '#shared/contract/history/index.ts';

import { fail, ok, type Result } from '#shared/result.ts';
import {
  allItems,
  type Call,
  type HostRow,
  hostsOf,
  mutate,
  readItem,
  recordAudit,
  type Store,
} from '../../store/index.ts';
import { mergedTrial } from './merged-trial.ts';

const DAY_MS = 86_400_000;
/** A host ends its trial after 40 s. */
const ASK_MS = 60_000;
/** Room of a request beside the drafts. */
const FRAME_BYTES = 1_024;
/** Lives in which a host has alarms and answers. */
const ASKED: ReadonlySet<string> = new Set(['active', 'draining', 'drained']);

export interface HistoryTrialPort {
  readonly store: Store;
  /** Asks a host over its management connection; fails with `unreachable` or `late`. */
  readonly ask: (
    uid: string,
    question: { op: RemoteOperation; args: Record<string, unknown>; forMs: number; by: string },
  ) => Promise<Result<RemoteResponse>>;
}

type Answer = Omit<HistoryTrialAnswer, 'success'>;
type HostName = Pick<HostRow, 'siteId' | 'hostId'>;
type Outcome =
  | { readonly host: HostName; readonly data: HistoryTrialData }
  | { readonly host: HostName; readonly older: true }
  | { readonly host: HostName; readonly reason: string };

export interface HistoryTrials {
  /** Drafts of the provisory set together. */
  readonly ofSet: (call: Call, request: HistoryTrialRequest) => Promise<Result<Answer>>;
  /** One alarm bridge: as it is given, else its draft. */
  readonly ofBridge: (call: Call, id: string, request: BridgeHistoryTrialRequest) => Promise<Result<Answer>>;
}

/**
 * Drafts of alarm bridges, tried on the alarms that hosts have stored. Each host tries its own; sums and differences come back.
 *
 *     drafts ─▶ every host of the tenant: history.try ─▶ mergedTrial ─▶ answer
 */
export function createHistoryTrials({ store, ask }: HistoryTrialPort): HistoryTrials {
  async function tried(
    call: Call,
    receivers: readonly TriedReceiver[],
    days: number,
    entityId: string,
  ): Promise<Result<Answer>> {
    const hosts = (await hostsOf(store, call.tenant))
      .map(({ host }) => host)
      .filter(({ lifecycle }) => ASKED.has(lifecycle));
    const to = call.actor.at;
    const args = { receivers: [...receivers], from: to - days * DAY_MS, to, ids: hosts.length > 1 };
    const bytes = new TextEncoder().encode(JSON.stringify(args)).length;
    if (bytes > PAYLOAD_LIMIT_BYTES - FRAME_BYTES)
      return fail(
        'tooLarge',
        `The trial is refused: the drafts take ${bytes} bytes, and a request to a host carries ${PAYLOAD_LIMIT_BYTES - FRAME_BYTES}. Try fewer drafts at once.`,
      );
    const noted = await mutate(store, { ...call }, async (tx) => {
      const detail = { receivers: receivers.map(({ id }) => id), days };
      await recordAudit(tx, call.actor, {
        ...{ tenant: call.tenant, action: 'tryOnHistory', entity: 'alarmbridge', entityId, detail },
      });
      return ok(null);
    });
    if (!noted.ok) return noted;
    const outcomes = await Promise.all(hosts.map((host) => outcomeOf(host, args, call.actor.name)));
    return ok({ from: args.from, to, ...answerOf(outcomes) });
  }

  async function outcomeOf(host: HostRow, args: HistoryTrialArgs, by: string): Promise<Outcome> {
    const named = { siteId: host.siteId, hostId: host.hostId };
    const answer = await ask(host.uid, { op: 'history.try', args, forMs: ASK_MS, by: `user:${by}` });
    if (!answer.ok) return { host: named, reason: answer.error.reason };
    const { ok: done, data, error } = answer.value;
    if (!done)
      return error?.code === 'unknownOperation'
        ? { host: named, older: true }
        : { host: named, reason: error?.reason ?? 'it refused and gave no reason' };
    const read = historyTrialDataSchema.safeParse(data);
    return read.success
      ? { host: named, data: read.data }
      : { host: named, reason: 'its answer has another form' };
  }

  return {
    ofSet: async (call, { alarmbridges: ids, days }) => {
      const drafts = await allItems(store, 'alarmBridge', { tenant: call.tenant, set: 'provisory' });
      const missing = ids?.find((id) => !drafts.some((draft) => draft.id === id));
      if (missing !== undefined)
        return fail(
          'notFound',
          `The trial is refused: the provisory set has no alarm bridge ${missing}. Check the ids.`,
          '/alarmbridges',
        );
      const chosen = drafts.filter(({ id }) => ids?.includes(id) ?? true);
      if (chosen.length === 0)
        return fail(
          'notFound',
          'The trial is refused: the provisory set has no alarm bridge. Store a draft first.',
        );
      return tried(
        call,
        chosen.map(({ id, body }) => triedOf(id, body)),
        days,
        call.domain,
      );
    },
    ofBridge: async (call, id, { alarmbridge, days }) => {
      const read = (set: 'provisory' | 'working') =>
        readItem(store, 'alarmBridge', { tenant: call.tenant, set }, id);
      const draft = await read('provisory');
      if (alarmbridge === undefined && draft === undefined)
        return fail(
          'notFound',
          `The trial is refused: the alarm bridge ${id} has no draft. Store one, or send alarmbridge.`,
        );
      if (draft === undefined && (await read('working')) === undefined)
        return fail('notFound', `The alarm bridge ${id} does not exist. Check the id.`);
      return tried(call, [triedOf(id, alarmbridge ?? draft?.body)], days, id);
    },
  };
}

/** The members of a stored or given body that a trial depends on. */
const triedOf = (id: string, body: unknown): TriedReceiver =>
  triedReceiverSchema.parse({ ...(body as Readonly<Record<string, unknown>>), id });

function answerOf(outcomes: readonly Outcome[]): Omit<Answer, 'from' | 'to'> {
  const tried = outcomes.filter((each) => 'data' in each);
  return {
    ...mergedTrial(tried.map(({ data }) => data)),
    hosts: tried.map(({ host, data }) => ({ ...host, tried: data.tried, revision: data.revision })),
    missingHosts: outcomes.flatMap((each) =>
      'reason' in each ? [{ ...each.host, reason: each.reason }] : [],
    ),
    olderHosts: outcomes.flatMap((each) => ('older' in each ? [each.host] : [])),
  };
}
