import { createHash, createHmac, hash, randomBytes, randomFillSync } from 'node:crypto';
import { hashPassword, verifyPassword } from '../password/index.ts';

/** Hashes and random bytes for the cores, as functions. Texts are UTF-8, digests lower-case hex. */
export const digest = {
  sha256: (text: string): string => hash('sha256', text, 'hex'),
  /** SHA-256 over texts that come one after the other. */
  hasher: () => {
    const made = createHash('sha256');
    return { update: (text: string): void => void made.update(text), hex: (): string => made.digest('hex') };
  },
  hmacSha1: (key: Uint8Array, data: Uint8Array): Uint8Array => createHmac('sha1', key).update(data).digest(),
  md5: (text: string): string => hash('md5', text, 'hex'),
  random,
  hashPassword,
  verifyPassword,
} as const;

const POOL_BYTES = 4096;
const pool = new Uint8Array(POOL_BYTES);
let taken = POOL_BYTES;

/** Asking the system for 16 bytes costs as much as for 4096: small amounts are cut from a pool, each byte given once. */
function random(length: number): Uint8Array {
  if (length > POOL_BYTES / 8) return randomBytes(length);
  if (taken + length > POOL_BYTES) {
    randomFillSync(pool);
    taken = 0;
  }
  const bytes = pool.slice(taken, taken + length);
  pool.fill(0, taken, taken + length);
  taken += length;
  return bytes;
}
