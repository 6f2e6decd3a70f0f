import { hash as digest, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AuthCrypto } from '../../sip/auth/index.ts';

/** What authentication needs of a cryptographic library; the key of its nonces lives as long as the process. */
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

/**
 * HMAC (RFC 2104) of two one-shot hashes: `createHmac` makes an object per call, which costs some twenty times
 * as much and is most of a challenge. The key is at most one block long.
 */
function hmacSha256(key: Uint8Array): (text: string) => Uint8Array {
  const pad = (byte: number) => Buffer.alloc(BLOCK).map((_, i) => byte ^ (key[i] ?? 0));
  const [inner, outer] = [pad(0x36), pad(0x5c)];
  const sha256 = (...parts: Uint8Array[]) => digest('sha256', Buffer.concat(parts), 'buffer');
  return (text) => sha256(outer, sha256(inner, Buffer.from(text)));
}
