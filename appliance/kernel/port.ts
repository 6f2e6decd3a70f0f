import type { Clock } from '#shared/clock.ts';
import type { RandomBytes } from '#shared/id.ts';
import type { Log } from '#shared/log.ts';
import type { TraceObserver } from './session-trace.ts';

/** The ports that every engine may use: time, chance, the log and the background. */
export interface KernelPorts {
  readonly clock: Clock;
  /** Epoch ms with fraction from the monotonic clock, for traces. */
  readonly traceMs: () => number;
  /** Makes the records of sessions; absent: there are none. */
  readonly sessions?: TraceObserver;
  readonly random: RandomBytes;
  readonly log: Log;
  /** Takes a promise over: a rejection is a defect; it is logged and never ends the process. */
  readonly run: (work: Promise<unknown>) => void;
  /**
   * Names a deadline, in monotonic ms, that may lie before all others of its engine. Without it the loop looks by itself, often
   * enough.
   */
  readonly wakeBy?: (dueMs: number) => void;
}

/** Pure functions over bytes that need a library of the host. */
export interface BytePorts {
  readonly sha256Hex: (bytes: Uint8Array | string) => string;
  /** Inflates a deflated body to at most `limit` bytes; undefined when it is damaged or larger. */
  readonly inflate: (bytes: Uint8Array, limit: number) => Uint8Array | undefined;
  /** A body for `Content-Encoding: deflate` (zlib, RFC 1950). */
  readonly deflate: (bytes: Uint8Array) => Uint8Array;
}

export interface RefusalPorts {
  /** Counts a request that was refused, by the reason and the address that it came from. */
  readonly notLetIn?: (reason: string, source: string) => void;
}
