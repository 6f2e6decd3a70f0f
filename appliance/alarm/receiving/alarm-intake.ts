import { receivedForm } from '#shared/alarm-event/index.ts';
import { Listeners } from '#shared/listeners.ts';
import type { PlatformAlarms } from '../../delivery/platform-alarms.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import { ReportMemory } from '../../kernel/report-memory.ts';
import type { TenantPorts } from '../../replica/index.ts';
import { type ProfileTables, recoded } from '../profile/index.ts';
import type { ProtocolEvent } from '../protocol/index.ts';
import type { Admission, AlarmReceiver, ReceiverBridge } from '../receiver/index.ts';
import type { ActiveAlarm } from './active-alarm.ts';
import type { AlarmJournal } from './alarm-journal.ts';
import type { Arrival } from './arrival.ts';
import type { ProtocolAdapter } from './protocol-adapter.ts';

type Ports = KernelPorts & TenantPorts;

/** A device was heard: its identity on the wire, and the receiver it spoke to. */
export interface DeviceSeen {
  readonly bridge: ReceiverBridge;
  readonly controllerId: string;
  readonly deviceId: string | undefined;
  readonly callingParty?: string;
  /** It said that it is there, by a heartbeat or a test call; absent: it raised an alarm. */
  readonly isHeartbeat?: boolean;
}

/** Status of test calls: they are delivered, and signs of life (protocols 16). */
export const TEST_CALL = 'alarmTest';

/** An event with what provisioning says about it, and the case it belongs to. */
interface Admitted extends Pick<Admission, 'event' | 'offer'>, Pick<ProtocolEvent, 'source'> {
  readonly known: ActiveAlarm;
}

/** Settles what an event is and whose: device, overrides, settings; opens the case of a new alarm. */
export class AlarmIntake {
  readonly #ports: Ports;
  readonly #file: AlarmJournal;
  readonly #alarms: PlatformAlarms;
  readonly #receiver: () => AlarmReceiver;
  readonly #profiles: ProfileTables;
  readonly #unknown = new ReportMemory();
  /** Alarms opened in each of the last sixty minutes, by minute of the monotonic clock. */
  readonly #opened = new Map<number, number>();
  /** Number or SIP address that a person on site has set in place of every emergency destination, for a while. */
  fallbackNumber: string | undefined;
  /** An event of a device: supervision starts again. */
  readonly deviceSeen = new Listeners<[seen: DeviceSeen]>();

  constructor(
    ports: Ports,
    dependencies: {
      readonly file: AlarmJournal;
      readonly alarms: PlatformAlarms;
      readonly receiver: () => AlarmReceiver;
      readonly profiles: ProfileTables;
    },
  ) {
    this.#ports = ports;
    this.#file = dependencies.file;
    this.#alarms = dependencies.alarms;
    this.#receiver = dependencies.receiver;
    this.#profiles = dependencies.profiles;
  }

  /** Alarms opened within the last hour. */
  get openedLastHour(): number {
    const minute = this.#minute();
    let sum = 0;
    for (const [at, count] of this.#opened) if (at > minute - 60) sum += count;
    return sum;
  }

  /** Undefined when the alarm bridge is not there any more. */
  admit(
    front: ProtocolAdapter,
    conversation: string,
    received: ProtocolEvent,
    known: ActiveAlarm | undefined,
    came: Arrival | undefined,
  ): Admitted | undefined {
    const bridge = known?.bridge ?? came?.bridge;
    const protocol = known?.facts.protocol ?? came?.protocol;
    if (bridge === undefined || protocol === undefined) return undefined;
    const said = recoded(noted(received, came?.warnings), this.#profiles.codes.own(bridge.protocolProfile));
    const callingParty = known?.facts.sipFrom ?? came?.fromUser ?? '';
    const speech = protocol === 'scaip' ? this.#profiles.scaip(bridge.protocolProfile).voice : undefined;
    const sender = this.#ports.tenant().mapper(bridge.alarmEventMapperId ?? '');
    const provisioned = this.#receiver().admit(bridge, {
      ...said,
      callingParty,
      sender,
      ...(speech && { speech }),
    });
    const admission = this.#insteadOf(provisioned);
    const own = known ?? (came && this.#open(front, conversation, admission, came, said));
    if (own === undefined) return undefined;
    const { controllerId, deviceId } = said.event;
    const isHeartbeat = said.event.statusCode.receive === TEST_CALL;
    const { event, offer } = admission;
    own.trace.add('eventUnderstood', { ...receivedForm(event), kind: said.kind });
    this.deviceSeen.emit({ bridge, controllerId, deviceId, callingParty, isHeartbeat });
    return { event, offer, source: said.source, known: own };
  }

  #insteadOf(admission: Admission): Admission {
    if (this.fallbackNumber === undefined) return admission;
    const { callList: _, ...setting } = admission.setting;
    return { ...admission, setting: { ...setting, emergencyDestination: this.fallbackNumber } };
  }

  #minute(): number {
    return Math.floor(this.#ports.clock.monoMs() / 60_000);
  }

  #count(): void {
    const minute = this.#minute();
    this.#opened.set(minute, (this.#opened.get(minute) ?? 0) + 1);
    for (const at of this.#opened.keys()) if (at <= minute - 60) this.#opened.delete(at);
  }

  #open(
    front: ProtocolAdapter,
    conversation: string,
    admission: Admission,
    came: Arrival,
    { name, possibleRepeatOf }: Pick<ProtocolEvent, 'name' | 'possibleRepeatOf'>,
  ): ActiveAlarm {
    this.#count();
    const { protocol, fromUser: sipFrom, calledParty, sourceIp, proof, trace, bridge } = came;
    const said = { protocol, sipFrom, calledParty, sourceIp };
    const unknownDeviceType = this.#profiles.unknownDeviceType(protocol, bridge.protocolProfile);
    const wanted = unknownDeviceType === undefined ? {} : { unknownDeviceType };
    const facts = {
      ...said,
      ...wanted,
      ...(proof !== undefined && { proof }),
      ...(possibleRepeatOf !== undefined && { possibleRepeatOf }),
      ...(admission.unknownDevice && { unknownUnit: true as const }),
    };
    const opened = this.#file.open(front, conversation, bridge, admission, facts, trace, name);
    const { deviceId, unknownDevice } = admission;
    const nowMs = this.#ports.clock.monoMs();
    if (unknownDevice && this.#unknown.report(this.#ports.tenant().domain, deviceId, nowMs)) {
      const alarmEvent = receivedForm(admission.event, wanted);
      trace.add('alarmRaised', { type: 'unknownDevice' });
      this.#alarms.raise({ type: 'unknownDevice', deviceId, alarmEvent, ...said }, trace.traceId);
    }
    return opened;
  }
}

/** The event with the deviations of the message that brought it. */
function noted(said: ProtocolEvent, more: readonly string[] = []): ProtocolEvent {
  if (more.length === 0) return said;
  return { ...said, source: { ...said.source, warnings: [...said.source.warnings, ...more] } };
}
