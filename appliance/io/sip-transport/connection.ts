import type { Result } from '#shared/result.ts';
import type { Flow } from '../../sip/endpoint/index.ts';
import type { CloseReason, SendFailure } from './sip-transport.ts';

/** One connection that is ready to carry messages: a stream, or a WebSocket. */
export interface Connection {
  readonly flow: Flow;
  /** Begins to read. `onEnd` is called once, after the last byte. */
  start(onEnd: (reason: CloseReason) => void): void;
  write(bytes: Uint8Array): Result<void, SendFailure>;
  /** The time limits; called every `sweepMs`. */
  sweep(nowMs: number): void;
  /** Ends politely: what is queued still goes out, for at most `closeMs`. */
  end(reason: CloseReason): void;
  /** Ends at once. */
  cut(reason: CloseReason): void;
}
