import { deflateSync, inflateRawSync, unzipSync } from 'node:zlib';

/** Inflates a deflated body, zlib, gzip or raw, to at most `limit` bytes; undefined when it is damaged or larger. */
export function inflate(bytes: Uint8Array, limit: number): Uint8Array | undefined {
  // Interop: some devices leave the two bytes of zlib away.
  for (const unpack of [unzipSync, inflateRawSync])
    try {
      return unpack(bytes, { maxOutputLength: limit });
    } catch {
      // The other form, or none.
    }
  return undefined;
}

/** A body for `Content-Encoding: deflate` (zlib, RFC 1950). */
export const deflate = (bytes: Uint8Array): Uint8Array => deflateSync(bytes);
