import { fail, ok, type Result } from '#shared/result.ts';

const MEGABYTE = 1_000_000;
const LEAST = 8;
const MOST = 65_536;

/** Bytes that captured messages may take on the disk: `64`, in MB; `off`: 0. */
export function captureSize(written: string): Result<number> {
  if (written === 'off') return ok(0);
  const size = /^\d{1,6}$/.test(written) ? Number(written) : 0;
  return size >= LEAST && size <= MOST
    ? ok(size * MEGABYTE)
    : fail(
        'configurationWrong',
        `"${written}" is not off, and not a number of MB from ${LEAST} to ${MOST}; write for example 64`,
      );
}
