import type { MediaAlarmType, PlatformAlarm, ServiceAlarmError } from '#shared/contract/callback/index.ts';
import { uuid } from '#shared/id.ts';
import { isCoveredBy } from '#shared/matching/index.ts';
import type { TimerPorts } from '../kernel/engine-timers.ts';
import type { KernelPorts } from '../kernel/port.ts';
import type { TenantPorts } from '../replica/index.ts';
import { platformAlarmCall, readStoredCall } from './callback/index.ts';
import { type DeliveryService, platformDestination } from './delivery-service.ts';
import { cloudDestination, type JournalPorts, type OutboxRow } from './outbox/index.ts';
import { cloudRow } from './site-report.ts';
import { StrangerBudget, type StrangerSum, type UnknownUnitRates } from './stranger-budget.ts';

/** An alarm of a protocol machine or of a session, as far as its delivery needs it. */
export interface ReportedFault {
  readonly type: string;
  /** Which service alarm. */
  readonly error?: string;
  /** One sentence for a person. */
  readonly reason: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** A condition of this host that began or ended, as far as its delivery needs it. */
export interface ReportedCondition {
  readonly error: string;
  /** Empty: the host as a whole. */
  readonly service: string;
  readonly severity: 'info' | 'warning' | 'major' | 'critical';
  readonly message: string;
  readonly status: 'raised' | 'cleared';
  /** Epoch ms. */
  readonly since: number;
  /** Changes of this condition that were not reported since the last report. */
  readonly suppressed: number;
}

type Ports = KernelPorts & TimerPorts & TenantPorts & JournalPorts;

/** The words of the media and sites document, part 6; the two that it does not know have types of their own. */
function standingAlarm(
  { error, service, severity, message, status, since, suppressed }: ReportedCondition,
  head: { readonly domain: string; readonly time: number; readonly traceId: string; readonly siteId: string },
  hostId: string,
): PlatformAlarm {
  const errorDetails = {
    status,
    severity,
    message,
    siteId: head.siteId,
    hostId,
    since,
    ...(service !== '' && { service }),
    ...(suppressed > 0 && { suppressed }),
  };
  return error === 'diskPressure' || error === 'clockUnsynchronised'
    ? { type: error, ...head, hostId, errorDetails }
    : ({ type: 'monitoringAlarm', ...head, error, errorDetails } as PlatformAlarm);
}

/** The alarm session that a platform alarm is about. */
export interface AlarmSubject {
  readonly sessionId: string;
  readonly bridgeId: string;
  readonly deviceId: string | undefined;
}

/** Raised by this host: of these an alarm without a sentence that says why does not compile. */
interface WithReason {
  readonly errorDetails: { readonly reason: string; readonly [fact: string]: unknown };
}
type Explained<Each extends PlatformAlarm> = Each['type'] extends 'serviceAlarm' | MediaAlarmType
  ? WithReason
  : Each['type'] extends 'destinationDown'
    ? { readonly reason: string }
    : unknown;

/** A platform alarm without what is the same for all of them. */
export type PlatformAlarmBody = PlatformAlarm extends infer Each
  ? Each extends PlatformAlarm
    ? Omit<Each, 'domain' | 'time' | 'siteId' | 'traceId' | 'late'> & Explained<Each>
    : never
  : never;

/**
 * Tells the tenant what the platform noticed (decisions 6): the alarm events endpoint when one is set, and the cloud
 * for the console. An alarm waits on the disk like every other record; a site without WAN tells its own LAN.
 */
export class PlatformAlarms {
  readonly #ports: Ports;
  readonly #delivery: DeliveryService;
  /** Conditions that began in a maintenance window, by error and service: this host did not report them. */
  readonly #unreported = new Map<string, ReportedCondition>();
  /** The share that unknown units have of this host, and strangers of a person's attention. */
  readonly strangers: StrangerBudget;

  constructor(ports: Ports, delivery: DeliveryService, unknownUnitRate?: UnknownUnitRates | 'off') {
    this.#ports = ports;
    this.#delivery = delivery;
    this.strangers = new StrangerBudget(ports, (sum) => this.raise(floodAlarm(sum)), unknownUnitRate);
  }

  /** False: anybody can cause it, and it is only counted in the sum of what strangers do. */
  raise(body: PlatformAlarmBody, traceId?: string): boolean {
    if (isByUnknown(body) && !this.strangers.takesReport(sourceOf(body))) return false;
    this.#ports.run(this.raiseStored(body, traceId));
    return true;
  }

