import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { atOnceThenBursts } from '#cloud/console/client/burst.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('events of the stream', () => {
  it('are asked about at once, and a burst of them by one question more', () => {
    const asked = vi.fn();
    const { hear } = atOnceThenBursts(asked);
    hear();
    expect(asked).toHaveBeenCalledTimes(1);
    for (let n = 0; n < 10; n++) hear();
    expect(asked).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(500);
    expect(asked).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(5_000);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it('that never end are two questions a second', () => {
    const asked = vi.fn();
    const { hear } = atOnceThenBursts(asked);
    for (let ms = 0; ms < 10_000; ms += 10) {
      hear();
      vi.advanceTimersByTime(10);
    }
    expect(asked.mock.calls.length).toBeLessThanOrEqual(21);
    expect(asked.mock.calls.length).toBeGreaterThan(15);
  });

  it('are asked about no more by a page that was left', () => {
    const asked = vi.fn();
    const { hear, stop } = atOnceThenBursts(asked);
    hear();
    hear();
    stop();
    vi.advanceTimersByTime(5_000);
    expect(asked).toHaveBeenCalledTimes(1);
  });
});
