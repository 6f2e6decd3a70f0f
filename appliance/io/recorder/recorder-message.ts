import type { Result } from '#shared/result.ts';
import type {
  Mark,
  RecorderEvent,
  RecorderFault,
  RecordingId,
  RecordingResult,
  RecordingSetting,
  StoringSetting,
} from '../../media/recording/index.ts';

/** The setting that the thread starts with. */
export interface RecorderThreadSetting {
  readonly folder: string;
  readonly leastFreeBytes: number;
  readonly mp3Wasm: string;
}

export type RecorderCommand =
  | { readonly kind: 'start'; readonly setting: RecordingSetting }
  | { readonly kind: 'pause' | 'resume' | 'stop' | 'cancel'; readonly recording: RecordingId }
  | { readonly kind: 'mark'; readonly recording: RecordingId; readonly label: string }
  | { readonly kind: 'store'; readonly setting: StoringSetting }
  | { readonly kind: 'close' };

export type RecorderAnswer = Result<Mark | RecordingResult | undefined, RecorderFault>;

/** From the thread: `answer` belongs to the command with that number. */
export type RecorderReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: RecorderAnswer }
  | { readonly kind: 'event'; readonly event: RecorderEvent };
