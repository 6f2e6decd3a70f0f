import { ulid, uuid } from '#shared/id.ts';
import { Listeners } from '#shared/listeners.ts';
import { overrideEvent } from '#shared/matching/index.ts';
import { type CallbackPorts, makeReplyId } from '../../delivery/callback/index.ts';
import { bridgeDestination, type DeliveryService } from '../../delivery/delivery-service.ts';
import type { JournalPorts } from '../../delivery/outbox/index.ts';
import type { PlatformAlarms } from '../../delivery/platform-alarms.ts';
import type { TimerPorts, TimerScope } from '../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { TenantPorts } from '../../replica/index.ts';
import {
  type HeartbeatEffect,
  type HeartbeatRecord,
  HeartbeatWatch,
  type Moment,
  PANEL_LINKS,
  type SignOfLife,
} from '../heartbeat/index.ts';
import type { AlarmReceiver } from '../receiver/index.ts';
import type { DeviceSeen } from './alarm-intake.ts';
import type { AlarmJournal } from './alarm-journal.ts';

type Ports = KernelPorts & TimerPorts & TenantPorts & JournalPorts & CallbackPorts;

/** A device that fell silent or came back, as an event. */
export type SupervisionChange = Pick<
  HeartbeatEffect & { readonly type: 'changed' },
  'deviceId' | 'bridgeId' | 'event' | 'source'
>;

/** Chosen: a device that is new reaches the cloud with those that come in the same moment, as after a change of the bridge. */
const NEW_MS = 1_000;
/** Owners of timers: each watch has one for all of its devices, which stand in slots of their own. */
const [DEVICES, LINKS] = ['devices', 'links'] as const;

/** Supervises devices: every sign of life comes here, and each device that falls silent or comes back is reported. */
export class HeartbeatSupervision {
  readonly #ports: Ports;
  readonly #alarms: PlatformAlarms;
  readonly #delivery: DeliveryService;
  readonly #receiver: () => AlarmReceiver;
  readonly #file: Pick<AlarmJournal, 'compose'>;
  readonly #watch = new HeartbeatWatch();
  readonly #links = new HeartbeatWatch(PANEL_LINKS);
  readonly #timers: TimerScope<'check' | 'report'>;
  /** Heard since the last check. */
  readonly #seen = new Map<string, HeartbeatRecord>();
  /** New devices are reported in a moment. */
  #reportsSoon = false;
  /** At checks: devices that are well. */
  readonly checked = new Listeners<[devices: readonly HeartbeatRecord[]]>();
  /** Devices that fell silent or came back, for the class that sends events on to receivers. */
  readonly changed = new Listeners<[change: SupervisionChange, traceId: string]>();

