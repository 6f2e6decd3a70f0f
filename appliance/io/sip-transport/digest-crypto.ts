import { createHmac, hash as digest, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AuthCrypto } from '../../sip/auth/index.ts';

/** What authentication needs of a cryptographic library; the key of its nonces lives as long as the process. */
export function digestCrypto(): AuthCrypto {
  const key = randomBytes(32);
  return {
    hash: (algorithm, text) => digest(algorithm === 'MD5' ? 'md5' : 'sha256', text),
    hmac: (text) => createHmac('sha256', key).update(text).digest(),
    equal(a, b) {
      const [left, right] = [Buffer.from(a), Buffer.from(b)];
      return left.length === right.length && timingSafeEqual(left, right);
    },
  };
}
