import type { PlatformAlarm } from '#shared/contract/callback/index.ts';
import { ulid } from '#shared/id.ts';
import {
  alarmsToRepeat,
  insertAlarm,
  openAlarm,
  readHost,
  type SiteAlarmRow,
  type Tx,
  tenantById,
  updateAlarm,
} from '../store/index.ts';
import type { MonitoringPort } from './port.ts';

export type MonitoringError = (PlatformAlarm & { type: 'monitoringAlarm' })['error'];
export type Severity = 'info' | 'warning' | 'major' | 'critical';

/** Whom an alarm is about. `uid` is empty where it is no single host. */
export interface Subject {
  readonly tenant: string;
  readonly siteId: string;
  readonly uid: string;
  readonly hostId?: string;
}

export interface AlarmNews {
  readonly error: MonitoringError;
  /** Empty where the error concerns the host as a whole. */
  readonly service: string;
  readonly severity: Severity;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** The site tells the tenant itself: only the book is kept here. */
  readonly told?: true;
}

/** A platform alarm without what is the same for all of them. */
export type Announcement = PlatformAlarm extends infer Each
  ? Each extends PlatformAlarm
    ? Omit<Each, 'domain' | 'time' | 'traceId'>
    : never
  : never;

/** While it stands an alarm is told again every 6 h. */
const REPEAT_MS = 6 * 3_600_000;
const REPEATED_AT_ONCE = 100;

/** One alarm per (host, error, service); raising it again, or clearing what does not stand, does nothing. */
export class AlarmBook {
  readonly #port: MonitoringPort;

  constructor(port: MonitoringPort) {
    this.#port = port;
  }

  async raise(tx: Tx, subject: Subject, news: AlarmNews): Promise<void> {
    if ((await openAlarm(tx, subject.uid, news.error, news.service)) !== undefined) return;
    const at = this.#port.clock.wallMs();
    const { tenant, siteId, uid, hostId } = subject;
    const row: SiteAlarmRow = {
      id: ulid(at, this.#port.random(10)),
      tenant,
      siteId,
      uid,
      error: news.error,
      service: news.service,
      status: 'active',
      raisedAt: at,
      clearedAt: null,
      acknowledgedAt: null,
      toldAt: at,
      details: {
        ...news.details,
        message: news.message,
        severity: news.severity,
        ...(news.service === '' ? {} : { service: news.service }),
        siteId,
        ...(hostId === undefined ? {} : { hostId }),
      },
    };
    await insertAlarm(tx, row);
    if (news.told !== true) await this.#tell(tx, row, 'raised', at);
  }

  async clear(tx: Tx, subject: Subject, error: MonitoringError, service: string, told?: true): Promise<void> {
    const row = await openAlarm(tx, subject.uid, error, service);
    if (row === undefined) return;
    const at = this.#port.clock.wallMs();
    const durationS = Math.round((at - row.raisedAt) / 1000);
    const details = { ...row.details, durationS };
    await updateAlarm(tx, row.id, { status: 'cleared', clearedAt: at, details });
    const message = `Over after ${durationS} s: ${String(row.details.message)}`;
    if (told !== true) await this.#tell(tx, { ...row, details: { ...details, message } }, 'cleared', at);
  }

  /** Tells again of what has stood for 6 h without a word. */
  async repeat(tx: Tx): Promise<void> {
    const at = this.#port.clock.wallMs();
    for (const row of await alarmsToRepeat(tx, at - REPEAT_MS, REPEATED_AT_ONCE)) {
      await updateAlarm(tx, row.id, { toldAt: at });
      const host = row.uid === '' ? undefined : await readHost(tx, row.uid);
      // The host tells its own alarms.
      if (host === undefined || row.error === 'noHeartbeatReply') await this.#tell(tx, row, 'raised', at);
    }
  }

  /** An alarm that only happens: nothing stands, nothing is cleared. */
  async announce(tx: Tx, tenantId: string, news: Announcement): Promise<void> {
    const tenant = await tenantById(tx, tenantId);
    if (tenant === undefined) return;
    const at = this.#port.clock.wallMs();
    const id = ulid(at, this.#port.random(10));
    const alarm = { ...news, domain: tenant.domain, time: at, traceId: id } as PlatformAlarm;
    await this.#port.relay(tx, tenantId, id, alarm, at);
  }

  async #tell(tx: Tx, row: SiteAlarmRow, status: 'raised' | 'cleared', at: number): Promise<void> {
    const tenant = await tenantById(tx, row.tenant);
    if (tenant === undefined) return;
    const alarm = {
      type: 'monitoringAlarm',
      domain: tenant.domain,
      time: at,
      traceId: row.id,
      ...(row.siteId === '' ? {} : { siteId: row.siteId }),
      error: row.error as MonitoringError,
      errorDetails: { ...row.details, status },
    } as PlatformAlarm;
    await this.#port.relay(tx, row.tenant, ulid(at, this.#port.random(10)), alarm, at);
  }
}
