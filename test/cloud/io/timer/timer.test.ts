import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { earliest, oneAfterAnother } from '#cloud/io/timer/index.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('rounds one after another', () => {
  test('leave nothing out that is asked for meanwhile, and do it once', async () => {
    const ends: (() => void)[] = [];
    const look = oneAfterAnother(
      () => new Promise<void>((resolve) => ends.push(resolve)),
      () => undefined,
    );
    look();
    look();
    look();
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(ends).toHaveLength(2);
    ends[1]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(ends).toHaveLength(2);
  });

  test('go on after one that failed', async () => {
    const faults: unknown[] = [];
    const look = oneAfterAnother(
      () => Promise.reject(new Error('no')),
      (cause) => faults.push(cause),
    );
    look();
    look();
    await vi.advanceTimersByTimeAsync(0);
    expect(faults).toHaveLength(2);
  });
});

describe('the earliest of many wishes', () => {
  test('is the one that counts, and the next one is heard after it', async () => {
    let ran = 0;
    const soon = earliest(() => {
      ran++;
    });
    soon.within(1_000);
    soon.within(5_000);
    soon.within(200);
    await vi.advanceTimersByTimeAsync(200);
    expect(ran).toBe(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(ran).toBe(1);
    soon.within(100);
    await vi.advanceTimersByTimeAsync(100);
    expect(ran).toBe(2);
    soon.within(100);
    soon.end();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ran).toBe(2);
  });
});
