import { fail, ok, type Result } from '#shared/result.ts';

const MIB = 1024 * 1024;
/** MB for records of sessions: about 200,000 of them. */
export const DEFAULT_RECORD_MB = 256;
export const DEFAULT_RECORD_BYTES = DEFAULT_RECORD_MB * MIB;
const LEAST_MB = 8;
const MOST_MB = 16_384;

/** Bytes of `256`, a number of MB. */
export function recordSize(written: string): Result<number> {
  const count = /^\d{1,5}$/.test(written) ? Number(written) : Number.NaN;
  return count >= LEAST_MB && count <= MOST_MB
    ? ok(count * MIB)
    : fail('configurationWrong', `"${written}" must be ${LEAST_MB} to ${MOST_MB} MB; write for example 256`);
}
