import type { Result } from '#shared/result.ts';
import type { RingMemory } from '../audio/index.ts';

/** Names one stream; given by whoever starts it, unique while it runs. */
export type StreamId = string;

export interface StreamSetting {
  readonly stream: StreamId;
  /** `wss:`, or `ws:` into a network of `CARILLON_ALLOW_PRIVATE`. */
  readonly url: string;
  /** Sent as given, but for those that belong to the connection. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Takes whatever certificate this target shows. */
  readonly trustSelfSigned?: boolean;
  /** A ring of each channel, in the order of `channels`, filled by taps that began together. */
  readonly inputs: readonly RingMemory[];
  /** The length of each channel in one frame, ms: a multiple of 20, 20 to 1,000; 20 without it. */
  readonly chunkDuration?: number;
}

/** `Refused`: the setting cannot be; the reason says what to change. `Unknown`: no such stream runs. `Lost`: the thread died. */
export interface StreamFault {
  readonly code: 'Refused' | 'Unknown' | 'Lost';
  readonly reason: string;
}

/** Times in ms since 1970. */
export type StreamEvent =
  /** The target took the first connection. */
  | {
      readonly kind: 'started';
      readonly stream: StreamId;
      readonly startTime: number;
      readonly channels: number;
    }
  /** After `stop`. */
  | ({ readonly kind: 'stopped'; readonly stream: StreamId; readonly stopTime: number } & StreamFigures)
  /** No connection, and none to be had any more; the stream is over. */
  | ({ readonly kind: 'failed'; readonly stream: StreamId; readonly reason: string } & StreamFigures);

export interface StreamFigures {
  /** Audio of each channel that the target was too slow for, or that passed while there was no connection, ms. */
  readonly droppedMs: number;
  readonly reconnects: number;
}

export type StreamAnswer = Result<undefined, StreamFault>;

/** Live audio to WebSocket servers, by a thread of its own. */
export interface Streamer {
  /** Answered as soon as the target is known to be allowed; `started` or `failed` follows. */
  start(setting: StreamSetting): Promise<StreamAnswer>;
  /** `stopped` was reported before this is answered. */
  stop(stream: StreamId): Promise<StreamAnswer>;
  /** Stops all streams and ends the thread. */
  close(): Promise<void>;
}
