/**
 * The words between the alarm session and the machine of any protocol. Types only: a protocol imports nothing else from
 * outside its folder but `shared` and its engine.
 */
import type { AlarmEvent, SourceAlarmEvent } from '#shared/alarm-event/index.ts';

/** Which way the device's speech begins: both ways, its microphone only, its speaker only. */
export type VoiceDirection = 'duplex' | 'listen' | 'speak';

/** How a device without IP voice reaches the people who wait for it. */
export interface VoiceVia {
  /** Number that a device on the telephone network dials; without `gsm:` or `tel:`. */
  readonly analogueVoiceNumber?: string;
  /** SIP address of our own voice bridge, with `sip:`. */
  readonly voiceBridge?: string;
  /** The device is to call the voice bridge and not the destination itself. */
  readonly throughBridge: boolean;
}

/** The decision of the session about an alarm. The protocol machine says it in the words of its protocol. */
export type Decision =
  | { readonly kind: 'noVoice' }
  /** The device calls the destination it is programmed with. */
  | { readonly kind: 'predefined'; readonly direction: VoiceDirection }
  | {
      readonly kind: 'emergency';
      /** SIP address or number, as provisioned. */
      readonly destination: string;
      readonly direction: VoiceDirection;
      readonly via: VoiceVia;
    }
  /** We call the device within `minutes` and join `destination`. */
  | {
      readonly kind: 'callback';
      readonly minutes: number;
      readonly destination: string;
      readonly direction: VoiceDirection;
    }
  /** Not taken over: the device goes to its next receiver. */
  | { readonly kind: 'notHandled'; readonly reason: string };

/** Speech the device offers with its first event. */
export interface VoiceOffer {
  readonly voice: boolean;
  /** Set when the device wants to be called: minutes in which it answers by itself. */
  readonly callbackMinutes?: number;
}

/** `first` opens a session; `further` adds to it; `cleared` withdraws it. */
export type EventKind = 'first' | 'further' | 'cleared';

/**
 * How a unit takes its alarm back: `message`, without an effect on its calls, which end by themselves; `call`, in a new
 * call: it has one line, so that an older call of it is over although neither side has hung up.
 */
export type Withdrawal = 'message' | 'call';

/** The device's own name for an event: the same `text` from it within `withinMs` is a repeat, whichever host hears it. */
export interface EventName {
  readonly text: string;
  readonly withinMs: number;
}

/** One event on its way from a protocol machine to the session. */
export interface ProtocolEvent {
  /** Position within the session, from 0. */
  readonly ordinal: number;
  readonly kind: EventKind;
  readonly event: AlarmEvent;
  readonly source: SourceAlarmEvent;
  readonly offer: VoiceOffer;
  /** It takes back what the same unit has open in other conversations. */
  readonly withdraws?: Withdrawal;
  /** Absent where the protocol gives an event no name of its own. */
  readonly name?: EventName;
  /** Conversation that said the same before, from another source: this event goes out in spite of that. */
  readonly possibleRepeatOf?: string;
}

/** The side that places the voice call after the answer. `refused`: the answer made the device try its next receiver. */
export type AnsweredVoice = 'none' | 'deviceCalls' | 'weCall' | 'refused';

/** One alarm of the platform (decisions 6): the composition adds domain, time, trace and site. */
export interface RaisedAlarm {
  readonly type: 'serviceAlarm' | 'callbackFailed' | 'unknownDevice' | 'deviceHeartbeat';
  /** Which service alarm. */
  readonly error?: string;
  /** One sentence for a person. */
  readonly reason: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Why an event could not be sent (`warning` of `alarmSendFailure`, runtime API document 6). */
export type SendWarning =
  | 'noAnswer'
  | 'busy'
  | 'rejected'
  | 'protocolError'
  | 'authFailed'
  | 'noRoute'
  | 'timeout'
  | 'notExpressible';

/**
 * Effect of a failed attempt on the next one: `alternate` between the ways to the receiver, `once`: the other way gets
 * one try, since the fault is likely to be the event's; `never`: no other way can say it either.
 */
export type SendOnward = 'alternate' | 'once' | 'never';

/** One attempt is over without an acknowledge. */
export interface SendFailed {
  readonly type: 'failed';
  readonly warning: SendWarning;
  /** One sentence with the native answer. */
  readonly reason: string;
  readonly onward: SendOnward;
}

/** An alarm in a SIP MESSAGE whose answer follows from the request alone. */
export interface AnsweredMessage {
  /** The same text of the same sender within `repeatMs` is a repeat. */
  readonly text: string;
  readonly repeatMs: number;
  /** How long its device waits for the answer, ms. */
  readonly withinMs: number;
  readonly responseMode: 'message' | 'in200' | 'both';
  readonly contentType: string;
  /** `fromUser`: user part of From. */
  readonly event: (fromUser: string) => ProtocolEvent;
  /** `callback`: number that the device is to call; undefined: there is no answer but the 200. */
  readonly answer: (callback: string | undefined) => string | undefined;
}

/** A protocol whose alarms are SIP messages that are stored and then answered: one folder, and one row of `MESSAGE_PROTOCOLS`. */
export interface MessageProtocol {
  /** Value of `protocol`; it is written with each session. */
  readonly name: string;
  /** A body names this protocol by itself, so that a receiver that leaves the choice to its devices may read it. */
  readonly namesItself: boolean;
  /**
   * Reads the body of a MESSAGE.
   * @param profile as the tenant has it; absent: the protocol has none that can be changed
   * @returns undefined: it is no alarm of this protocol
   */
  readonly read: (
    body: Uint8Array,
    contentType: string | undefined,
    profile?: unknown,
  ) => AnsweredMessage | undefined;
}

/** A finding of a cutter in a stream; a broken frame gets no answer, so that its sender repeats it. */
export type CutFrame<Frame> =
  | { readonly kind: 'frame'; readonly frame: Frame }
  | { readonly kind: 'broken'; readonly why: string; readonly bytes: number };

/** Cuts the bytes of one connection into frames. It holds a bounded number of bytes, whatever comes. */
export interface FrameCutter<Frame> {
  readonly push: (chunk: Uint8Array) => readonly CutFrame<Frame>[];
  /** The stream has ended. */
  readonly end: () => readonly CutFrame<Frame>[];
  /** A frame has begun and not ended: a connection that stays so is closed. */
  readonly unfinished: boolean;
}

/** An alarm in a frame whose answer follows from the frame alone. */
export interface AnsweredFrame {
  /** Compared with the `destinationMatch` of the alarm bridges. */
  readonly address: string;
  /** The sender, as devices are provisioned. */
  readonly controllerId: string;
  /** The same text of the same sender within `repeatMs` is a repeat. */
  readonly text: string;
  readonly repeatMs: number;
  /** How long its sender waits for the answer, ms. */
  readonly withinMs: number;
  readonly event: () => ProtocolEvent;
  /** Bytes that are sent once the event is on the disk. */
  readonly answer: () => Uint8Array;
}

/** A protocol whose alarms are frames over TCP that are stored and then answered: one folder, and one row of `FRAME_PROTOCOLS`. */
export interface FrameProtocol {
  /** Value of `protocol`; it is written with each session. */
  readonly name: string;
  readonly cutter: () => FrameCutter<Uint8Array>;
  /** Undefined: it is no alarm of this protocol, and gets no answer. */
  readonly read: (frame: Uint8Array) => AnsweredFrame | undefined;
}
