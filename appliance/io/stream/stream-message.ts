import type { OwnListener } from '#shared/matching/index.ts';
import type { StreamAnswer, StreamEvent, StreamId, StreamSetting } from '../../media/control/index.ts';

export interface StreamThreadSetting {
  readonly allowPrivate: readonly string[];
  readonly extraCas: readonly string[];
}

export type StreamCommand =
  | { readonly kind: 'start'; readonly setting: StreamSetting; readonly listeners: readonly OwnListener[] }
  | { readonly kind: 'stop'; readonly stream: StreamId }
  | { readonly kind: 'close' };

export type StreamReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: StreamAnswer }
  | { readonly kind: 'event'; readonly event: StreamEvent };
