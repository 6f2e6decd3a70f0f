import type { CommissionRequest, DrainRequest, SiteOperation } from '#shared/contract/site/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type Call,
  type HostRow,
  hostByName,
  insertClaim,
  listOperations,
  mutate,
  type OperationRow,
  type Page,
  pageOf,
  readOperation,
  readSite,
  recordAudit,
  type Tx,
  updateHost,
} from '../../store/index.ts';
import { claimCodes, type ShownClaim } from './claim.ts';
import type { HostLifecycle, Lived } from './host-lifecycle.ts';
import type { DrainOrder, LifecycleInput } from './lifecycle.ts';
import { shownOperation } from './operation.ts';
import type { LifecyclePort } from './port.ts';
import { recordHost } from './record.ts';
import { unknownSite } from './site.ts';

const DEADLINE_S = 3_600;
const RELEASE_MS = 72 * 3_600_000;

/** The site of a host that was shut out or leaves knows nothing of it any more. */
const LABELLED: readonly HostRow['lifecycle'][] = [
  'claimed',
  'commissioning',
  'active',
  'draining',
  'drained',
];

const ANSWERS =
  'The host cannot be replaced: it still answers. Drain and decommission it, or quarantine it first if it must stop serving.';
const WAITS =
  'The host cannot be replaced: it waits for its enrolment already. Create a new claim code for it.';

/** Which host: by its name in a site of the tenant. */
export interface HostName {
  readonly siteId: string;
  readonly hostId: string;
}

