import { inflateSync } from 'node:zlib';

/** Inflates a deflated body to at most `limit` bytes; undefined when it is damaged or larger. */
export function inflate(bytes: Uint8Array, limit: number): Uint8Array | undefined {
  try {
    return inflateSync(bytes, { maxOutputLength: limit });
  } catch {
    return undefined;
  }
}
