/** The two ends of one exchange, as the socket sees them; addresses without brackets. */
export interface CapturedFlow {
  readonly transport: Transport;
  /** `0.0.0.0` or `::` where the listener takes every address of the machine. */
  readonly localAddress: string;
  readonly localPort: number;
  /** An address; the name of a host where HTTP goes to one. */
  readonly remoteAddress: string;
  readonly remotePort: number;
}

/** In the order of their numbers in a stored record: new ones are added at the end. */
export const TRANSPORTS = ['UDP', 'TCP', 'TLS', 'WS', 'WSS', 'HTTPS'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** The language of the bytes; in the order of their numbers in a stored record. */
export const PROTOCOLS = ['sip', 'dc09', 'http'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

export type Direction = 'in' | 'out';

/** One message as it stood on the wire; after `redact` without its secrets. */
export interface CapturedMessage {
  /** Epoch ms with fraction, by the monotonic clock, as in a trace. */
  readonly atMs: number;
  readonly direction: Direction;
  readonly protocol: Protocol;
  readonly flow: CapturedFlow;
  /** By which a message is found: Call-ID (SIP), trace id (HTTP), `address:port` of the panel (DC-09). */
  readonly key: string;
  readonly bytes: Uint8Array;
}

/** The ring of known peers, and the tenth of the space that all others share. */
export type Share = 'known' | 'stranger';

/** Chosen: more than any message of SIP (320 kB with its body) that the transport lets in. */
export const LONGEST_MESSAGE = 512 * 1024;

/** FNV-1a, 32 bits: finds the records of a key without decoding them. */
export function keyHash(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
