import type { Listeners } from '#shared/listeners.ts';
import type { Towards } from '../../call/control/index.ts';
import type { SessionTrace } from '../../kernel/session-trace.ts';
import type { LegId, MediaEvent } from '../../media/control/index.ts';
import type { Tone } from '../protocol/tone/index.ts';
import type { ReceiverBridge } from '../receiver/index.ts';

/** The call of a device with an alarm, as those who take the alarm see it: one SIP leg and its audio. */
export interface DeviceCall {
  /** Unique among all calls of this host, also after a restart. */
  readonly id: string;
  /** Its audio in the media engine; open from the moment of `answered`. */
  readonly leg: LegId;
  /** The receiver that was called. */
  readonly bridge: ReceiverBridge;
  /** User part of From: the calling number, or the device. */
  readonly fromUser: string;
  /** User part of the request URI. */
  readonly calledParty: string;
  readonly sourceIp: string;
  /** Provisioned device that the SIP side has proved; undefined: known by its number at most. */
  readonly deviceId: string | undefined;
  /** A secret or a trunk stands behind it: its address does not count. */
  readonly isProven: boolean;
  /** Trunk it came by. */
  readonly trunkId: string | undefined;
  /** Which side of the call the device is: it called us, or we called it. */
  readonly side: 'caller' | 'callee';
  readonly trace: SessionTrace;
  /** Leg of the people it is connected with, and what they were called by. */
  readonly peer: LegId | undefined;
  readonly peerAddress: string | undefined;
  /** These tones are played to the device. */
  readonly said: Listeners<[tones: readonly Tone[], form: '2833' | 'inaudio']>;
  /** An alarm has this call, and the one before has it no longer: units of a scheme follow each other. */
  readonly alarm: Listeners<[conversation: string]>;
  answer(): void;
  /** Before the answer: a SIP status from 400 on. */
  refuse(status: number): void;
  hangUp(reason: string): void;
  /**
   * Calls `destination` (SIP address or number); both hear each other when it answers. Replaces a call that failed. `towards`: fields
   * and parts of its INVITE.
   */
  connect(destination: string, towards?: Towards): void;
  /** The people have been called elsewhere, and this is their leg: both hear each other now. */
  joinedWith(leg: LegId, address: string): void;
}

/** Events of a call, for the class that takes its alarm. */
export interface DeviceCallUser {
  /** Our 2xx is acknowledged, or ours was answered: audio runs both ways. */
  answered(): void;
  /** Digits, tones, what was played: events of the call's leg. */
  mediaEvent(event: MediaEvent): void;
  /** The people have answered and are connected. */
  joined(): void;
  /**
   * The called side is not on the line any more. `hasHungUp`: it had answered and ended its call; otherwise it was not
   * reached, or was lost.
   */
  left(reason: string, hasHungUp: boolean): void;
  /**
   * The device has hung up, was lost or never answered. Comes last. `isCutOff`: neither side hung up, the call broke
   * off.
   */
  ended(reason: string, isCutOff: boolean): void;
}

/** Takes calls to alarm bridges. */
export interface DeviceCallHandler {
  incoming(call: DeviceCall): DeviceCallUser;
}

/** Records the calls of those receivers that ask for it. */
export interface CallAudit {
  recorded(takes: DeviceCallHandler): DeviceCallHandler;
}
