import type { OwnListener } from '#shared/matching/index.ts';
import type { RecogniserSetting } from '#shared/setting/index.ts';
import type { RingMemory } from '../../media/audio/index.ts';
import type {
  HearingId,
  SpeechEvent,
  SpeechRequest,
  TranscriptEvent,
  TranscriptId,
} from '../../media/control/index.ts';

export interface SpeechThreadSetting {
  readonly recognisers: readonly RecogniserSetting[];
  readonly allowPrivate: readonly string[];
  readonly extraCas: readonly string[];
  /** Own listeners, never called. */
  readonly listeners: readonly OwnListener[];
}

export type SpeechCommand =
  | {
      readonly kind: 'start';
      readonly hearing: HearingId;
      readonly input: RingMemory;
      readonly request: SpeechRequest;
    }
  | { readonly kind: 'stop'; readonly hearing: HearingId }
  | {
      readonly kind: 'transcribe';
      readonly transcript: TranscriptId;
      readonly inputs: readonly RingMemory[];
    }
  | { readonly kind: 'finish' | 'drop'; readonly transcript: TranscriptId }
  | { readonly kind: 'close' };

export type SpeechReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: true }
  | { readonly kind: 'event'; readonly event: HearingEvent | ScriptEvent };

export type HearingEvent = SpeechEvent & { readonly hearing: HearingId };
export type ScriptEvent = TranscriptEvent & { readonly transcript: TranscriptId };
