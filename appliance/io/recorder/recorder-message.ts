import type { Result } from '#shared/result.ts';
import type { RingMemory } from '../../media/audio/index.ts';
import type { RecordingFormat, RecordingLayout, WavFormat } from '../../media/recording/index.ts';

/** Names one recording; given by whoever starts it, unique while it runs. */
export type RecordingId = string;

export interface RecordingSetting {
  readonly recording: RecordingId;
  /** Below the folder of the recorder, `/` between folders; `.wav` or `.mp3` decides the format. */
  readonly file: string;
  /** A ring of each who is heard, filled by a tap of the media engine that began together. */
  readonly inputs: readonly RingMemory[];
  readonly layout: RecordingLayout;
  /** Samples of a `.wav`; 16-bit without it. */
  readonly samples?: WavFormat;
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
  /** A recording ended before it was stopped: the disk is full, broken, or too slow. What was written is kept. */
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

/** What the thread is started with. */
export interface RecorderThreadSetting {
  readonly folder: string;
  readonly leastFreeBytes: number;
  readonly mp3Wasm: string;
}

export type RecorderCommand =
  | { readonly kind: 'start'; readonly setting: RecordingSetting }
  | { readonly kind: 'pause' | 'resume' | 'stop' | 'cancel'; readonly recording: RecordingId }
  | { readonly kind: 'mark'; readonly recording: RecordingId; readonly label: string }
  | { readonly kind: 'close' };

export type RecorderAnswer = Result<Mark | RecordingResult | undefined, RecorderFault>;

/** From the thread: `answer` belongs to the command with that number. */
export type RecorderReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: RecorderAnswer }
  | { readonly kind: 'event'; readonly event: RecorderEvent };
