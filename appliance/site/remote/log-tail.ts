import { LOG_LEVELS, type LogLevel } from '#shared/log.ts';
import { redactLine } from '#shared/redact/index.ts';

/** An answer must fit into one message of 64 KiB, with its escapes. */
const MOST_BYTES = 48 * 1_024;

export interface LogTailRequest {
  /** Most lines. */
  readonly lines: number;
  /** Lowest level; undefined: every level. */
  readonly level?: LogLevel | undefined;
  /** Only lines that contain this text. */
  readonly match?: string | undefined;
}

/**
 * The last lines of the log (JSON texts, oldest first) that a person asked for. Secrets and numbers stay on the host; the text is
 * searched after that, so that a search cannot find out a number.
 */
export function logTail(
  log: readonly string[],
  { lines: most, level = 'debug', match = '' }: LogTailRequest,
): string[] {
  const marks = LOG_LEVELS.slice(LOG_LEVELS.indexOf(level)).map((each) => `"level":"${each}"`);
  const found = log
    .filter((line) => marks.some((mark) => line.includes(mark)))
    .map((line) => redactLine(line))
    .filter((line) => line.includes(match));
  return newestWithin(found.slice(-most), MOST_BYTES);
}

/** The last lines that are together no longer than this, as JSON. */
function newestWithin(lines: readonly string[], limitBytes: number): string[] {
  let left = limitBytes;
  const from = lines.findLastIndex((line) => {
    left -= Buffer.byteLength(JSON.stringify(line)) + 1;
    return left < 0;
  });
  return lines.slice(from + 1);
}
