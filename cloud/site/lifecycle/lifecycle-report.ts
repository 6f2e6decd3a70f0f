import {
  commissionChecksSchema,
  drainProgressSchema,
  type FeedScope,
  overridesSchema,
  SCOPES,
  type Twin,
  type WipeReport,
} from '#shared/contract/feed/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type Actor,
  type HostRow,
  hostsOfUids,
  mutate,
  type OperationRow,
  openOperations,
  readHost,
  readHostStatus,
  readOperation,
  type Tx,
  updateHostStatus,
} from '../../store/index.ts';
import { type HostLifecycle, subjectOf } from './host-lifecycle.ts';
import type { LifecycleInput } from './lifecycle.ts';
import { type Step, stepsOfChecks, stepsOfConfiguration, stepsOfDrain, stepsOfWipe } from './operation.ts';
import type { LifecyclePort } from './port.ts';

const COMMISSIONING_MS = 30 * 60_000;
const WIPE_MS = 30 * 86_400_000;
const BATCH = 200;

/** The fields of a birth or heartbeat that show whether the host follows its twin. */
export interface Obeyed {
  readonly life: string;
  readonly twinRev: number;
}

/** Inputs of the lifecycle from reports of hosts and from time. */
export function createLifecycleReport(port: LifecyclePort, course: HostLifecycle) {
  const { store, alarms } = port;

  /** The operation a report is about, if it is the current one. */
  async function currentOf(tx: Tx, host: HostRow, op: string | null): Promise<OperationRow | undefined> {
    if (host.operation === null || (op !== null && op !== host.operation)) return undefined;
    const row = await readOperation(tx, host.tenant, host.operation);
    return row?.endedAt === null ? row : undefined;
  }

  async function note(tx: Tx, row: OperationRow | undefined, steps: (before: Step[]) => Step[], at: number) {
    if (row === undefined) return;
    const state = row.state === 'pending' ? 'running' : row.state;
    await course.change(tx, row, { steps: steps(row.steps), state }, at);
  }

  async function lived(tx: Tx, actor: Actor, host: HostRow, input: LifecycleInput): Promise<boolean> {
    const step = await course.live(tx, actor, host, input);
    return step.ok && step.value.changed;
  }

  async function checks(tx: Tx, actor: Actor, host: HostRow, data: unknown): Promise<boolean> {
    const report = commissionChecksSchema.safeParse(data).data;
    if (report === undefined) return false;
    const row = await currentOf(tx, host, report.op);
    if (report.op !== null && row === undefined) return false;
    await note(tx, row, (steps) => stepsOfChecks(steps, report), actor.at);
    if (host.lifecycle !== 'commissioning') return false;
    const failed = report.checks.filter(({ ok: passed }) => !passed);
    const subject = subjectOf(host);
    for (const { service, ok: passed, message } of report.checks) {
      if (service === undefined) continue;
      const alarm = { error: 'serviceStartFailed', service, severity: 'major', message } as const;
      if (passed) await alarms.clear(tx, subject, 'serviceStartFailed', service);
      else await alarms.raise(tx, subject, alarm);
    }
    return await lived(tx, actor, host, { kind: 'checks', passed: failed.length === 0 });
  }

  async function progress(tx: Tx, actor: Actor, host: HostRow, data: unknown): Promise<boolean> {
    const report = drainProgressSchema.safeParse(data).data;
    if (report === undefined) return false;
    const row = await currentOf(tx, host, report.op);
    // A late word of an earlier drain must not end this one.
    if (row === undefined) return false;
    await note(tx, row, (steps) => stepsOfDrain(steps, report), actor.at);
    const done = report.step === 'done';
    const blocked = report.blocked ?? (done ? null : standingBlock(host));
    return await lived(tx, actor, host, { kind: 'progress', done, blocked });
  }

  /** Its configuration works: the end of commissioning, unless its checks are waited for. */
  async function acknowledged(tx: Tx, uid: string, actor: Actor): Promise<boolean> {
    const host = await readHost(tx, uid);
    if (host?.lifecycle !== 'commissioning') return false;
    const cap = (await readHostStatus(tx, uid))?.facts.cap ?? [];
    await note(tx, await currentOf(tx, host, null), stepsOfConfiguration, actor.at);
    return await lived(tx, actor, host, { kind: 'acknowledged', checked: cap.includes('check.1') });
  }

  return {
    /** An event of a host: gives whether its twin must be made again. */
    reported: async (tx: Tx, uid: string, type: string, data: unknown, actor: Actor): Promise<boolean> => {
      const host = await readHost(tx, uid);
      if (host === undefined) return false;
      switch (type) {
        case 'commissionChecks':
          return await checks(tx, actor, host, data);
        case 'drainProgress':
          return await progress(tx, actor, host, data);
        case 'overrides': {
          const said = overridesSchema.safeParse(data).data;
          if (said !== undefined) await updateHostStatus(tx, uid, { overrides: said.overrides });
          return false;
        }
        default:
          return false;
      }
    },

    acknowledged,

    /** As `acknowledged`, from a heartbeat: all that its twin names is in force there and has passed its health gate. */
    settled: async (
      tx: Tx,
      uid: string,
      works: Readonly<Record<FeedScope, number>>,
      actor: Actor,
    ): Promise<boolean> => {
      const host = await readHost(tx, uid);
      const wanted = (host?.twinBody as Partial<Twin> | null | undefined)?.cfg;
      if (wanted === undefined || host?.course?.acknowledged === true) return false;
      return (
        SCOPES.every((scope) => works[scope] === wanted[scope].rev) && (await acknowledged(tx, uid, actor))
      );
    },

    /** A host says which intent it follows; what waited for it goes on. */
    obeyed: async (tx: Tx, uid: string, { life, twinRev }: Obeyed, at: number): Promise<boolean> => {
      const host = await readHost(tx, uid);
      if (host === undefined || host.operation === null) return false;
      const wanted = host.twinBody as { readonly life?: string; readonly op?: string | null } | null;
      const follows = life === wanted?.life && wanted.op === host.operation && twinRev >= host.twinRev;
      return follows && (await course.heard(tx, host, at));
    },

    /** The last word of a host that wiped itself. Fails with `forbidden` when nothing was to be wiped. */
    wiped: async (uid: string, report: WipeReport, actor: Actor): Promise<Result<null>> => {
      const host = await readHost(store, uid);
      if (host?.lifecycle !== 'decommissioning')
        return fail(
          'forbidden',
          'The report is refused: this host is not being wiped. Decommission it first.',
        );
      const call = { tenant: host.tenant, domain: '', actor };
      const result = await mutate(store, call, async (tx) => {
        await note(tx, await currentOf(tx, host, null), (steps) => stepsOfWipe(steps, report), actor.at);
        const step = await course.live(tx, actor, host, { kind: 'wiped' });
        return step.ok ? ok(null) : step;
      });
      if (result.ok) port.onHostChanged(uid);
      return result;
    },

    /** Deadlines of what is under way; called every few seconds. */
    tick: async (at: number): Promise<void> => {
      const actor: Actor = { name: 'system', address: '', requestId: '', at };
      let after = '';
      for (;;) {
        const rows = await openOperations(store, after, BATCH);
        const hosts = await hostsOfUids(
          store,
          rows.map(({ uid }) => uid),
        );
        const late = new Set(
          hosts.flatMap(({ host }) => (dueInput(host, at) === undefined ? [] : [host.uid])),
        );
        for (const row of rows) if (late.has(row.uid)) await overdue(row, actor);
        const last = rows.at(-1);
        if (last === undefined || rows.length < BATCH) return;
        after = last.id;
      }
    },
  };

  async function overdue(row: OperationRow, actor: Actor): Promise<void> {
    let changed = false;
    await mutate(store, { tenant: row.tenant, domain: '', actor }, async (tx) => {
      const current = await readHost(tx, row.uid);
      const input = current === undefined ? undefined : dueInput(current, actor.at);
      if (current !== undefined && input !== undefined) changed = await lived(tx, actor, current, input);
      return ok(null);
    });
    if (changed) port.onHostChanged(row.uid);
  }
}

/** The deadline has blocked it; the host's next report says nothing of that. */
const standingBlock = ({ course }: HostRow) => (course?.blocked?.code === 'deadline' ? course.blocked : null);

/** The input that time gives a host now, if any. */
function dueInput({ lifecycle, lifecycleSince, course }: HostRow, at: number): LifecycleInput | undefined {
  const longFor = at - lifecycleSince;
  switch (lifecycle) {
    case 'commissioning':
      return longFor >= COMMISSIONING_MS && course?.overdue !== true ? { kind: 'overdue' } : undefined;
    case 'draining':
      return course?.drain && at >= course.drain.deadline && !course.drain.force && course.blocked === null
        ? { kind: 'deadline' }
        : undefined;
    case 'decommissioning':
      return longFor >= WIPE_MS ? { kind: 'expired' } : undefined;
    default:
      return undefined;
  }
}

export type LifecycleReport = ReturnType<typeof createLifecycleReport>;
