import { argon2, createHash, randomBytes, randomFillSync } from 'node:crypto';
import { promisify } from 'node:util';

/** Hashes and random bytes for the cores, as functions. Texts are UTF-8, digests lower-case hex. */
export const digest = {
  sha256: (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex'),
  md5: (text: string): string => createHash('md5').update(text, 'utf8').digest('hex'),
  random,
  hashPassword,
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

const derive = promisify(argon2);

/** RFC 9106 4, second recommended option, with memory for a small host: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;

/** argon2id in PHC string form: `$argon2id$v=19$m=…,t=…,p=…$salt$tag`, base64 without padding. */
async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await derive('argon2id', { message: password, nonce, ...COST });
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/=+$/, '');
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`;
}
