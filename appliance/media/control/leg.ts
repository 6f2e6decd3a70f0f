import type { SrtpSuite } from '../rtp/index.ts';

/** Names one RTP endpoint of ours; given by whoever opens it, unique while it is open. */
export type LegId = string;
export type ConferenceId = string;
/** Names one thing that plays on a leg; given by whoever starts it. */
export type PlayId = string;
export type TapId = string;

export type VoiceCodec = 'PCMA' | 'PCMU' | 'GSM';
/** Seen from us: `recvonly` when the peer holds. */
export type LegDirection = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

/** A voice codec under the number it has on the wire. */
export interface NumberedCodec {
  readonly payloadType: number;
  readonly codec: VoiceCodec;
}

/** The result of an offer and its answer for one leg (RFC 3264), with numeric addresses. */
export interface LegStream {
  readonly remote: { readonly host: string; readonly port: number; readonly rtcpPort: number };
  readonly rtcpMux: boolean;
  readonly direction: LegDirection;
  readonly send: NumberedCodec;
  readonly receive: readonly NumberedCodec[];
  /** `digits`: those of `0-9*#A-D` the peer takes (RFC 4733 2.4.1). */
  readonly telephoneEvent?: { readonly send: number; readonly receive: number; readonly digits: string };
  /** Payload types under which events may come, though none were agreed. */
  readonly guessedEvents?: readonly number[];
  readonly comfortNoise?: { readonly send: number; readonly receive: number };
  /** Length of packets the peer asks for, ms; we send 20 when it asks for nothing. */
  readonly ptimeMs?: number;
  /** Longest packets that the peer takes, ms. */
  readonly maxPtimeMs?: number;
  /** 16 bytes key and 14 bytes salt each. Never to be logged. */
  readonly srtp?: {
    readonly suite: SrtpSuite;
    readonly sendKey: Uint8Array;
    readonly receiveKey: Uint8Array;
  };
  /** May a source at any address take the leg (symmetric RTP)? For `forceRtpRelay`, and where SRTP authenticates it. */
  readonly latching: boolean;
  /** Addresses of which every port may take the leg while the signalled one is silent (RFC 4961). */
  readonly latchHosts?: readonly string[];
}

/**
 * `alarm`: fixed jitter buffer, no time stretching, tones must pass unharmed; admitted when ordinary legs no longer are.
 */
export type LegProfile = 'alarm' | 'ordinary';

export interface LegOpening {
  readonly leg: LegId;
  readonly profile: LegProfile;
  /** An ordinary leg that is admitted like that of an alarm: a person dials an emergency number. */
  readonly urgent?: true;
  readonly family: 4 | 6;
  /** Open it on the worker of this leg or conference: they will be joined. */
  readonly near?: LegId | ConferenceId;
}

/** Where the peer sends to. */
export interface OpenLeg {
  /** RTP port, even; RTCP on the odd one above. */
  readonly port: number;
  readonly rtcpPort: number;
  /** The name of our stream in its packets and reports, for descriptions that say so (RFC 5576). */
  readonly source: { readonly ssrc: number; readonly cname: string };
}

/** The statistics of one leg; levels in dBm0, times in ms. */
export interface LegStatistics {
  readonly codec: VoiceCodec | undefined;
  readonly received: {
    readonly packets: number;
    readonly bytes: number;
    readonly lost: number;
    readonly late: number;
    readonly duplicate: number;
    readonly reordered: number;
    readonly concealedMs: number;
    readonly longestGapMs: number;
    /** RFC 3550 A.8. */
    readonly jitterMs: number;
    readonly ssrcChanges: number;
    readonly levelDbm0: number;
    /** Packets from sources that had no business here. */
    readonly foreign: number;
    readonly srtpRejected: number;
    readonly srtpReplayed: number;
    readonly malformed: number;
  };
  readonly sent: {
    readonly packets: number;
    readonly bytes: number;
    readonly levelDbm0: number;
    /** How late slices left, ms. */
    readonly latenessP50Ms: number;
    readonly latenessP99Ms: number;
    readonly latenessMaxMs: number;
  };
  readonly roundTripMs: number | undefined;
  /** Mean opinion score of the E-model (ITU-T G.107), 1 to 4.5: an estimate from loss, jitter and delay. */
  readonly mos: number;
  /** At the end of the leg: the windows that no event `measured` carried. */
  readonly windows?: MediaWindows;
}

/**
 * Audio of a leg, window by window; one element for each in every list. A level is null where no frame was
 * decoded: on the fast path.
 */
export interface MediaWindows {
  /** Length of the windows; the last one may be shorter. */
  readonly everyMs: number;
  readonly lastMs: number;
  /** Packets. */
  readonly received: readonly number[];
  readonly sent: readonly number[];
  readonly lost: readonly number[];
  /** Packets that came after their turn to be played. */
  readonly late: readonly number[];
  readonly concealedMs: readonly number[];
  /** RFC 3550 A.8, at the end of the window. */
  readonly jitterMs: readonly number[];
  /** The most by which a slice was late. */
  readonly latenessMs: readonly number[];
  readonly levelDbm0: readonly (number | null)[];
  readonly sentLevelDbm0: readonly (number | null)[];
}
