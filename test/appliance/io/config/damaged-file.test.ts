import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeAgedDamage } from '#appliance/io/config/index.ts';

const DAY_MS = 86_400_000;
const now = 1_764_115_200_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-damaged-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lies = (name: string, bytes = 10) => writeFileSync(join(folder, name), Buffer.alloc(bytes));
const left = () => readdirSync(folder).sort();

it('removes what was set aside a month ago, with all that belongs to it, and nothing else', () => {
  const [old, young] = [now - 31 * DAY_MS, now - 29 * DAY_MS];
  for (const name of ['journal.db', 'journal.db-wal', 'journal.db.damaged-x', 'note.damaged-1.txt'])
    lies(name);
  for (const suffix of ['', '-wal', '-shm']) lies(`journal.db.damaged-${old}${suffix}`);
  lies(`config.db.damaged-${young}`);
  mkdirSync(join(folder, `folder.damaged-${old}`));
  const lost = ['', '-shm', '-wal'].map((suffix) => `journal.db.damaged-${old}${suffix}`);
  expect(removeAgedDamage(folder, now)).toEqual(lost);
  expect(left()).toEqual(
    [
      `config.db.damaged-${young}`,
      `folder.damaged-${old}`,
      'journal.db',
      'journal.db-wal',
      'journal.db.damaged-x',
      'note.damaged-1.txt',
    ].sort(),
  );
});

it('keeps no more than the quota, the newest in any case', () => {
  for (const days of [1, 2, 3]) lies(`journal.db.damaged-${now - days * DAY_MS}`, 100);
  expect(removeAgedDamage(folder, now, 250)).toEqual([`journal.db.damaged-${now - 3 * DAY_MS}`]);
  expect(removeAgedDamage(folder, now, 50)).toEqual([`journal.db.damaged-${now - 2 * DAY_MS}`]);
  expect(left()).toEqual([`journal.db.damaged-${now - DAY_MS}`]);
  expect(removeAgedDamage(folder, now, 50)).toEqual([]);
});
