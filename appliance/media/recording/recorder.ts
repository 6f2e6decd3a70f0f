import type { Result } from '#shared/result.ts';
import type { RingMemory } from '../audio/index.ts';
import type { RecordingFormat, RecordingLayout } from './channel-map.ts';
import type { Stretch } from './edit.ts';
import type { WavFormat } from './wav-write.ts';

/** Names one recording; given by whoever starts it, unique while it runs. */
export type RecordingId = string;

export interface RecordingSetting {
  readonly recording: RecordingId;
  /** Below the folder of the recorder, `/` between folders; `.wav` or `.mp3` decides the format. */
  readonly file: string;
  /** A ring of each who is heard, filled by a tap of the media engine that began together. */
  readonly inputs: readonly RingMemory[];
  readonly layout: RecordingLayout;
  /** A finished file of that name gives way when this one is complete. */
  readonly overwrite?: boolean;
  /** Samples of a `.wav`; 16-bit without it. */
  readonly samples?: WavFormat;
}

/** The stored files and their places; times in ms from the beginning. */
export interface StoringSetting {
  /** A WAV file in the recorder's folder. */
  readonly file: string;
  readonly targetFolder: string;
  /** `.wav` or `.mp3` decides the format. */
  readonly targetName: string;
  readonly trim?: Stretch | undefined;
  readonly mask?: Stretch | undefined;
}

/** One finished file. */
export interface RecordedFile {
  /** As it was asked for, numbered when there is one per participant. */
  readonly file: string;
  readonly format: RecordingFormat;
  readonly channels: number;
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** For the `content_hash` of a vCon. */
  readonly sha512: Uint8Array;
}

/** A marker and where it stands, ms of recorded audio. */
export interface Mark {
  readonly label: string;
  readonly atMs: number;
}

export interface RecordingResult {
  readonly recording: RecordingId;
  readonly files: readonly RecordedFile[];
  /** Length of the audio, from its samples; the same for every file. */
  readonly durationMs: number;
  /** Something that was said is missing: silence stands in its place. */
  readonly degraded: boolean;
  readonly lostFrames: number;
  readonly marks: readonly Mark[];
}

/**
 * `DiskPressure`: the disk is under its limit, nothing new is recorded. `Exists`: there is such a file, or it is being
 * written. `Refused`: the name or the layout cannot be. `Failed`: the file could not be made; the reason is the system's.
 * `Unknown`: no such recording runs. `Lost`: the recorder's thread died and took the recording with it.
 */
export interface RecorderFault {
  readonly code: 'DiskPressure' | 'Exists' | 'Refused' | 'Failed' | 'Unknown' | 'Lost';
  readonly reason: string;
}

export type RecorderEvent =
  /** A recording ended before it was stopped: the disk is full, broken, or too slow. The written part is kept. */
  | {
      readonly kind: 'failed';
      readonly recording: RecordingId;
      readonly reason: 'diskFull' | 'diskFailed' | 'diskSlow';
      readonly detail: string;
      /** Without it, not even what was there could be completed; the next start tries again. */
      readonly result?: RecordingResult;
    }
  /** Left over from a recorder that died: completed, kept. `recording` is known when only the thread had died. */
  | {
      readonly kind: 'interrupted';
      readonly recording?: RecordingId;
      readonly file: RecordedFile;
      readonly durationMs: number;
    }
  /** A file left over that could not be completed, and why; it stays as it is. */
  | { readonly kind: 'unreadable'; readonly file: string; readonly reason: string }
  | { readonly kind: 'diskPressure'; readonly on: boolean; readonly freeBytes: number };

/** Recordings of calls, made by a thread of their own. Audio comes by ring; the requests and events here are control. */
export interface Recorder {
  /** Has leftovers of an earlier run completed and reported; rejects when no thread can. Without any nothing is started. */
  begin(): Promise<void>;
  /** The files are there and grow from the rings' first tick on. */
  start(setting: RecordingSetting): Promise<Result<undefined, RecorderFault>>;
  /** From now on silence stands for what is said; the time axis goes on. */
  pause(recording: RecordingId): Promise<Result<undefined, RecorderFault>>;
  resume(recording: RecordingId): Promise<Result<undefined, RecorderFault>>;
  /** Remembers this moment under a name. */
  mark(recording: RecordingId, label: string): Promise<Result<Mark, RecorderFault>>;
  /** Takes what the rings still hold and completes the files. Take the tap away first. */
  stop(recording: RecordingId): Promise<Result<RecordingResult, RecorderFault>>;
  /** Ends it and removes its files. */
  cancel(recording: RecordingId): Promise<Result<undefined, RecorderFault>>;
  /** A finished recording as another file, cut and silenced; the original stays. */
  store(setting: StoringSetting): Promise<Result<undefined, RecorderFault>>;
  /** Completes the files of whatever still runs, without telling, and ends the thread. */
  close(): Promise<void>;
  /** Ends the thread without a word, as a crash of it would; for tests of the failure. */
  crash(): Promise<void>;
}
