import { ulid } from '#shared/id.ts';
import { ok, type Result } from '#shared/result.ts';
import {
  type Actor,
  type Connectivity,
  type HostRow,
  type HostStatusRow,
  hostsOf,
  insertOperation,
  type Lifecycle,
  type OperationRow,
  type OperationType,
  readHostStatus,
  readOperation,
  recordAudit,
  revokeCertificates,
  type Tx,
  updateHost,
  updateOperation,
} from '../../store/index.ts';
import { type LifecycleInput, type LifecycleState, stepLifecycle } from './lifecycle.ts';
import { endedSteps, firstSteps, operationState, type Step } from './operation.ts';
import type { LifecyclePort } from './port.ts';
import { moveHost, recordDeparture, recordHost, stateOf } from './record.ts';

/** A host that is merely late may still send something. */
const PRESENT: readonly Connectivity[] = ['online', 'suspect', 'unstable'];

/** Hosts that the configuration of their site names. */
const MEMBERS: readonly Lifecycle[] = ['commissioning', 'active', 'draining', 'drained'];

/** The host still follows the order to drain, as its last word says. Its new order may be on the way. */
export const standsAside = ({ facts }: Pick<HostStatusRow, 'facts'>): boolean =>
  facts.life === 'draining' || facts.life === 'drained';

/** A host after a step of its life, and the operation that belongs to it. */
export interface Lived {
  readonly host: HostRow;
  readonly operation: OperationRow | undefined;
  readonly changed: boolean;
}

/**
 * One step of a host's life with everything that belongs to it, in the caller's transaction: row, audit, configuration
 * of its site, alarms, and the operation. The caller makes the twin again, after the commit.
 */
