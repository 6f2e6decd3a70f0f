import type { Result } from '#shared/result.ts';
import type { RingMemory } from '../audio/index.ts';

/** The side of a channel of a stream: `inbound` is the first side, or all; `outbound` the second one. */
export type StreamTrack = 'inbound' | 'outbound';

/** How a stream is spoken: the binary frames of media document 6, or the messages of `media/stream`. */
export interface StreamFormat {
  readonly framing: 'pcm' | 'mediaStream';
  readonly encoding: 'audio/x-mulaw' | 'audio/x-alaw' | 'audio/x-l16';
  /** Hz. */
  readonly sampleRate: 8_000 | 16_000;
  /** Tenant and session, in the words of the messages. */
  readonly names: { readonly accountSid: string; readonly callSid: string };
  readonly customParameters: Readonly<Record<string, string>>;
}

/** The way of a program into the call. */
export interface StreamSpeech {
  /** dB, negative is softer. */
  readonly volumeDb: number;
  /** A ring of each leg that hears it; the first one sets the pace. */
  readonly outputs: readonly RingMemory[];
}

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
  /** Absent: the frames of media document 6, opened again when it breaks. */
  readonly format?: StreamFormat;
  /** The side of each channel; only with `format`. */
  readonly tracks?: readonly StreamTrack[];
  /** The program may speak; only with `format`. */
  readonly speech?: StreamSpeech;
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
  /** After `stop`, or since the program has closed. `reason`: only with `format`. */
  | ({
      readonly kind: 'stopped';
      readonly stream: StreamId;
      readonly stopTime: number;
      readonly reason?: StreamEnd;
    } & StreamFigures)
  /** No connection, and none to be had any more; the stream is over. */
  | ({ readonly kind: 'failed'; readonly stream: StreamId; readonly reason: string } & StreamFigures);

export type StreamEnd = 'stopped' | 'callEnded' | 'closedByProgram';

export interface StreamFigures {
  /** Audio of each channel that the target was too slow for, or that passed while there was no connection, ms. */
  readonly droppedMs: number;
  readonly reconnects: number;
  /** Audio of the program that found no room in its queue, ms. */
  readonly refusedMs?: number;
  /** Messages of the program that nothing could be read from. */
  readonly ignored?: number;
}

export type StreamAnswer = Result<undefined, StreamFault>;

/** Live audio to WebSocket servers, by a thread of its own. */
export interface Streamer {
  /** Answered as soon as the target is known to be allowed; `started` or `failed` follows. */
  start(setting: StreamSetting): Promise<StreamAnswer>;
  /** `stopped` was reported before this is answered. */
  stop(stream: StreamId, why?: 'stopped' | 'callEnded'): Promise<StreamAnswer>;
  /** Other legs hear the program from now on. */
  speakTo(stream: StreamId, outputs: readonly RingMemory[]): Promise<StreamAnswer>;
  /** A key was pressed on a channel. */
  digit(stream: StreamId, digit: string, track: StreamTrack): Promise<StreamAnswer>;
  /** Stops all streams and ends the thread. */
  close(): Promise<void>;
}
