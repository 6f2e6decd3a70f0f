import { readFileSync } from 'node:fs';

/** Seconds since the kernel began, time asleep included (CLOCK_BOOTTIME, proc_uptime(5)), in steps of 10 ms. */
const FILE = '/proc/uptime';
/** A machine that slept is noticed within this time. */
const READ_EVERY_MS = 1_000;

/**
 * Milliseconds since the kernel began. Unlike `monoMs`, which every process counts from its own start, it goes on over a
 * restart of the program; within one life it never goes back. Undefined where the kernel does not tell.
 */
export function openBootClock(
  monoMs: () => number,
  read: () => string = () => readFileSync(FILE, 'utf8'),
): (() => number) | undefined {
  const behindMs = (): number | undefined => {
    try {
      const ms = Number(read().split(' ')[0]) * 1_000;
      return Number.isFinite(ms) && ms > 0 ? ms - monoMs() : undefined;
    } catch {
      return undefined;
    }
  };
  let offsetMs = behindMs();
  if (offsetMs === undefined) return undefined;
  let readAtMs = monoMs();
  return () => {
    const nowMs = monoMs();
    if (nowMs - readAtMs >= READ_EVERY_MS) {
      readAtMs = nowMs;
      // The reading was rounded down: the largest difference seen is the nearest to the truth.
      offsetMs = Math.max(offsetMs ?? 0, behindMs() ?? Number.NEGATIVE_INFINITY);
    }
    return nowMs + (offsetMs ?? 0);
  };
}