  /** The same; resolves when the alarm is on the disk. */
  async raiseStored(body: PlatformAlarmBody, traceId: string = uuid(this.#ports.random(16))): Promise<void> {
    const tenant = this.#ports.tenant();
    const alarm = {
      ...body,
      domain: tenant.domain,
      time: this.#ports.clock.wallMs(),
      traceId,
      siteId: this.#ports.place.siteId,
    } as PlatformAlarm;
    this.#ports.log('warn', 'platform_alarm.issued', 'Issued a platform alarm', { ...alarm });
    const call = platformAlarmCall(alarm, traceId);
    const item = {
      lane: 'alarm',
      orderKey: traceId,
      type: alarm.type,
      call,
      state: 'new',
      late: false,
    } as const;
    const uplink: OutboxRow = {
      ...this.#delivery.row({ ...item, dest: cloudDestination }),
      body: JSON.stringify(alarm),
    };
    const post =
      tenant.notification.alarmEventsRestEndpoint === undefined
        ? undefined
        : this.#delivery.row({ ...item, dest: platformDestination });
    await this.#keep(uplink, post);
  }

  /**
   * A condition of this host began or ended. The cloud posts it to the tenant; while it is away the site does so itself
   * (`alarmFromEdge`), under the same key, and says so. In a maintenance window the host notes it like any other and does not
   * report it: the windows of its site are replicated, for a technician who works there often has no WAN.
   */
  standing(event: ReportedCondition, cloudThere: boolean): void {
    const { clock, random, place } = this.#ports;
    const tenant = this.#ports.tenant();
    const traceId = uuid(random(16));
    const head = { domain: tenant.domain, time: clock.wallMs(), traceId, siteId: place.siteId };
    const alarm = standingAlarm(event, head, place.hostId);
    this.#ports.log('warn', 'platform_alarm.issued', 'Issued a platform alarm', { ...alarm });
    const key = `${event.error} ${event.service}`;
    // Receivers that did not hear that it began need not hear that it is over.
    const isUnreported = event.status === 'cleared' ? this.#unreported.has(key) : this.#isCovered(event);
    if (isUnreported && event.status === 'raised') this.#unreported.set(key, event);
    else this.#unreported.delete(key);
    const { alarmEventsRestEndpoint, alarmFromEdge } = tenant.notification;
    const isReported = !cloudThere && alarmFromEdge && alarmEventsRestEndpoint !== undefined && !isUnreported;
    const body = JSON.stringify({ ...alarm, told: isReported });
    const uplink = cloudRow(this.#ports, { lane: 'alarm', type: alarm.type, body });
    const call = { ...platformAlarmCall(alarm, traceId), key: uplink.id };
    const item = { lane: 'alarm', orderKey: traceId, type: alarm.type, state: 'new', late: false } as const;
    const post = isReported ? this.#delivery.row({ ...item, call, dest: platformDestination }) : undefined;
    this.#ports.run(this.#keep(uplink, post));
  }

  /** Tells of what stands still though its window is over. To be asked now and then; the cloud does it itself while it is there. */
  lookAtWindows(cloudThere: boolean): void {
    for (const [key, event] of this.#unreported) {
      if (this.#isCovered(event)) continue;
      this.#unreported.delete(key);
      if (!cloudThere) this.standing(event, cloudThere);
    }
  }

  #isCovered({ error }: ReportedCondition): boolean {
    const nowMs = this.#ports.clock.wallMs();
    const open = this.#ports
      .tenant()
      .maintenance.filter(({ startsAt, endsAt }) => startsAt <= nowMs && nowMs < endsAt);
    return isCoveredBy(open, error, { hostId: this.#ports.place.hostId });
  }

  /** An alarm that a protocol machine or a session raised, with what its case adds. */
  raiseFor(
    raised: ReportedFault,
    facts: AlarmSubject | undefined,
    traceId: string | undefined,
    raw?: string,
  ): void {
    const whose = { ...(facts && { sessionId: facts.sessionId, alarmBridgeId: facts.bridgeId }) };
    if (raised.type === 'callbackFailed') {
      const fallback = String(raised.detail?.fallback ?? 'none');
      const body = {
        type: 'callbackFailed',
        callback: '/newAlarmbridgeEvent',
        error: raised.reason,
        fallback,
      } as const;
      this.raise({ ...body, ...whose }, traceId);
      return;
    }
    const errorDetails = { ...raised.detail, reason: raised.reason, ...(raw === undefined ? {} : { raw }) };
    const device = facts?.deviceId === undefined ? {} : { deviceId: facts.deviceId };
    const error = raised.error as ServiceAlarmError;
    this.raise({ type: 'serviceAlarm', error, errorDetails, ...whose, ...device }, traceId);
  }

  /** A record that will not be tried again. A dead platform alarm raises none: it would chase itself. */
  deadLetter(row: OutboxRow, reason: string): void {
    const call = readStoredCall(row.body);
    this.#ports.log('error', 'callback.given_up', 'Gave up a callback and kept it as a dead letter', {
      id: row.id,
      ...(call?.traceId !== undefined && { traceId: call.traceId }),
      reason,
    });
    if (row.dest === platformDestination) return;
    const callback = call?.path ?? row.type;
    this.raise({ type: 'callbackFailed', callback, error: reason, fallback: 'deadLetter' }, call?.traceId);
  }

  /** Journal first; the alarm is sent also when it cannot be written, for it may be about the disk. */
  async #keep(uplink: OutboxRow, post: OutboxRow | undefined): Promise<void> {
    const rows = post === undefined ? [uplink] : [uplink, post];
    try {
      await this.#ports.journal.commit(rows.map((row) => ({ kind: 'outbox', row }) as const));
    } finally {
      if (post !== undefined) this.#delivery.queued(post);
    }
  }
}

/** Each new name or address of a stranger would be an alarm of its own. */
const BY_UNKNOWN: readonly string[] = [
  'authError',
  'unknownDevice',
  'dc09Rejected',
  'noReceiver',
  'scaipRejected',
];

const isByUnknown = (body: PlatformAlarmBody): boolean =>
  BY_UNKNOWN.includes(body.type === 'serviceAlarm' ? body.error : body.type);

function sourceOf(body: PlatformAlarmBody): string | undefined {
  if ('sourceIp' in body) return body.sourceIp;
  const said = body.type === 'serviceAlarm' ? body.errorDetails?.sourceIp : undefined;
  return typeof said === 'string' ? said : undefined;
}

const floodAlarm = (sum: StrangerSum): PlatformAlarmBody => ({
  type: 'serviceAlarm',
  error: 'unknownUnitFlood',
  errorDetails: {
    reason:
      'units that are not provisioned sent more than their budget; what exceeded it was not acknowledged. Provision the units that are yours, and close the network to the others',
    ...sum,
  },
});
