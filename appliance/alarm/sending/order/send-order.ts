import type { AlarmEvent, SourceAlarmEvent } from '#shared/alarm-event/index.ts';
import type { TARGET_FAMILY } from '#shared/contract/provisioning/index.ts';

type Family = typeof TARGET_FAMILY;

/** The protocols of a receiver (`targetEndpoint.protocol`). */
export type TargetProtocol = Family[keyof Family][number];

/** How digits go out (`toneSettings`). */
export interface SendTones {
  readonly towardsReceiver: 'inaudio' | '2833';
  readonly towardsDevice: 'inaudio' | '2833';
}

/**
 * Content, receiver and sender of an event that is to be sent: everything that was decided when it was asked for. Plain
 * JSON, stored with its session. A mapper is named and not copied, so that its secrets stay in the replica.
 */
export interface SendOrder {
  readonly event: AlarmEvent;
  /** The event in the device's own words; absent after `sendalarmevent`. */
  readonly source?: SourceAlarmEvent;
  /** Bridge whose application gets the results; absent: only the alarms of the platform report them. */
  readonly bridgeId?: string;
  /** Event sender that says where to; else `direct` does. */
  readonly mapperId?: string;
  /** The mapper's receiver is only called (`alarmHandling` voiceOnly). */
  readonly voiceOnly?: boolean;
  /** The event goes to an application over REST (`alarmHandling` callback): partnerUrl, else that of the bridge. */
  readonly toApplication?: boolean;
  readonly direct?: {
    readonly protocol: TargetProtocol;
    readonly destAddr: string;
    readonly username?: string;
    readonly password?: string;
  };
  /** SIP user or number of the device, as callbacks name it. */
  readonly callingParty: string;
  /** User part of From, where the request names one. */
  readonly sipFrom?: string;
  /** Provisioned device. */
  readonly deviceId?: string;
  readonly voice: {
    /**
     * Called for speech with the receiver; absent: no destination is called, or the device of a received alarm is on
     * the line.
     */
    readonly destination?: string;
    /** Voice destination of the provisioned device, which the receiver may be shown. */
    readonly ofDevice?: string;
    /** User part of From in that call. */
    readonly fromUser?: string;
    /** Called when the receiver names no number; the mapper's own goes first. */
    readonly receiver?: string;
    /** Tones of the receiver reach the device as they are. */
    readonly transparent: boolean;
    readonly tones: SendTones;
  };
  readonly resendAlarmMs?: number;
  readonly stringDelayMs?: number;
  /** A test of this machine: only the caller of the test gets its result, and it does not outlive the program. */
  readonly selfTest?: boolean;
  /** Session of the received alarm that is forwarded. */
  readonly alarmSessionId?: string;
}

/** Names the event keeps over every try, every way and every restart, so that a receiver knows it again. */
export interface SendReference {
  /** `ref` of SCAIP: 16 signs that cannot be guessed, since they alone identify the answer. */
  readonly ref: string;
  /** Sequence of DC-09, four digits. */
  readonly sequence: string;
  /** Time that a frame shows, epoch ms: an equal frame is a repeat. */
  readonly atMs: number;
  /** Where the receiver's clock differs, what an encrypted frame shows there instead, by destination. */
  readonly shownMs?: Readonly<Record<string, number>>;
}
