import type { AlarmProtocol, Device } from '#shared/contract/provisioning/index.ts';
import {
  type ArrivalKind,
  applyEventMap,
  compileEventMap,
  type DeviceDirectory,
  leavesChoice,
  overrideEvent,
} from '#shared/matching/index.ts';
import {
  type AlarmDetails,
  type CallbackCall,
  type MapEvent,
  newAlarmCall,
} from '../../delivery/callback/index.ts';
import { AlarmReceiver, protocolFor, type ReceiverBridge } from '../receiver/index.ts';
import type { AlarmInfo } from '../receiving/active-alarm.ts';
import type { PastAlarm, PastEvent } from './past-alarm.ts';

/** The facts of this host that an event map may read. */
export type HostFacts = Pick<AlarmDetails, 'domain' | 'ivrServer' | 'siteId' | 'siteBaseUrl'>;

/** The kind under which a receiver is looked for, by the protocol that an alarm was read with. */
const MESSAGE_KINDS: Readonly<Record<string, ArrivalKind>> = {
  scaip: 'scaip',
  nowip: 'nowip',
  nowipcontroller: 'nowip',
  lacs: 'lacs',
};

/** One configuration as an alarm meets it: its receiver, its device and its callbacks. */
export class ReceiverSet {
  readonly #receiver: AlarmReceiver;
  readonly #host: HostFacts;
  readonly #maps = new Map<string, MapEvent | undefined>();

  constructor(bridges: readonly ReceiverBridge[], devices: DeviceDirectory<Device>, host: HostFacts) {
    this.#receiver = new AlarmReceiver(bridges, devices);
    this.#host = host;
  }

  /** The receiver that takes an alarm, by the rules of its arrival; undefined: it is refused. */
  receiverOf({ protocol, calledParty, sipFrom }: AlarmInfo): ReceiverBridge | undefined {
    if (protocol === 'dc09') return this.#receiver.frameBridgeFor(calledParty);
    const kind = MESSAGE_KINDS[protocol];
    if (kind === undefined)
      return (
        this.#receiver.bridgeFor(calledParty, 'call') ?? this.#receiver.bridgeFor(calledParty, 'strayCall')
      );
    const sender = (bridge: ReceiverBridge) =>
      this.#receiver.sender(bridge, { deviceId: undefined, fromUser: sipFrom });
    const deviceProtocol = (bridge: ReceiverBridge) =>
      sender(bridge)?.serviceData?.alarmBridge?.alarmProtocol;
    const reads = (bridge: ReceiverBridge): boolean =>
      leavesChoice(bridge) ||
      MESSAGE_KINDS[protocolFor(bridge, sender(bridge), 'message') ?? ''] === MESSAGE_KINDS[protocol];
    return (
      this.#receiver.bridgeFor(calledParty, kind, { deviceProtocol }) ??
      this.#receiver.anyBridge(calledParty, reads)
    );
  }

  /** The provisioned device that an alarm is of, as this receiver looks it up. */
  deviceOf(bridge: ReceiverBridge, { facts, events }: PastAlarm): Device | undefined {
    const first = events[0]?.event;
    if (first === undefined) return undefined;
    const { controllerId, deviceId } = first;
    return this.#receiver.find(bridge, { controllerId, deviceId, callingParty: facts.sipFrom }).device;
  }

  /**
   * The callback of one event; undefined: the event map drops it. `device`: another one than the alarm was stored with, whose values
   * replace those of the event.
   */
  callbackOf(
    bridge: ReceiverBridge,
    { sessionId, traceId, protocol, sipFrom, calledParty, unknownDeviceType, possibleRepeatOf }: AlarmInfo,
    { event, source, ordinal }: PastEvent,
    device?: Device,
  ): CallbackCall | undefined {
    const details: AlarmDetails = {
      ...{ sessionId, traceId, protocol, sipFrom, calledParty, unknownDeviceType, possibleRepeatOf },
      ...this.#host,
      customerSiteId: bridge.customerSiteId,
      event: overrideEvent(event, device?.serviceData?.alarmBridge?.overrideInAlarmEvent),
      source,
      replyId: '',
      eventSeq: ordinal + 1,
    };
    const made = newAlarmCall(details, this.#mapOf(bridge));
    // A map that fails does not swallow an alarm: it goes out in its default shape.
    const call = made.ok ? made : newAlarmCall(details);
    return call.ok && call.value.kind === 'call' ? call.value.call : undefined;
  }

  #mapOf({ id, customEventMap }: ReceiverBridge): MapEvent | undefined {
    if (!this.#maps.has(id)) {
      const compiled = customEventMap && compileEventMap(customEventMap);
      this.#maps.set(id, compiled?.ok ? (event) => applyEventMap(compiled.value, event) : undefined);
    }
    return this.#maps.get(id);
  }
}

/** Whether a receiver understands the protocol that an alarm was read with; where it does not, it would hear something else. */
export function understands(bridge: ReceiverBridge, protocol: AlarmProtocol): boolean {
  const { protocol: own, fallbackAlarmProtocol } = bridge;
  if (leavesChoice(bridge) || own === protocol || fallbackAlarmProtocol === protocol) return true;
  const kind = MESSAGE_KINDS[protocol];
  return kind !== undefined && MESSAGE_KINDS[own] === kind;
}
