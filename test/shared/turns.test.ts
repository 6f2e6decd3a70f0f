import { expect, it } from 'vitest';
import { Turns } from '#shared/turns.ts';

/** Work that notes its begin and its end, and ends when it is let go. */
function stage() {
  const turns = new Turns();
  const log: string[] = [];
  const run = (name: string, what: string, ends = Promise.withResolvers<string>()) => {
    const answer = turns.run(name, async () => {
      log.push(`begins ${what}`);
      return await ends.promise.finally(() => log.push(`ends ${what}`));
    });
    return { answer, ends };
  };
  return { turns, log, run };
}

it('runs one thing after the other for a name, and another name beside it', async () => {
  const { turns, log, run } = stage();
  const [first, second, other] = [run('a', 'first'), run('a', 'second'), run('b', 'other')];
  other.ends.resolve('other');
  expect(await other.answer).toBe('other');
  expect(log).toEqual(['begins first', 'begins other', 'ends other']);
  await expect.poll(() => turns.isBusy('b')).toBe(false);
  expect(turns.isBusy('a')).toBe(true);
  second.ends.resolve('second');
  first.ends.resolve('first');
  expect(await Promise.all([first.answer, second.answer])).toEqual(['first', 'second']);
  expect(log.slice(3)).toEqual(['ends first', 'begins second', 'ends second']);
  await turns.idle();
  expect(turns.isBusy('a')).toBe(false);
});

it('fails for the one whose work failed, and runs the next', async () => {
  const { turns, run } = stage();
  const [first, second] = [run('a', 'first'), run('a', 'second')];
  first.ends.reject(new Error('the connection was lost'));
  second.ends.resolve('done');
  await expect(first.answer).rejects.toThrow('the connection was lost');
  expect(await second.answer).toBe('done');
  await turns.idle();
});
