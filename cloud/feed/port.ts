import type { ConfigKey } from '#shared/contract/feed/index.ts';
import type { Log } from '#shared/log.ts';
import type { SharedPages, Store, Vault } from '../store/index.ts';

/** The operations with the keys by which sites open secrets (`cloud/io/key`). */
export interface ConfigKeyPort {
  /** A new key: 32 bytes, base64url. */
  readonly make: () => string;
  /** The secret encrypted by the key, the same each time; bound to the place. */
  readonly seal: (k: string, place: string, secret: string) => { readonly iv: string; readonly text: string };
  /** Compact JWE for the seal key of a host; undefined = one cannot seal for it. */
  readonly wrap: (key: ConfigKey, sealKey: Readonly<Record<string, string>>) => Promise<string | undefined>;
}

export interface FeedPort {
  readonly store: Store;
  readonly nowMs: () => number;
  /** SHA-256 of the UTF-8 text, lower-case hex. */
  readonly sha256: (text: string) => string;
  /** The same over texts that come one after the other. */
  readonly hasher: () => { readonly update: (text: string) => void; readonly hex: () => string };
  /** Lets waiting requests be served before much work goes on. */
  readonly breathe: () => Promise<void>;
  readonly sha256Bytes: (bytes: Uint8Array) => string;
  readonly gzip: (text: string) => Promise<Uint8Array>;
  /** Compact JWS (EdDSA) with this `typ`. */
  readonly sign: (typ: string, payload: unknown) => Promise<string>;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly configKeys: ConfigKeyPort;
  /** Leaves the message with the broker, retained; rejects without connection. */
  readonly publish: (topic: string, payload: string) => Promise<void>;
  /** Whether this replica publishes for the hosts of a shard. */
  readonly owns: (sh: string) => boolean;
  /** Brokers that twins name; absent = hosts know them from their enrolment. */
  readonly brokers?: readonly string[] | undefined;
  /** Pages for hosts that ask another replica for them; absent: there is one replica. */
  readonly pages?: SharedPages;
  /** Calls once after `ms`. */
  readonly after: (ms: number, run: () => void) => void;
  readonly log: Log;
}
