import { expect, it } from 'vitest';
import { VipLook } from '#appliance/site/peer/index.ts';

function vip(word: () => Promise<string | undefined>) {
  const done: string[] = [];
  const look = new VipLook({
    word,
    say: async () => void done.push('say'),
    withdraw: async () => void done.push('withdraw'),
  });
  return { look, done };
}

it.each([
  [undefined, undefined],
  ['MASTER\n', true],
  ['BACKUP\n', false],
  ['FAULT\n', false],
  ['', false],
])('after the word %o of keepalived the address is ours: %o', async (word, mine) => {
  const { look } = vip(async () => word);
  expect(look.mine).toBeUndefined();
  await look.look(true);
  expect(look.mine).toBe(mine);
});

it('says that it may have the address, and no more once it may not', async () => {
  const { look, done } = vip(async () => 'BACKUP');
  await look.look(true);
  await look.look(false);
  await look.leave();
  expect(done).toEqual(['say', 'withdraw', 'withdraw']);
});

it('begins no look while the disk stalls, and looks again once it goes on', async () => {
  const stalled = Promise.withResolvers<string>();
  let asked = 0;
  const { look, done } = vip(() => (asked++ === 0 ? stalled.promise : Promise.resolve('MASTER')));
  const first = look.look(true);
  await look.look(true);
  expect([asked, done]).toEqual([1, []]);
  stalled.resolve('BACKUP');
  await first;
  await look.look(true);
  expect([asked, look.mine]).toEqual([2, true]);
});

it('looks again after a disk that refused', async () => {
  let asked = 0;
  const { look } = vip(() => (asked++ === 0 ? Promise.reject(new Error('EIO')) : Promise.resolve('MASTER')));
  await expect(look.look(true)).rejects.toThrow('EIO');
  await look.look(true);
  expect(look.mine).toBe(true);
});
