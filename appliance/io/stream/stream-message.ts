import type { OwnListener } from '#shared/matching/index.ts';
import type { RingMemory } from '../../media/audio/index.ts';
import type {
  StreamAnswer,
  StreamEvent,
  StreamId,
  StreamSetting,
  StreamTrack,
} from '../../media/control/index.ts';

export interface StreamThreadSetting {
  readonly allowPrivate: readonly string[];
  readonly extraCas: readonly string[];
}

export type StreamCommand =
  | { readonly kind: 'start'; readonly setting: StreamSetting; readonly listeners: readonly OwnListener[] }
  | { readonly kind: 'stop'; readonly stream: StreamId; readonly why?: 'stopped' | 'callEnded' | undefined }
  | { readonly kind: 'speakTo'; readonly stream: StreamId; readonly outputs: readonly RingMemory[] }
  | {
      readonly kind: 'digit';
      readonly stream: StreamId;
      readonly digit: string;
      readonly track: StreamTrack;
    }
  | { readonly kind: 'close' };

export type StreamReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: StreamAnswer }
  | { readonly kind: 'event'; readonly event: StreamEvent };
