import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir, uptime } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openVip } from '#appliance/compose/vip.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vip-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('writes who it is and when, for everybody to read, whatever the umask', async () => {
  const before = process.umask(0o077);
  await openVip(folder)
    .look(true)
    .finally(() => process.umask(before));
  const [pid, at] = readFileSync(join(folder, 'serving'), 'utf8').trim().split(' ').map(Number);
  expect(pid).toBe(process.pid);
  expect(uptime() - (at ?? 0)).toBeLessThan(5);
  expect(statSync(join(folder, 'serving')).mode & 0o777).toBe(0o644);
});

it('says nothing any more when it may not have the address', async () => {
  const vip = openVip(folder);
  await vip.look(true);
  await vip.look(false);
  expect(() => statSync(join(folder, 'serving'))).toThrow('ENOENT');
});

it('knows whose the address is from the word of keepalived', async () => {
  const vip = openVip(folder);
  await vip.look(true);
  expect(vip.mine).toBeUndefined();
  for (const [word, mine] of [
    ['MASTER', true],
    ['BACKUP', false],
    ['FAULT', false],
  ] as const) {
    writeFileSync(join(folder, 'vip-state'), `${word}\n`);
    await vip.look(true);
    expect(vip.mine).toBe(mine);
  }
});
