import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { earliest, oneAtATime, repeat } from '#cloud/io/timer/index.ts';

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

describe('rounds that are repeated, at the end of the program', () => {
  const opened = () => {
    const ends: { readonly done: () => void; readonly fail: () => void }[] = [];
    const faults: unknown[] = [];
    const round = () =>
      new Promise<void>((resolve, reject) =>
        ends.push({ done: resolve, fail: () => reject(new Error('no')) }),
      );
    const end = repeat(
      100,
      oneAtATime(round, (cause) => faults.push(cause), 'one more'),
    );
    return { ends, faults, end };
  };

  test('end when the one that runs is over, and none begins behind it', async () => {
    const { ends, end } = opened();
    await vi.advanceTimersByTimeAsync(250);
    expect(ends).toHaveLength(1);
    let isOver = false;
    const over = end().then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(290);
    expect(isOver).toBe(false);
    ends[0]?.done();
    await over;
    await vi.advanceTimersByTimeAsync(1_000);
    expect([ends.length, vi.getTimerCount()]).toEqual([1, 0]);
  });

  test('end at once when none runs', async () => {
    const { ends, end } = opened();
    await end();
    await vi.advanceTimersByTimeAsync(1_000);
    expect([ends.length, vi.getTimerCount()]).toEqual([0, 0]);
  });

  test('report a failure while the end waits, and none of a round that was left after 300 ms', async () => {
    const first = opened();
    await vi.advanceTimersByTimeAsync(200);
    const over = first.end();
    first.ends[0]?.fail();
    await over;
    expect(first.faults).toHaveLength(1);
    const second = opened();
    await vi.advanceTimersByTimeAsync(200);
    const left = second.end();
    await vi.advanceTimersByTimeAsync(1_000);
    await left;
    second.ends[0]?.fail();
    await vi.advanceTimersByTimeAsync(0);
    expect(second.faults).toEqual([]);
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
