import type { AlarmEvent } from '#shared/alarm-event/index.ts';
import { type Device, PROTOCOL_FAMILY } from '#shared/contract/provisioning/index.ts';
import {
  type ArrivalFacts,
  type ArrivalKind,
  candidateDeviceIds,
  type DestinationMatcher,
  type DeviceDirectory,
  destinationMatcher,
  leavesChoice,
  overrideEvent,
  receiverFor,
  resolveDevice,
} from '#shared/matching/index.ts';
import type { VoiceOffer } from '../protocol/index.ts';
import type { SessionSetting } from '../session/index.ts';
import type { FrameBridge, ReceiverBridge } from './receiver-bridge.ts';
import {
  type EventSenderVoice,
  type SiteVoice,
  type SpeechTimes,
  sessionSetting,
} from './session-setting.ts';

/** How an alarm reached us: its XML in a MESSAGE, its tones in a call, its frame over IP. */
export type Carrier = 'message' | 'call' | 'frame';

/** The data on the wire about a device. */
export interface DeviceClue {
  readonly controllerId: string;
  readonly deviceId?: string | undefined;
  /** Calling number, or user part of From. */
  readonly callingParty?: string | undefined;
}

/** The provisioned side of a device, or the name it would have. */
export interface FoundDevice {
  /** Id of the provisioned device; of an unknown unit the id it would be provisioned under. */
  readonly deviceId: string;
  readonly device: Device | undefined;
  /** Interval of supervision, ms; undefined: not supervised. */
  readonly heartbeatIntervalMs: number | undefined;
  /** heartbeatInterval of the device itself, ms, which an answer may name. */
  readonly ownIntervalMs: number | undefined;
}

/** An alarm with everything that provisioning says about it. */
export interface Admission extends FoundDevice {
  /** With the values of the device in place of its own, and the site of the bridge. */
  readonly event: AlarmEvent;
  readonly offer: VoiceOffer;
  /** For `initial` of the session. */
  readonly setting: Partial<SessionSetting>;
  /** No device is provisioned for this unit; the event is still handled. */
  readonly unknownDevice: boolean;
}

/** Kinds of devices of a group scheme: its controller, and the units behind it. */
const SCHEME_TYPES: readonly string[] = [
  'alarmbridgeGroupSchemeController',
  'alarmbridgeGroupSchemeUnit',
  'groupScheme',
];

export const isSchemeType = (deviceType: string | undefined): boolean =>
  SCHEME_TYPES.includes(deviceType ?? '');

/** Kinds of devices that are there for alarms; others may be telephones. */
const isAlarmType = (deviceType: string | undefined): boolean =>
  isSchemeType(deviceType) || deviceType === 'alarmUnit' || (deviceType ?? '').startsWith('alarmbridge');

/** Whether a device is provisioned to send alarms, so that a call of it may be one. */
export const isAlarmDevice = ({ deviceType, serviceData }: Device): boolean =>
  isAlarmType(deviceType) || serviceData?.alarmBridge !== undefined;

/** Whether a device shows a secret when it calls. */
export const provesItself = (device: Pick<Device, 'authType'> | undefined): boolean =>
  device?.authType === 'credentials' || device?.authType === 'userid';

/** Shortest interval that can be supervised by a check every five minutes. */
const MIN_INTERVAL_MS = 300_000;

/**
 * The provisioned side of one tenant: which bridge takes a destination, which device an alarm comes from and which
 * settings its session begins with. Build a new one for each revision; sessions keep what they were given.
 */
export class AlarmReceiver {
  readonly #bridges: DestinationMatcher<ReceiverBridge>;
  /** Some bridge takes alarms of LACS. */
  readonly speaksLacs: boolean;
  readonly #devices: DeviceDirectory<Device>;
  readonly #site: SiteVoice;

  constructor(bridges: readonly ReceiverBridge[], devices: DeviceDirectory<Device>, site: SiteVoice = {}) {
    this.#bridges = destinationMatcher(bridges);
    this.speaksLacs = bridges.some(({ protocol }) => protocol === 'lacs');
    this.#devices = devices;
    this.#site = site;
  }

