import type { Store } from '../store/index.ts';

export interface FeedPort {
  readonly store: Store;
  readonly nowMs: () => number;
  /** SHA-256 of the UTF-8 text, lower-case hex. */
  readonly sha256: (text: string) => string;
  readonly sha256Bytes: (bytes: Uint8Array) => string;
  readonly gzip: (text: string) => Promise<Uint8Array>;
  /** Compact JWS (EdDSA) with this `typ`. */
  readonly sign: (typ: string, payload: unknown) => Promise<string>;
  /** Leaves the message with the broker, retained; rejects without connection. */
  readonly publish: (topic: string, payload: string) => Promise<void>;
  /** Calls once after `ms`. */
  readonly after: (ms: number, run: () => void) => void;
  readonly log: (level: 'debug' | 'warn', message: string, facts: Readonly<Record<string, unknown>>) => void;
}
