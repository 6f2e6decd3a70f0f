import { describe, expect, it } from 'vitest';
import { ConcurrencyLimit } from '#shared/concurrency-limit.ts';

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
    await Promise.resolve();
    expect(begun).toEqual(['a', 'b']);
    ends.get('b')?.();
    expect(await all[1]).toBe('b');
    expect(begun).toEqual(['a', 'b', 'c']);
    ends.get('a')?.();
    await all[0];
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
});