export function createHostLifecycle(port: LifecyclePort) {
  const { random, alarms } = port;

  async function live(
    tx: Tx,
    actor: Actor,
    host: HostRow,
    input: LifecycleInput,
    reason?: string,
  ): Promise<Result<Lived>> {
    const before = stateOf(host);
    const step = stepLifecycle(before, input);
    if (!step.ok) return step;
    const after = step.value;
    const changed = JSON.stringify(after) !== JSON.stringify(before);
    let next = host;
    if (after.life !== before.life) next = await arrive(tx, actor, host, after, reason);
    else if (changed) {
      await updateHost(tx, host.uid, { course: after.course });
      next = { ...host, course: after.course };
      if (input.kind === 'drain') await noteOrder(tx, actor, next);
    }
    if (changed) await tellAlarms(tx, next, before, after);
    const operation = await follow(tx, actor, next, changed);
    return ok({ host: next, operation, changed });
  }

  async function arrive(
    tx: Tx,
    actor: Actor,
    host: HostRow,
    to: LifecycleState,
    reason?: string,
  ): Promise<HostRow> {
    const moved = await moveHost(tx, actor, host, to, reason);
    switch (to.life) {
      case 'commissioning':
        await recordHost(tx, moved, actor.at);
        return moved;
      case 'quarantined':
      case 'decommissioning':
        // Its peers must not count on it any more. A host that never became a member has nothing to leave.
        if (MEMBERS.includes(host.lifecycle)) await recordDeparture(tx, moved, actor.at);
        return moved;
      case 'decommissioned':
        if (MEMBERS.includes(host.lifecycle)) await recordDeparture(tx, moved, actor.at);
        await alarms.clearAll(tx, subjectOf(moved));
        // Its state opens no door; the serial number stays for the revocation list of other brokers.
        return moved;
      case 'claimed':
        // New enrolment: no key counts until the machine has come again.
        await alarms.clear(tx, subjectOf(moved), 'duplicateIdentity', '');
        return await shutOut(tx, moved, actor.at);
      default:
        return moved;
    }
  }

  /** Neither its certificate nor its key opens anything for it. */
  async function shutOut(tx: Tx, host: HostRow, at: number): Promise<HostRow> {
    const { uid, certExpires } = host;
    const serials = [host.certSerial, host.certNext].filter((serial) => serial !== null);
    const rows = serials.map((serial) => ({ serial, uid, revokedAt: at, until: certExpires ?? 0 }));
    // Its row forgets them, and whoever has a copy of its disk does not.
    await revokeCertificates(tx, rows, at);
    const set = { certSerial: null, certNext: null, certExpires: null, publicKey: '' };
    await updateHost(tx, uid, set);
    return { ...host, ...set };
  }

  async function noteOrder(tx: Tx, actor: Actor, host: HostRow): Promise<void> {
    await recordAudit(tx, actor, {
      tenant: host.tenant,
      action: 'drain',
      entity: 'host',
      entityId: host.uid,
      detail: { hostId: host.hostId, siteId: host.siteId, order: host.course?.drain },
    });
  }

  async function tellAlarms(
    tx: Tx,
    host: HostRow,
    before: LifecycleState,
    after: LifecycleState,
  ): Promise<void> {
    const subject = subjectOf(host);
    const [was, is] = [before.course.blocked, after.course.blocked];
    if (is !== null && is.code !== was?.code) {
      const message = `Host ${host.hostId} cannot be drained. ${is.message}`;
      const details = { condition: is.code };
      await alarms.raise(tx, subject, {
        error: 'drainBlocked',
        service: '',
        severity: 'major',
        message,
        details,
      });
    }
    if (is === null && was !== null) await alarms.clear(tx, subject, 'drainBlocked', '');
  }

  /** Brings the operation of a host to where the host stands. */
  async function follow(
    tx: Tx,
    actor: Actor,
    host: HostRow,
    changed: boolean,
  ): Promise<OperationRow | undefined> {
    const row = host.operation === null ? undefined : await readOperation(tx, host.tenant, host.operation);
    if (row === undefined || !changed || row.endedAt !== null) return row;
    const state = operationState(row.type, stateOf(host), row.state !== 'pending');
    return await change(tx, row, { state }, actor.at);
  }

  async function change(
    tx: Tx,
    row: OperationRow,
    set: Partial<OperationRow>,
    at: number,
  ): Promise<OperationRow> {
    const state = set.state ?? row.state;
    const ended = state === 'done' || state === 'failed';
    const steps = state === 'done' ? endedSteps(set.steps ?? row.steps) : (set.steps ?? row.steps);
    const full = { ...set, steps, updatedAt: at, ...(ended ? { endedAt: at } : {}) };
    await updateOperation(tx, row.id, full);
    return { ...row, ...full };
  }

  /** The host obeys: what was waiting for it goes on. */
  async function onObeyed(tx: Tx, host: HostRow, at: number): Promise<boolean> {
    const row = host.operation === null ? undefined : await readOperation(tx, host.tenant, host.operation);
    if (row?.state !== 'pending') return false;
    const state = operationState(row.type, stateOf(host), true);
    if (state === 'pending') return false;
    await change(tx, row, { state }, at);
    return true;
  }

  /** Begins an operation on this host, which is where it leads from now on; what was under way gives way to it. */
  async function begin(
    tx: Tx,
    actor: Actor,
    host: HostRow,
    type: OperationType,
    reason?: string,
  ): Promise<Lived & { operation: OperationRow }> {
    if (host.operation !== null) {
      const before = await readOperation(tx, host.tenant, host.operation);
      if (before !== undefined && before.endedAt === null)
        await change(
          tx,
          before,
          { state: 'failed', reason: `The operation was replaced by ${type}.` },
          actor.at,
        );
    }
    const state = stateOf(host);
    const present = await isPresent(tx, host.uid);
    const stateNow = operationState(type, state, type !== 'undrain' && present);
    const ended = stateNow === 'done' || stateNow === 'failed';
    const steps: Step[] = firstSteps(type, state);
    const row: OperationRow = {
      id: ulid(actor.at, random(10)),
      tenant: host.tenant,
      siteId: host.siteId,
      hostId: host.hostId,
      uid: host.uid,
      type,
      state: stateNow,
      steps: stateNow === 'done' ? endedSteps(steps) : steps,
      reason: reason ?? null,
      deadline: state.course.drain?.deadline ?? null,
      createdAt: actor.at,
      updatedAt: actor.at,
      endedAt: ended ? actor.at : null,
    };
    await insertOperation(tx, row);
    await updateHost(tx, host.uid, { operation: row.id });
    return { host: { ...host, operation: row.id }, operation: row, changed: true };
  }

  async function isPresent(tx: Tx, uid: string): Promise<boolean> {
    return PRESENT.includes((await readHostStatus(tx, uid))?.connectivity ?? 'never');
  }

  /** Whether no other host of its site could take an alarm now. */
  async function isLast(tx: Tx, host: HostRow): Promise<boolean> {
    const others = await hostsOf(tx, host.tenant, host.siteId);
    return !others.some(
      (other) =>
        other.host.uid !== host.uid &&
        other.host.lifecycle === 'active' &&
        PRESENT.includes(other.status.connectivity) &&
        !standsAside(other.status),
    );
  }

  return { live, begin, change, heard: onObeyed, isPresent, isLast };
}

export type HostLifecycle = ReturnType<typeof createHostLifecycle>;

export const subjectOf = ({ tenant, siteId, uid, hostId }: HostRow) => ({ tenant, siteId, uid, hostId });
