import { describe, expect, it } from 'vitest';
import { clockOffsetMs, followClock, offsetOf, serverNow } from '#cloud/console/client/clock.ts';

const DATE = 'Thu, 26 Nov 2026 12:00:00 GMT';
const SAID_MS = Date.parse(DATE);

describe('the clock of the control plane', () => {
  it('is followed where that of the browser is wrong, and not for the time of an answer', () => {
    expect(offsetOf(DATE, SAID_MS - 200, SAID_MS + 900)).toBe(0);
    expect(offsetOf(DATE, SAID_MS - 86_400_000, SAID_MS - 86_400_000 + 1_000)).toBe(86_400_000);
    expect(offsetOf(DATE, SAID_MS + 600_000, SAID_MS + 601_000)).toBe(-600_000);
    expect(offsetOf(null, 0, 0)).toBeUndefined();
    expect(offsetOf('nonsense', 0, 0)).toBeUndefined();
  });
  it('gives now by the control plane, and does not tremble', () => {
    const now = Date.now();
    followClock(new Date(now + 3_600_000).toUTCString(), now, now);
    const first = clockOffsetMs.value;
    expect(Math.abs(serverNow() - Date.now() - 3_600_000)).toBeLessThan(2_000);
    followClock(new Date(now + 3_602_000).toUTCString(), now, now);
    expect(clockOffsetMs.value).toBe(first);
    followClock(new Date(now).toUTCString(), now, now);
    expect(clockOffsetMs.value).toBe(0);
  });
});
