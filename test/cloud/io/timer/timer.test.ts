import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { earliest, oneAtATime } from '#cloud/io/timer/index.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('rounds one at a time', () => {
  const opened = (meanwhile: 'left out' | 'one more') => {
    const ends: (() => void)[] = [];
    const round = () => new Promise<void>((resolve) => ends.push(resolve));
    return { ends, look: oneAtATime(round, () => undefined, meanwhile) };
  };

  test('leave out what is asked for meanwhile', async () => {
    const { ends, look } = opened('left out');
    look();
    look();
    ends[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(ends).toHaveLength(1);
    look();
    expect(ends).toHaveLength(2);
  });

  test('or do it behind, once', async () => {
    const { ends, look } = opened('one more');
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

  test.each(['left out', 'one more'] as const)('go on after one that failed (%s)', async (meanwhile) => {
    const faults: unknown[] = [];
    const fails = () => Promise.reject(new Error('no'));
    const look = oneAtATime(fails, (cause) => faults.push(cause), meanwhile);
    look();
    await vi.advanceTimersByTimeAsync(0);
    look();
    await vi.advanceTimersByTimeAsync(0);
    expect(faults).toHaveLength(2);
  });
});

describe('the earliest of many requests', () => {
  test('is the one that counts, and the next one comes after it', async () => {
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
