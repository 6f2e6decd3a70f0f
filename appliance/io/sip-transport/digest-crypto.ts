import { hash as digest, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AuthCrypto } from '../../sip/auth/index.ts';

/** The functions of a cryptographic library that authentication needs; the key of its nonces lives as long as the process. */
export function digestCrypto(key: Uint8Array = randomBytes(32)): AuthCrypto {
  return {
    hash: (algorithm, text) => digest(algorithm === 'MD5' ? 'md5' : 'sha256', text),
    hmac: hmacSha256(key),
    equal(a, b) {
      const [left, right] = [Buffer.from(a), Buffer.from(b)];
      return left.length === right.length && timingSafeEqual(left, right);
    },
  };
}

const BLOCK = 64;
/** Longest text that is written behind the inner key; a nonce with its source has under 100 signs. */
const ROOM = 256;

/**
 * HMAC (RFC 2104) of two one-shot hashes over buffers that are made once: `createHmac` makes an object per call, which
 * costs some fifty times as much and is most of a challenge. The key is at most one block long.
 */
function hmacSha256(key: Uint8Array): (text: string) => string {
  const padded = (byte: number, room: number) =>
    Buffer.from(Array.from({ length: BLOCK + room }, (_, i) => (i < BLOCK ? byte ^ (key[i] ?? 0) : 0)));
  const inner = padded(0x36, ROOM);
  const outer = padded(0x5c, 32);
  return (text) => {
    const fits = Buffer.byteLength(text) <= ROOM;
    const first = fits
      ? inner.subarray(0, BLOCK + inner.write(text, BLOCK))
      : Buffer.concat([inner.subarray(0, BLOCK), Buffer.from(text)]);
    outer.write(digest('sha256', first), BLOCK, 'hex');
    return digest('sha256', outer);
  };
}