  /** The bridge that takes what arrives for this user part of the request URI, or for this eventReceiver. */
  bridgeFor(
    destination: string,
    kind: ArrivalKind,
    facts?: ArrivalFacts<ReceiverBridge>,
  ): ReceiverBridge | undefined {
    return receiverFor(this.#bridges, destination, kind, facts);
  }

  /** The first bridge of this destination that fulfils `accepts`, whatever it takes. */
  anyBridge(destination: string, accepts?: (bridge: ReceiverBridge) => boolean): ReceiverBridge | undefined {
    return this.#bridges.match(destination, accepts);
  }

  /** The bridge that takes frames of this address, `R<receiver>L<line>#<account>` (decisions 3). */
  frameBridgeFor(address: string): FrameBridge | undefined {
    return this.bridgeFor(address, 'frame') as FrameBridge | undefined;
  }

  /** Bridges whose pattern does not compile, for the log. */
  get refused(): DestinationMatcher<ReceiverBridge>['refused'] {
    return this.#bridges.refused;
  }

  find(bridge: ReceiverBridge, clue: DeviceClue): FoundDevice {
    const identity = { ...clue, customerSiteId: bridge.customerSiteId };
    const device = resolveDevice(this.#devices, {
      identity,
      callingParty: clue.callingParty,
      resolveDeviceFromDeviceCLI: bridge.resolveDeviceFromDeviceCLI,
      isAccount: bridge.protocol === 'dc09',
    });
    const ownIntervalMs = device?.serviceData?.alarmBridge?.heartbeatInterval;
    const intervalMs = ownIntervalMs ?? bridge.defaultHeartbeatInterval;
    return {
      deviceId: device?.deviceId ?? candidateDeviceIds(identity)[0] ?? clue.controllerId,
      device,
      heartbeatIntervalMs: intervalMs === undefined ? undefined : Math.max(MIN_INTERVAL_MS, intervalMs),
      ownIntervalMs,
    };
  }

  /**
   * The sender, before its alarm is read. `deviceId`: as SIP has proved it. With it, or with a sender that names its
   * site, the identity is complete.
   */
  sender(
    bridge: ReceiverBridge,
    { deviceId, fromUser }: { readonly deviceId: string | undefined; readonly fromUser: string },
  ): Device | undefined {
    const { device } = this.find(bridge, { controllerId: deviceId ?? fromUser, callingParty: fromUser });
    const site = bridge.customerSiteId;
    const whole = deviceId ?? (site !== undefined && fromUser.startsWith(`${site}:`) ? fromUser : undefined);
    return device ?? (whole === undefined ? undefined : this.#devices.byId(whole));
  }

  /** Whether a controller of a group scheme stands behind this alarm, as it is provisioned (protocols 14). */
  isScheme(bridge: ReceiverBridge, clue: DeviceClue): boolean {
    return candidateDeviceIds({ ...clue, customerSiteId: bridge.customerSiteId }).some((deviceId) =>
      isSchemeType(this.#devices.byId(deviceId)?.deviceType),
    );
  }

  /** Settles what one alarm is and how its session is to be run. `speech`: what its protocol needs in a call. */
  admit(
    bridge: ReceiverBridge,
    alarm: {
      readonly event: AlarmEvent;
      readonly offer: VoiceOffer;
      readonly callingParty?: string;
      readonly speech?: SpeechTimes;
      /** For a bridge whose alarms are sent on. */
      readonly sender?: EventSenderVoice | undefined;
    },
  ): Admission {
    const { event: said, offer, callingParty, speech, sender } = alarm;
    const found = this.find(bridge, {
      controllerId: said.controllerId,
      deviceId: said.deviceId,
      callingParty,
    });
    const site = bridge.customerSiteId;
    const event = overrideEvent(
      { ...said, ...(site !== undefined && { customerSiteId: site }) },
      found.device?.serviceData?.alarmBridge?.overrideInAlarmEvent,
    );
    return {
      ...found,
      event,
      offer: event.audio === 'none' ? { voice: false } : offer,
      setting: sessionSetting(bridge, found.device, this.#site, speech, sender),
      unknownDevice: found.device === undefined,
    };
  }
}

/**
 * The protocol to read an alarm with. `deviceProvisioned` takes it from the device, `multiprotocol` tries; where
 * that gives none for this carrier, `fallbackAlarmProtocol` does, else what the carrier usually holds. undefined:
 * the bridge takes no alarms by this carrier.
 */
export function protocolFor(
  bridge: ReceiverBridge,
  device: Device | undefined,
  carrier: Carrier,
): string | undefined {
  const chooses = leavesChoice(bridge);
  const byDevice =
    bridge.protocol === 'deviceProvisioned' ? device?.serviceData?.alarmBridge?.alarmProtocol : undefined;
  const wanted = [chooses ? byDevice : bridge.protocol, bridge.fallbackAlarmProtocol];
  const named = wanted.find((protocol) => protocol !== undefined && PROTOCOLS_BY[carrier].includes(protocol));
  return named ?? (chooses ? USUAL[carrier] : undefined);
}

const PROTOCOLS_BY: Readonly<Record<Carrier, readonly string[]>> = {
  message: PROTOCOL_FAMILY.sipMessage,
  call: [...PROTOCOL_FAMILY.tone, ...PROTOCOL_FAMILY.voice],
  frame: PROTOCOL_FAMILY.ipReceiver,
};

const USUAL: Readonly<Record<Carrier, string>> = { message: 'scaip', call: 'multiprotocol', frame: 'dc09' };
