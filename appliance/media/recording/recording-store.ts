import type { Failure, Result } from '#shared/result.ts';
import type { Mark } from './recorder.ts';
import type { Transcript } from './transcript.ts';

/**
 * The receiver of `/recordingReady`, also after a crash in the middle. `dest`: name of a destination of the outbox
 * (`mediaservice <id>`); without it no receiver gets it, only `onEnded` is called.
 */
export interface RecordingReport {
  readonly dest?: string;
  /** `callrecording`: in the words of the recording service (RECORDINGREADY, RECORDINGFAILED); default the media service's. */
  readonly words?: 'media' | 'callrecording';
  readonly sessionId: string;
  readonly connectionId: string;
  readonly traceId: string;
  /** `X-Event-Seq`; default 1. */
  readonly eventSeq?: number;
  /** Further fields of the callback (sessionReferenceId …), copied. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** One finished file; `fileName` as it is asked for at the site. */
export interface ShelvedFile {
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Hex; absent of what an earlier version has shelved. */
  readonly sha512?: string;
}

/** The data about a recording besides its files: written before its first sample, so that a crash forgets nothing. */
export interface ShelvedRecording {
  readonly recordingId: string;
  /** As it was asked for. */
  readonly fileName: string;
  /** Names of the files it makes. */
  readonly expected: readonly string[];
  readonly report: RecordingReport;
  /** Epoch ms of its beginning and end. */
  readonly startedAtMs: number;
  readonly endedAtMs?: number;
  readonly durationMs: number;
  readonly degraded: boolean;
  readonly marks: readonly Mark[];
  /** Absent while it runs. */
  readonly event?: 'recordingSuccessful' | 'recordingFailed';
  readonly reason?: string;
  readonly files: readonly ShelvedFile[];
  /** Rows of the outbox that tell of it: a second try after a crash is the same delivery. */
  readonly deliveries: readonly string[];
  /** The outbox has them. */
  readonly reported: boolean;
  /** The cloud has the files. */
  readonly uploaded: boolean;
  /** Recordings of the same name at the cloud give way; absent of what an earlier version has shelved. */
  readonly replaces?: boolean;
  /** The speaker of each channel, for the transcript; absent: it is not known. */
  readonly speakers?: readonly string[];
  /** Absent where no recogniser transcribes recordings. */
  readonly transcript?: Transcript;
}

/** A finished recording, wherever its bytes are. */
export interface FoundRecording {
  readonly sizeBytes: number;
  /** Its bytes; an error of the stream says that they ended too soon. */
  readonly open: () => Promise<Result<ReadableStream<Uint8Array>, Failure<'unreachable'>>>;
}

/** `notFound`: every host of the site and the control plane were asked. `unreachable`: one of them could not be asked. */
export type FindRecording = (
  fileName: string,
) => Promise<Result<FoundRecording, Failure<'notFound' | 'unreachable'>>>;

/** Where finished recordings stand with what is known of them. Every write is durable when it resolves. */
export interface RecordingStore {
  /**
   * All that is there, read from the disk; or those of these ids alone, and those that fit: the others are not held in memory.
   */
  all(
    recordingIds?: readonly string[],
    fits?: (recording: ShelvedRecording) => boolean,
  ): Promise<readonly ShelvedRecording[]>;
  put(recording: ShelvedRecording): Promise<void>;
  /** Removes its files and what is known of it. */
  remove(recording: ShelvedRecording): Promise<void>;
  /** Size and SHA-256 of a finished file; undefined: there is none of that name. */
  look(fileName: string): Promise<ShelvedFile | undefined>;
  /** Where a finished file stands; undefined: there is none. */
  pathOf(fileName: string): string | undefined;
}
