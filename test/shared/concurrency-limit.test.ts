import { describe, expect, it } from 'vitest';
import { ConcurrencyLimit } from '#shared/concurrency-limit.ts';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('a limit of concurrent work', () => {
  it('lets so much work run at once, and the rest in its order', async () => {
    const limit = new ConcurrencyLimit(2);
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const all = ['a', 'b', 'c', 'd'].map((name) =>
      limit.run(
        () =>
          new Promise<string>((resolve) => {
            begun.push(name);
            ends.set(name, () => resolve(name));
          }),
      ),
    );
    await nextTurn();
    expect(begun).toEqual(['a', 'b']);
    ends.get('b')?.();
    expect(await all[1]).toBe('b');
    await nextTurn();
    expect(begun).toEqual(['a', 'b', 'c']);
    ends.get('a')?.();
    await all[0];
    await nextTurn();
    for (const name of ['c', 'd']) ends.get(name)?.();
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('goes on behind work that fails', async () => {
    const limit = new ConcurrencyLimit(1);
    const failed = limit.run(() => Promise.reject(new Error('full')));
    const next = limit.run(async () => 'done');
    await expect(failed).rejects.toThrow('full');
    expect(await next).toBe('done');
    expect(await limit.run(async () => 'again')).toBe('again');
  });

  it('sends away what comes when enough waits, and passes over what nothing needs any more', async () => {
    const limit = new ConcurrencyLimit(1, 2);
    const first = await limit.enter();
    let isWanted = true;
    const second = limit.enter(() => isWanted);
    const third = limit.enter();
    expect(await limit.enter()).toBeUndefined();
    await expect(limit.run(async () => 'done')).rejects.toThrow('more than 2 pieces of work wait');
    // The place among those that wait is free as soon as nothing needs the work of the second.
    isWanted = false;
    const fourth = limit.enter();
    expect(await second).toBeUndefined();
    first?.();
    // Once more does nothing: the place is that of the third.
    first?.();
    const leave = await third;
    expect(leave).toBeDefined();
    leave?.();
    expect(await fourth).toBeDefined();
    const fifth = limit.enter(() => false);
    (await fourth)?.();
    expect(await fifth).toBeUndefined();
    expect(await limit.run(async () => 'done')).toBe('done');
  });
});