  constructor(
    ports: Ports,
    dependencies: {
      readonly alarms: PlatformAlarms;
      readonly delivery: DeliveryService;
      readonly receiver: () => AlarmReceiver;
      readonly file: Pick<AlarmJournal, 'compose'>;
    },
  ) {
    this.#ports = ports;
    this.#alarms = dependencies.alarms;
    this.#delivery = dependencies.delivery;
    this.#receiver = dependencies.receiver;
    this.#file = dependencies.file;
    this.#timers = ports.timers.scope((owner, timer, nowMs) => {
      if (timer === 'report') this.#report();
      else this.#check(owner, nowMs);
    });
    for (const owner of [DEVICES, LINKS]) this.#checkLater(owner, ports.clock.monoMs());
  }

  get size(): number {
    return this.#watch.size + this.#links.size;
  }

  restore(): void {
    const records = this.#ports.journal.heartbeats();
    const isLink = ({ protocol, beats }: SignOfLife): boolean => protocol === 'dc09' && beats !== true;
    this.#watch.restore(records, this.#now(), (sign) => !isLink(sign));
    this.#links.restore(records, this.#now(), isLink);
  }

  /**
   * A sign of life. The default interval is for devices that send heartbeats (provisioning document 2.1): who only raises
   * alarms is supervised when it has an interval of its own.
   */
  seen(seen: DeviceSeen): void {
    const { bridge, controllerId, deviceId, callingParty, isHeartbeat = false } = seen;
    const found = this.#receiver().find(bridge, { controllerId, deviceId, callingParty });
    const { heartbeatIntervalMs, ownIntervalMs } = found;
    if (heartbeatIntervalMs === undefined) return;
    const { domain } = this.#ports.tenant();
    const isExpected =
      ownIntervalMs !== undefined || this.#watch.statusOf(domain, found.deviceId) !== undefined;
    if (isHeartbeat || isExpected) this.#sign(this.#watch, seen, heartbeatIntervalMs);
  }

  /**
   * A frame of a security panel. `intervalMs`: silence that is allowed on its link; undefined: nothing was agreed, and
   * it is supervised as other devices are.
   */
  panel(seen: DeviceSeen & { readonly intervalMs: number | undefined }): void {
    const { intervalMs } = seen;
    if (intervalMs === undefined) this.seen(seen);
    else this.#sign(this.#links, seen, intervalMs);
  }

  #sign(
    watch: HeartbeatWatch,
    { bridge, controllerId, deviceId, callingParty }: DeviceSeen,
    intervalMs: number,
  ): void {
    const found = this.#receiver().find(bridge, { controllerId, deviceId, callingParty });
    const tenant = this.#ports.tenant().domain;
    // The agreement with a panel may change: it is supervised one way.
    const [other] = [this.#watch, this.#links].filter((each) => each !== watch);
    other?.forget(tenant, found.deviceId);
    const beats = bridge.protocol === 'dc09' && watch === this.#watch;
    if (watch.statusOf(tenant, found.deviceId) === undefined) this.#reportSoon();
    this.#perform(
      watch,
      watch.seen(
        {
          tenant,
          deviceId: found.deviceId,
          intervalMs,
          bridgeId: bridge.id,
          protocol: bridge.protocol,
          ...(beats && { beats }),
          controllerId,
          ...(deviceId !== undefined && { unitId: deviceId }),
          ...(bridge.customerSiteId !== undefined && { customerSiteId: bridge.customerSiteId }),
        },
        this.#now(),
      ),
    );
  }

  /** The first sign of life is shown at once, and not with the next check. */
  #reportSoon(): void {
    if (this.#reportsSoon) return;
    this.#reportsSoon = true;
    this.#timers.start(DEVICES, 'report', this.#ports.clock.monoMs() + NEW_MS);
  }

  #report(): void {
    this.#reportsSoon = false;
    this.#timers.stop(DEVICES, 'report');
    if (this.#seen.size === 0) return;
    this.checked.emit([...this.#seen.values()]);
    this.#seen.clear();
  }

  #check(owner: string, nowMs: number): void {
    const watch = this.#watchOf(owner);
    this.#checkLater(owner, nowMs);
    this.#perform(watch, watch.check(this.#now()));
    if (owner === DEVICES) this.#report();
  }

  #checkLater(owner: string, nowMs: number): void {
    this.#timers.start(owner, 'check', nowMs + this.#watchOf(owner).checkMs);
  }

  #watchOf(owner: string): HeartbeatWatch {
    return owner === LINKS ? this.#links : this.#watch;
  }

  #perform(watch: HeartbeatWatch, effects: readonly HeartbeatEffect[]): void {
    const removed = new Set<string>();
    for (const effect of effects) {
      if (effect.type === 'changed') {
        if (watch === this.#links || this.#isSupervised(effect)) this.#tell(effect);
        else removed.add(effect.deviceId);
        continue;
      }
      for (const row of effect.records) {
        if (row.status === 'online') this.#seen.set(row.deviceId, row);
        else this.#seen.delete(row.deviceId);
      }
      const writes = effect.records.map((row) =>
        removed.has(row.deviceId)
          ? ({ kind: 'heartbeatGone', tenant: row.tenant, deviceId: row.deviceId } as const)
          : ({ kind: 'heartbeat', row } as const),
      );
      this.#ports.run(this.#ports.journal.commit(writes));
    }
    for (const deviceId of removed) this.#seen.delete(deviceId);
    for (const deviceId of removed) watch.forget(this.#ports.tenant().domain, deviceId);
  }

  /** A device that fell silent may have been deprovisioned meanwhile: then its silence is no event. */
  #isSupervised({ deviceId, bridgeId }: HeartbeatEffect & { readonly type: 'changed' }): boolean {
    const tenant = this.#ports.tenant();
    const own = tenant.byId(deviceId)?.serviceData?.alarmBridge?.heartbeatInterval;
    return (own ?? tenant.bridge(bridgeId)?.defaultHeartbeatInterval) !== undefined;
  }

  /** A change is a platform alarm and an event for the receiver (record class); a heartbeat itself is neither. */
  #tell(changed: HeartbeatEffect & { readonly type: 'changed' }): void {
    const change = this.#asProvisioned(changed);
    const { deviceId, status, bridgeId, alarm } = change;
    const traceId = uuid(this.#ports.random(16));
    const expiration = Number(alarm.detail?.expiration ?? 0);
    this.#alarms.raise({ type: 'deviceHeartbeat', deviceId, status, expiration }, traceId);
    const bridge = this.#ports.tenant().bridge(bridgeId);
    if (bridge === undefined) return;
    this.changed.emit(change, traceId);
    // A bridge whose receiver gets the event may have no application.
    if (bridge.callbackBaseUrl === undefined && bridge.alarmEventMapperId !== undefined) return;
    const { place, clock, random } = this.#ports;
    const { domain } = this.#ports.tenant();
    const sessionId = ulid(clock.wallMs(), random(10));
    const iat = Math.floor(clock.wallMs() / 1000);
    const claims = {
      domain,
      host: place.hostId,
      epoch: place.epoch,
      session: sessionId,
      refers: 'alarm',
      iat,
    };
    const details = {
      sessionId,
      traceId,
      domain,
      protocol: bridge.protocol,
      ivrServer: place.address,
      siteId: place.siteId,
      siteBaseUrl: place.siteBaseUrl,
      customerSiteId: bridge.customerSiteId,
      sipFrom: deviceId,
      calledParty: '',
      event: change.event,
      source: change.source,
      replyId: makeReplyId(claims, this.#ports.signReply),
      eventSeq: 1,
    };
    const call = this.#file.compose(details, bridge);
    if (call === undefined) return;
    const row = this.#delivery.row({
      lane: 'alarm',
      dest: bridgeDestination(bridgeId),
      orderKey: deviceId,
      type: 'newAlarmbridgeEvent',
      call,
      state: 'new',
      late: false,
    });
    // Journal first; when it cannot be written the receiver gets the event in spite of that: no device repeats it.
    const kept = this.#ports.journal.commit([{ kind: 'outbox', row }]);
    this.#ports.run(kept.finally(() => this.#delivery.queued(row)));
  }

  /**
   * Under the name that the alarms of the device have. `Chosen:` what happened stays: of a device whose alarms are to be of one
   * kind (`overrideInAlarmEvent`), falling silent is none of that kind.
   */
  #asProvisioned<Change extends Pick<SupervisionChange, 'deviceId' | 'event'>>(change: Change): Change {
    const device = this.#ports.tenant().byId(change.deviceId);
    const {
      deviceType: _,
      statusCode: _state,
      audio: _speech,
      ...override
    } = device?.serviceData?.alarmBridge?.overrideInAlarmEvent ?? {};
    return { ...change, event: overrideEvent(change.event, override) };
  }

  #now(): Moment {
    return { wallMs: this.#ports.clock.wallMs(), monoMs: this.#ports.clock.monoMs() };
  }
}
