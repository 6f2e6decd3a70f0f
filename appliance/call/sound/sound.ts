import type { Result } from '#shared/result.ts';
import type {
  LegId,
  PhraseResult,
  SpeechEvent,
  SpeechRequest,
  StreamEnd,
  StreamFormat,
  StreamTrack,
} from '../../media/control/index.ts';
import type { AskedPhrase } from '../../media/prompt/index.ts';
import type { RecordingReport, Transcript } from '../../media/recording/index.ts';

/**
 * Sound for calls in the words of the media service: what a leg hears, what is kept of it, where it goes live. Everything
 * here returns at once; the functions in the request report the outcome, each within a turn of the calls.
 */
export interface Sound {
  /**
   * Plays the phrases one after another and then tells `onPlayed`, once. A phrase that cannot be played is an error with its
   * fault; the others are heard.
   */
  play(leg: LegId, request: PlayRequest): Playback;
  /** Greetings of `onAnswerSimultaneous`: all of them begin when the last is ready, or has failed. */
  playTogether(
    requests: readonly { readonly leg: LegId; readonly request: PlayRequest }[],
  ): readonly Playback[];
  /** Loops beneath whatever plays until it is replaced or taken away (null). */
  background(leg: LegId, request: BackgroundRequest | null): void;
  /** The ringing tone of a country (ISO 3166, `SE`) until it is stopped; another country's where it is not known. */
  ringback(leg: LegId, country?: string): Playback;
  /** Everything that plays on the leg ends: phrases with `interrupted`, the background too. */
  silence(leg: LegId): void;
  /** Whether `format: "file"` would find it now. */
  hasFile(fileName: string): boolean;
  /**
   * Begins a recording. `Refused`: the name or the layout cannot be. A fault that shows later (disk, name taken) ends
   * it with `recordingFailed`. The implementation reports, serves and uploads the file.
   */
  record(request: RecordRequest): Result<LiveRecording>;
  /** Begins to stream to a WebSocket; `onEvent` tells `started`, `stopped` or `failed`. `Refused`: the setting cannot be. */
  stream(request: StreamRequest): Result<LiveStream>;
  /** Listens for one utterance of a leg; `onEvent` tells its begin and, once, its result. */
  hear(request: HearRequest): Hearing;
}

export interface HearRequest extends SpeechRequest {
  readonly leg: LegId;
  readonly onEvent: (event: SpeechEvent) => void;
}

export interface Hearing {
  /** The result is not wanted any more. */
  stop(): void;
}

/** One thing that plays. */
export interface Playback {
  /** In the next slice; what was not heard to its end is `interrupted`. */
  stop(): void;
}

export interface PlayRequest {
  readonly phrases: readonly AskedPhrase[];
  /** Language of texts that name none (BCP 47); default `en`. */
  readonly lang?: string;
  /** Default `instead`: nothing else is heard meanwhile. */
  readonly over?: 'instead' | 'mixed';
  /** Another leg hears the same: recordings and monitors take it from there. */
  readonly shared?: true;
  readonly onPlayed: (played: Played) => void;
}

/** How it went: a result for each phrase, and why some failed. */
export interface Played {
  readonly results: readonly PhraseResult[];
  readonly faults: readonly PhraseFault[];
  /** For the trace: where the sound of files, pages and texts came from. */
  readonly sources: readonly PhraseSource[];
}

export interface PhraseSource {
  readonly phrase: number;
  readonly cacheHit: boolean;
  /** The page's server could not be asked; an older copy was played. */
  readonly stale?: true;
  /** Engine of a text that is spoken now, and ms to its first sound. */
  readonly engine?: string;
  readonly firstSoundMs?: number;
}

/** A phrase that could not be heard, as the alarm of the media service names it (decisions 5). */
export interface PhraseFault {
  readonly phrase: number;
  readonly alarm: 'phraseError' | 'phraseRemoteCacheTimeout';
  /** One sentence for a person; never holds the query of a URL. */
  readonly reason: string;
}

export interface BackgroundRequest {
  readonly phrase: AskedPhrase;
  readonly lang?: string;
  /** Pause before it begins again, s; default 0. */
  readonly repeatPause?: number;
  /** By so much it is softer while a phrase plays, dB; default 12. */
  readonly ducking?: number;
  /** It could not be heard; the leg stays silent. */
  readonly onFault?: (fault: PhraseFault) => void;
}

