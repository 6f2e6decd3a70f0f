import { randomFillSync } from 'node:crypto';
import type { RandomBytes } from '#shared/id.ts';

const POOL_BYTES = 16_384;

/**
 * Random bytes for ids, tags and nonces from a pool: a system call for each of the dozen ids of an alarm would be the
 * largest single cost on its way. Every byte is handed out once; what is asked for is a copy.
 */
export function randomPool(): RandomBytes {
  const pool = new Uint8Array(POOL_BYTES);
  let used = POOL_BYTES;
  return (length) => {
    if (length > POOL_BYTES) return randomFillSync(Buffer.alloc(length));
    if (used + length > POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    const bytes = new Uint8Array(length);
    // A dozen bytes as a rule: a loop costs less than the calls that copy and clear.
    for (let i = 0; i < length; i++) {
      bytes[i] = pool[used] ?? 0;
      pool[used++] = 0;
    }
    return bytes;
  };
}
