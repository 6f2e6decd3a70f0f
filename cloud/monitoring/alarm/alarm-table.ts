import type { PlatformAlarm } from '#shared/contract/callback/index.ts';
import { ulid } from '#shared/id.ts';
import {
  alarmsToRepeat,
  insertAlarm,
  openAlarm,
  openAlarmsOf,
  type SiteAlarmRow,
  type Tx,
  tenantById,
  updateAlarm,
} from '../../store/index.ts';
import { endMaintenance, isCovered } from './maintenance-watch.ts';
import type { MonitoringPort } from './port.ts';

/** Errors of type `monitoringAlarm`, and alarms that are a type of their own: all stand until they are cleared. */
export type MonitoringError = (PlatformAlarm & { type: 'monitoringAlarm' })['error'];
export type OpenAlarmError =
  | MonitoringError
  | 'drainBlocked'
  | 'duplicateIdentity'
  | 'configRejected'
  | 'certificateExpiring'
  | 'clockUnsynchronised'
  | 'diskPressure';

/** The fields beside `errorDetails` in alarms with a type of their own. */
const FACTS = ['revision', 'errors', 'subject', 'expiresAt', 'freeBytes'] as const;

export type Severity = 'info' | 'warning' | 'major' | 'critical';

/** Whom an alarm is about. `uid` is empty where it is no single host. */
export interface Subject {
  readonly tenant: string;
  readonly siteId: string;
  readonly uid: string;
  readonly hostId?: string;
}

export interface AlarmText {
  readonly error: OpenAlarmError;
  /** Empty where the error concerns the host as a whole. */
  readonly service: string;
  readonly severity: Severity;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Idempotency key of the delivery: that of the event it came with, for the site may have sent it as well. */
  readonly key?: string;
  /** The site has notified the tenant itself: here the alarm is only recorded. */
  readonly isReported?: boolean;
  /** The host reports it after an outage. */
  readonly late?: boolean;
  /** When it happened at its host, epoch ms: a window that held then covers it, too. */
  readonly at?: number;
}

/** An active alarm is sent again every 6 h. */
const REPEAT_MS = 6 * 3_600_000;
const REPEATED_AT_ONCE = 100;

/** `toldAt` of an alarm that was not sent. */
const UNREPORTED = 0;

/**
 * One alarm per (host, error, service); raising it again, or clearing one that is not active, does nothing. In a maintenance
 * window an alarm is kept like any other, and not sent: if it is still active when the window ends, it is sent then.
 */
export class AlarmTable {
  readonly #port: MonitoringPort;

  constructor(port: MonitoringPort) {
    this.#port = port;
  }

  async raise(tx: Tx, subject: Subject, newAlarm: AlarmText): Promise<void> {
    const at = this.#port.clock.wallMs();
    const open = await openAlarm(tx, subject.uid, newAlarm.error, newAlarm.service);
    if (open !== undefined) {
      // The window of the site ended while the control plane was away, and the site sent the active alarms.
      if (newAlarm.isReported === true && open.toldAt === UNREPORTED)
        await updateAlarm(tx, open.id, { toldAt: at });
      return;
    }
    const { tenant, siteId, uid, hostId } = subject;
    const { error, service, isReported = false, late = false } = newAlarm;
    const details = {
      ...newAlarm.details,
      message: newAlarm.message,
      severity: newAlarm.severity,
      ...(service === '' ? {} : { service }),
      siteId,
      ...(hostId === undefined ? {} : { hostId }),
    };
    const alarm = { tenant, siteId, error, details };
    const covered =
      !isReported &&
      ((await isCovered(tx, alarm, at)) ||
        (newAlarm.at !== undefined && (await isCovered(tx, alarm, newAlarm.at))));
    const row: SiteAlarmRow = {
      id: ulid(at, this.#port.random(10)),
      tenant,
      siteId,
      uid,
      error,
      service,
      status: 'active',
      raisedAt: at,
      clearedAt: null,
      acknowledgedAt: null,
      toldAt: covered ? UNREPORTED : at,
      details,
      late,
      notes: [],
    };
    await insertAlarm(tx, row);
    if (!isReported && !covered) await this.#tell(tx, row, 'raised', at, newAlarm.key);
  }

  async clear(
    tx: Tx,
    subject: Subject,
    error: string,
    service: string,
    { isReported = false, key }: { readonly isReported?: boolean; readonly key?: string } = {},
  ): Promise<void> {
    const row = await openAlarm(tx, subject.uid, error, service);
    if (row !== undefined) await this.#end(tx, row, isReported, key);
  }

  /** Clears every alarm of a host that no longer exists. */
  async clearAll(tx: Tx, subject: Subject): Promise<void> {
    for (const row of await openAlarmsOf(tx, subject.uid)) await this.#end(tx, row, false);
  }

  async #end(tx: Tx, row: SiteAlarmRow, isReported: boolean, key?: string): Promise<void> {
    const at = this.#port.clock.wallMs();
    const durationS = Math.round((at - row.raisedAt) / 1000);
    const details = { ...row.details, durationS };
    await updateAlarm(tx, row.id, { status: 'cleared', clearedAt: at, details });
    const message = `Cleared after ${durationS} s: ${String(row.details.message)}`;
    // A tenant that did not hear that it began need not hear that it is over.
    if (!isReported && row.toldAt !== UNREPORTED)
      await this.#tell(tx, { ...row, details: { ...details, message } }, 'cleared', at, key);
  }

  /** Ends windows whose time is over, and sends again alarms that were last sent 6 h ago, or never. */
  async repeat(tx: Tx): Promise<void> {
    const at = this.#port.clock.wallMs();
    await endMaintenance(tx, at);
    let after = '';
    // Those that maintenance covers stand in no one's way: the next ones are looked at too.
    for (let left = REPEATED_AT_ONCE; left > 0; ) {
      const rows = await alarmsToRepeat(tx, at - REPEAT_MS, REPEATED_AT_ONCE, after);
      for (const row of rows) {
        if (await isCovered(tx, row, at)) continue;
        left -= 1;
        await updateAlarm(tx, row.id, { toldAt: at });
        await this.#tell(tx, row, 'raised', at);
      }
      after = rows.at(-1)?.id ?? '';
      if (rows.length < REPEATED_AT_ONCE) return;
    }
  }

  async #tell(
    tx: Tx,
    row: SiteAlarmRow,
    status: 'raised' | 'cleared',
    at: number,
    key?: string,
  ): Promise<void> {
    const tenant = await tenantById(tx, row.tenant);
    if (tenant === undefined) return;
    const head = {
      domain: tenant.domain,
      time: at,
      traceId: row.id,
      ...(row.siteId === '' ? {} : { siteId: row.siteId }),
    };
    const alarm = { ...head, ...shapeOf(row), errorDetails: { ...row.details, status } } as PlatformAlarm;
    await this.#port.relay(tx, row.tenant, key ?? ulid(at, this.#port.random(10)), alarm, at);
  }
}

const MONITORING: readonly string[] = [
  'noHeartbeatReply',
  'serviceStartFailed',
  'lowMemory',
  'serviceFailure',
] satisfies MonitoringError[];

function shapeOf({ error, details }: SiteAlarmRow): object {
  if (MONITORING.includes(error)) return { type: 'monitoringAlarm', error };
  const facts = FACTS.filter((name) => details[name] !== undefined).map((name) => [name, details[name]]);
  const hostId = details.hostId === undefined ? {} : { hostId: details.hostId };
  return { type: error, ...hostId, ...Object.fromEntries(facts) };
}