/** The legs that are heard on one channel. */
export type Channel = readonly LegId[];

export interface RecordRequest {
  /** Unique; made when it is absent. */
  readonly recordingId?: string;
  /** `.wav` or `.mp3` decides the format. */
  readonly fileName: string;
  /** One per side of a connection; all participants of a conference in one. */
  readonly channels: readonly Channel[];
  /** `perSide` is the default with two channels, `mixed` with any other number. */
  readonly layout?: 'perSide' | 'mixed' | 'perParticipant';
  /** A finished recording of that name gives way when this one is complete; default: the recording fails with `exists`. */
  readonly overwrite?: boolean;
  /** `heard`: prompts a leg hears are part of its channel; default `said`. */
  readonly of?: 'said' | 'heard';
  readonly report: RecordingReport;
  /** The speaker of each channel, a word of the API such as `device`; for the transcript. */
  readonly speakers?: readonly string[];
  /** After the files are there, or could not be made; the callback of `report` is on its way already. */
  readonly onEnded?: (ended: EndedRecording) => void;
}

export interface LiveRecording {
  readonly recordingId: string;
  /** Its words are recognised, and come with its end. */
  readonly isTranscribed: boolean;
  /** Silence stands for what is said until `resume`; the length goes on. */
  pause(): void;
  resume(): void;
  /** Remembers this moment under a name, for the metadata. */
  mark(label: string): void;
  /** Others speak on these channels from now on; as many channels as at the beginning. */
  change(channels: readonly Channel[]): void;
  /** Completes the file; `onEnded` and the callback follow. Ends by itself when the media of its legs dies. */
  stop(): void;
  /** As if it had never been. */
  cancel(): void;
}

export interface EndedRecording {
  readonly recordingId: string;
  readonly event: 'recordingSuccessful' | 'recordingFailed';
  /** Only of a failure: diskFull, diskFailed, diskSlow, diskPressure, exists, interrupted, overload, mediaServerError, failed. */
  readonly reason?: string;
  readonly files: readonly {
    readonly fileName: string;
    readonly sizeBytes: number;
    readonly sha256: string;
    readonly sha512?: string;
  }[];
  readonly durationMs: number;
  /** Something that was said is missing: silence stands in its place. */
  readonly degraded: boolean;
  /** Absent where no recogniser transcribes recordings, and of a recording that an earlier life began. */
  readonly transcript?: Transcript;
}

export interface StreamRequest {
  /** Unique; made when it is absent. */
  readonly streamId?: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly trustSelfSigned?: boolean;
  /** The length of each channel in one frame, ms; default 20. */
  readonly chunkDuration?: number;
  readonly channels: readonly Channel[];
  /** Absent: the frames of media document 6, opened again when it breaks. */
  readonly format?: StreamFormat;
  /** The side of each channel; only with `format`. */
  readonly tracks?: readonly StreamTrack[];
  /** The program may speak, and these legs hear it; only with `format`. Such a stream is a participant: the last thing given up. */
  readonly speech?: StreamVoice;
  /** It goes with those that only listen, also when it speaks: the call beside it is an alarm. */
  readonly goesFirst?: true;
  readonly onEvent: (event: StreamProgress) => void;
}

export interface StreamVoice {
  readonly hearers: Channel;
  /** dB, negative is softer. */
  readonly volumeDb: number;
  /** `replace`: what the legs would hear else is not heard while the program speaks. */
  readonly over: 'mix' | 'replace';
}

/** Times in ms since 1970. */
export type StreamProgress =
  | { readonly kind: 'started'; readonly startTime: number; readonly channels: number }
  | {
      readonly kind: 'stopped';
      readonly stopTime: number;
      readonly reason?: StreamEnd;
      readonly droppedMs: number;
      readonly reconnects: number;
      readonly refusedMs?: number;
      readonly ignored?: number;
    }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly droppedMs: number;
      readonly reconnects: number;
      readonly refusedMs?: number;
      readonly ignored?: number;
    };

export interface LiveStream {
  readonly streamId: string;
  /** Others speak on the channels, and others hear the program. */
  change(channels: readonly Channel[], hearers?: Channel): void;
  /** A key was pressed by who speaks on a channel. */
  digit(digit: string, track: StreamTrack): void;
  stop(why?: 'stopped' | 'callEnded'): void;
}
