import type { Clock } from '#shared/clock.ts';
import type { RandomBytes } from '#shared/id.ts';
import type { Failure, Result } from '#shared/result.ts';
import type { Media, SpeechListener, StreamEvent, Streamer } from '../../media/control/index.ts';
import type { PromptFault, Prompts } from '../../media/prompt/index.ts';
import type { Recorder, RecorderEvent, RecordingStore } from '../../media/recording/index.ts';

/** The threads behind sound, and where its files stand. */
export interface SoundAdapters {
  readonly prompts: Prompts;
  readonly recorder: Recorder;
  readonly streamer: Streamer;
  /** Speech to text; absent: no recogniser is configured. */
  readonly speech?: SpeechListener | undefined;
  readonly recordingStore: RecordingStore;
  /** Folder of a bucket of the local object store. */
  readonly bucketOf: (bucket: string) => string;
  /** Object storage beyond this host; absent: buckets are folders. The file is no more afterwards. */
  readonly putObject?: (object: {
    readonly path: string;
    readonly bucket: string;
    readonly key: string;
    readonly encryptionKey: string | undefined;
  }) => Promise<Result<null, Failure<'conflict' | 'storeFailed'>>>;
  /** Encrypts a file into a bucket of the local object store by a named key. The file is no more afterwards. */
  readonly sealObject?: (object: {
    readonly path: string;
    readonly bucket: string;
    readonly key: string;
    readonly encryptionKey: string;
  }) => Promise<Result<null, Failure<'conflict' | 'storeFailed'>>>;
  /**
   * Path of the tenant's prompt file of that name, or of a recording; undefined: there is none here. With a revision: undefined
   * also while the configuration here is older.
   */
  readonly pathOf: (fileName: string, revision?: number) => string | undefined;
  /**
   * Fetches the prompt file or recording of that name as the control plane has it now, and gives its path; absent: there is no
   * control plane to ask.
   */
  readonly fetchFile?: (fileName: string, signal: AbortSignal) => Promise<Result<string, PromptFault>>;
  /** Copies a recording that this host has not made; absent: this host is alone and knows no control plane. */
  readonly borrow?: BorrowRecording;
  /** Removes prompt files that no configuration names any more; once a day. */
  readonly tidy?: () => void;
  /** Tells of an unfinished recording that cannot be completed, by its name. */
  readonly damaged?: (fileName: string, reason: string) => void;
  /** Days that recordings are kept which the cloud has. */
  readonly keptDays: number;
  /** Hands a finished file to the cloud; absent: there is none. */
  readonly upload?: (file: {
    readonly recordingId: string;
    readonly fileName: string;
    readonly sha256: string;
    readonly path: string;
    /** A recording of that name gives way there. */
    readonly replaces: boolean;
  }) => Promise<Result<null, Failure<'unreachable' | 'refused'>>>;
  /** The control plane reaches this host now; absent: there is none. */
  readonly reachesCloud?: () => boolean;
  /** Sets the consumer of the events; the adapter keeps earlier events for it. */
  listen(to: {
    readonly recorder: (event: RecorderEvent) => void;
    readonly stream: (event: StreamEvent) => void;
  }): void;
}

/** A file to read; `release`: it is a copy, which goes when it was read. */
export interface LocatedFile {
  readonly path: string;
  readonly release?: () => Promise<void>;
}

/** Copies a recording from another host of the site, or from the control plane. */
export type BorrowRecording = (
  fileName: string,
  from: 'peer' | 'cloud',
  signal: AbortSignal,
) => Promise<Result<LocatedFile, PromptFault>>;

/** A file by its name; `revision`: of the configuration that the file must at least have. */
export interface WantedFile {
  readonly fileName: string;
  readonly revision?: number;
}

/** The common part of the services of sound. */
export interface SoundDependencies extends SoundAdapters {
  /** A file that a phrase names. It waits for a recording that ends, for other hosts, and for the control plane. */
  readonly locate: (wanted: WantedFile, signal: AbortSignal) => Promise<Result<LocatedFile, PromptFault>>;
  readonly media: Media;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** One input to completion, then the next. */
  readonly turn: (work: () => void) => void;
  readonly run: (work: Promise<unknown>) => void;
}

export interface SoundPorts {
  /** Prompts, recordings and streams of calls; without it the media service has no sound. */
  readonly sound?: SoundAdapters;
}
