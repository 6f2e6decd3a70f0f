import { randomFillSync } from 'node:crypto';
import type { RandomBytes } from '#shared/id.ts';

const POOL_BYTES = 16_384;

/**
 * Random bytes for ids, tags and nonces from a pool: a system call for each of the dozen ids of an alarm would be the
 * largest single cost on its way. Every byte is handed out once; what is asked for is a copy.
 */
export function randomPool(): RandomBytes {
  const pool = Buffer.alloc(POOL_BYTES);
  let used = POOL_BYTES;
  return (length) => {
    if (length > POOL_BYTES) return randomFillSync(Buffer.alloc(length));
    if (used + length > POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    const bytes = Uint8Array.prototype.slice.call(pool, used, used + length);
    Uint8Array.prototype.fill.call(pool, 0, used, used + length);
    used += length;
    return bytes;
  };
}