/** Operations of people on hosts (control plane, section 6; decisions, section 7). Every call may be repeated. */
export function createLifecycleOperations(port: LifecyclePort, course: HostLifecycle) {
  const { store } = port;

  /** Finds the host, lets it live, tells the others after the commit. */
  async function decide<T>(
    call: Call,
    { siteId, hostId }: HostName,
    work: (tx: Tx, host: HostRow) => Promise<Result<{ readonly lived?: Lived; readonly value: T }>>,
  ): Promise<Result<T>> {
    let uid: string | undefined;
    const result = await mutate(store, call, async (tx) => {
      if ((await readSite(tx, call.tenant, siteId)) === undefined) return unknownSite(siteId);
      const host = await hostByName(tx, call.tenant, siteId, hostId);
      if (host === undefined)
        return fail('notFound', `The host ${hostId} does not exist in site ${siteId}. Check both ids.`);
      const decided = await work(tx, host);
      if (!decided.ok) return decided;
      uid = host.uid;
      return ok(decided.value.value);
    });
    if (uid !== undefined) port.onHostChanged(uid);
    return result;
  }

  async function commissioned(tx: Tx, call: Call, host: HostRow, request: CommissionRequest) {
    const { actor } = call;
    const lived = await course.live(tx, actor, host, { kind: 'commission' });
    if (!lived.ok) return lived;
    const { networkInterfaces: ifs, networkPrefixLength: prefix } = request;
    const network = ifs === undefined || prefix === undefined ? host.network : { ifs, prefix };
    const rewired = JSON.stringify(network) !== JSON.stringify(host.network);
    let { host: next, operation } = lived.value;
    if (rewired) {
      next = { ...next, network };
      await updateHost(tx, host.uid, { network });
      await recordHost(tx, next, actor.at);
      await recordAudit(tx, actor, {
        tenant: host.tenant,
        action: 'network',
        entity: 'host',
        entityId: host.uid,
        detail: { hostId: host.hostId, before: host.network, after: network },
      });
    }
    const undrained = host.lifecycle === 'draining' || host.lifecycle === 'drained';
    const type = undrained ? 'undrain' : 'commission';
    const repeats = operation?.type === type || (type === 'commission' && operation?.type === 'undrain');
    const repeated = repeats && !rewired && !undrained && operation?.state !== 'failed';
    if (operation === undefined || !repeated) ({ operation } = await course.begin(tx, actor, next, type));
    return ok({ value: { operationId: operation.id } });
  }

  const orderOf = (
    { deadline = DEADLINE_S, force = false, reason = '', doNotReschedule }: DrainRequest,
    at: number,
  ): DrainOrder => ({
    doNotReschedule: doNotReschedule === true || doNotReschedule === 'true',
    deadline: at + deadline * 1_000,
    force,
    reason,
  });

  /** The order that stands, changed where the request says something; so that a bare repetition changes nothing. */
  function reorder(currentDrain: DrainOrder, request: DrainRequest, at: number): DrainOrder {
    const order = orderOf(request, at);
    return {
      doNotReschedule:
        request.doNotReschedule === undefined ? currentDrain.doNotReschedule : order.doNotReschedule,
      deadline: request.deadline === undefined ? currentDrain.deadline : order.deadline,
      force: request.force ?? currentDrain.force,
      reason: request.reason ?? currentDrain.reason,
    };
  }

  /** The operation of this step: the one under way, or a new one. */
  async function operationOf(
    tx: Tx,
    call: Call,
    { host, operation }: Lived,
    types: readonly OperationRow['type'][],
    reason?: string,
  ): Promise<string> {
    const [type] = types;
    if (operation !== undefined && types.includes(operation.type) && operation.state !== 'failed')
      return operation.id;
    return (await course.begin(tx, call.actor, host, type ?? 'drain', reason)).operation.id;
  }

  /** A machine may come in the place of this host, by codes that are shown once. */
  async function leaveFor(
    tx: Tx,
    { tenant, siteId, hostId, uid }: HostRow,
    { at, name: maker }: Call['actor'],
  ): Promise<ShownClaim> {
    const { shown, stored } = claimCodes(port);
    const expiresAt = at + RELEASE_MS;
    await insertClaim(tx, {
      ...stored,
      tenant,
      siteId,
      hostId,
      uses: 1,
      used: 0,
      serials: null,
      labels: [],
      autoCommission: true,
      createdAt: at,
      expiresAt,
      maker,
    });
    await updateHost(tx, uid, { claim: stored.hash });
    return { ...shown, expiresAt };
  }

  return {
    /** Also lifts a drain. Fails with `notFound` and `conflict`. */
    commission: (
      call: Call,
      name: HostName,
      request: CommissionRequest,
    ): Promise<Result<{ operationId: string }>> =>
      decide(call, name, (tx, host) => commissioned(tx, call, host, request)),

    /** Fails with `notFound`, `conflict` and `lastHost`. */
    drain: (call: Call, name: HostName, request: DrainRequest): Promise<Result<{ operationId: string }>> =>
      decide(call, name, async (tx, host) => {
        const { at } = call.actor;
        const currentDrain = host.course?.drain ?? null;
        const order = currentDrain === null ? orderOf(request, at) : reorder(currentDrain, request, at);
        const input: LifecycleInput = { kind: 'drain', order, lastHost: await course.isLast(tx, host) };
        const lived = await course.live(tx, call.actor, host, input, request.reason);
        if (!lived.ok) return lived;
        const types = ['drain', 'decommission'] as const;
        const operationId = await operationOf(tx, call, lived.value, types, request.reason);
        if (currentDrain !== null && lived.value.operation !== undefined)
          await course.change(tx, lived.value.operation, { deadline: order.deadline }, at);
        return ok({ value: { operationId } });
      }),

    /** Decommissions. Fails with `notFound`, `conflict` and `lastHost`. */
    remove: (
      call: Call,
      name: HostName,
      { force = false, reason }: { readonly force?: boolean; readonly reason?: string },
    ): Promise<Result<{ operationId: string }>> =>
      decide(call, name, async (tx, host) => {
        const input: LifecycleInput = {
          kind: 'remove',
          reachable: await course.isPresent(tx, host.uid),
          lastHost: await course.isLast(tx, host),
          force,
          order: { ...orderOf({}, call.actor.at), ...(reason === undefined ? {} : { reason }) },
        };
        const lived = await course.live(tx, call.actor, host, input, reason);
        if (!lived.ok) return lived;
        return ok({
          value: { operationId: await operationOf(tx, call, lived.value, ['decommission'], reason) },
        });
      }),

    /** A machine that waits and is not wanted: its key is refused. */
    reject: (call: Call, name: HostName, reason?: string): Promise<Result<null>> =>
      decide(call, name, async (tx, host) => {
        const lived = await course.live(tx, call.actor, host, { kind: 'reject' }, reason);
        return lived.ok ? ok({ value: null }) : lived;
      }),

    /** Shuts a host out; it goes on serving with the configuration it has. */
    quarantine: (call: Call, name: HostName, reason?: string): Promise<Result<null>> =>
      decide(call, name, async (tx, host) => {
        const lived = await course.live(tx, call.actor, host, { kind: 'lock' }, reason);
        return lived.ok ? ok({ value: null }) : lived;
      }),

    /** Lets a quarantined host enrol again under its old name, with a new key. The code is shown once. */
    release: ({ once: _, ...call }: Call, name: HostName, reason?: string): Promise<Result<ShownClaim>> =>
      decide(call, name, async (tx, host) => {
        const lived = await course.live(tx, call.actor, host, { kind: 'release' }, reason);
        if (!lived.ok) return lived;
        if (!lived.value.changed)
          return fail(
            'conflict',
            'The request is refused: the host is not quarantined. Refresh the host for its state.',
          );
        return ok({ value: await leaveFor(tx, host, call.actor) });
      }),

    /**
     * Another machine in the place of one that is dead: it gets name, labels and network of the host, and a new key; the
     * one before is shut out, should it ever come back. Fails with `conflict` while the host answers.
     */
    swap: (
      { once: _, ...call }: Call,
      name: HostName,
      reason = 'another machine in its place',
    ): Promise<Result<ShownClaim>> =>
      decide(call, name, async (tx, host) => {
        if (await course.isPresent(tx, host.uid)) return fail('conflict', ANSWERS);
        if (host.lifecycle === 'claimed') return fail('conflict', WAITS);
        const locked = await course.live(tx, call.actor, host, { kind: 'lock' }, reason);
        if (!locked.ok) return locked;
        const lived = await course.live(tx, call.actor, locked.value.host, { kind: 'release' }, reason);
        if (!lived.ok) return lived;
        return ok({ value: await leaveFor(tx, host, call.actor) });
      }),

    /** Other labels for placement, all at once; the host hears of them by its configuration. Fails with `conflict` when it is leaving. */
    label: (call: Call, name: HostName, labels: readonly string[]): Promise<Result<readonly string[]>> =>
      decide(call, name, async (tx, host) => {
        if (!LABELLED.includes(host.lifecycle))
          return fail(
            'conflict',
            `The labels are not stored: a host that is ${host.lifecycle} takes none. Commission the host first.`,
          );
        const after = [...new Set(labels)];
        if (JSON.stringify(after) === JSON.stringify(host.labels)) return ok({ value: after });
        await updateHost(tx, host.uid, { labels: after });
        // A machine that waits gets them with everything else when it is commissioned.
        if (host.lifecycle !== 'claimed') await recordHost(tx, { ...host, labels: after }, call.actor.at);
        await recordAudit(tx, call.actor, {
          tenant: host.tenant,
          action: 'label',
          entity: 'host',
          entityId: host.uid,
          detail: { hostId: host.hostId, siteId: host.siteId, before: host.labels, after },
        });
        return ok({ value: after });
      }),

    operation: async (tenant: string, id: string): Promise<Result<SiteOperation>> => {
      const row = await readOperation(store, tenant, id);
      return row === undefined
        ? fail('notFound', `The operation ${id} does not exist. List the operations for their ids.`)
        : ok(shownOperation(row));
    },

    /** Newest first. */
    operations: async (tenant: string, before: string, limit: number): Promise<Page<SiteOperation>> =>
      pageOf(await listOperations(store, tenant, before, limit + 1), limit, ({ id }) => id, shownOperation),
  };
}

export type LifecycleOperations = ReturnType<typeof createLifecycleOperations>;
