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

  it('sends away what has waited longest when too much waits, and what nothing needs any more before it', async () => {
    const limit = new ConcurrencyLimit(1, { most: 2, first: 'oldest' });
    const first = await limit.enter();
    const second = limit.run(async () => 'second');
    let isWanted = true;
    const third = limit.enter(() => isWanted);
    const fourth = limit.enter();
    await expect(second).rejects.toThrow('more than 2 pieces of work wait');
    isWanted = false;
    const fifth = limit.enter();
    expect(await third).toBeUndefined();
    first?.();
    // Once more does nothing: the place is that of the fourth.
    first?.();
    const leave = await fourth;
    expect(leave).toBeDefined();
    const sixth = limit.enter(() => false);
    leave?.();
    const last = await fifth;
    expect(last).toBeDefined();
    last?.();
    expect(await sixth).toBeUndefined();
    expect(await limit.run(async () => 'done')).toBe('done');
  });

  it('takes what is urgent before all else, and sends none of it away', async () => {
    const limit = new ConcurrencyLimit(1, { most: 1, first: 'newest' });
    const first = await limit.enter();
    const done: string[] = [];
    const work = async (name: string, isUrgent: boolean): Promise<void> => {
      const leave = await limit.enter(undefined, isUrgent);
      done.push(leave === undefined ? `no ${name}` : name);
      leave?.();
    };
    const all = [work('a', false), work('b', true), work('c', true), work('d', false)];
    first?.();
    await Promise.all(all);
    expect(done).toEqual(['no a', 'b', 'c', 'd']);
  });

  it('takes the newest first where that is wanted', async () => {
    const limit = new ConcurrencyLimit(1, { most: 9, first: 'newest' });
    const done: string[] = [];
    await Promise.all(['a', 'b', 'c'].map((name) => limit.run(async () => done.push(name))));
    expect(done).toEqual(['a', 'c', 'b']);
  });
});
