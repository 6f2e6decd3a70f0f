import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type DamagedFile, openReplica } from '#appliance/io/config/index.ts';
import { damagePages } from '#test/support/damaged-page.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'replica-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Revision 1 has passed its gate, revision 2 has not yet. */
async function standing(): Promise<void> {
  const replica = openReplica(folder);
  for (const rev of [1, 2]) {
    replica.beginStage('tenant', false);
    replica.stage([{ op: 'put', entity: 'device', id: `d${rev}`, body: {}, rowHash: '0'.repeat(64) }]);
    replica.commit({ rev, h: `h${rev}` });
    if (rev === 1) await replica.keepGood();
  }
  replica.close();
}

function opened() {
  const reported: DamagedFile[] = [];
  const replica = openReplica(folder, (damaged) => reported.push(damaged));
  const rev = replica.standings().tenant.rev;
  const ids = replica.rows('tenant', undefined, 10).map(({ id }) => id);
  const good = replica.goodStandings()?.tenant.rev;
  replica.close();
  return { told: reported, rev, ids, good };
}

it.each([
  ['is whole', [], [], { rev: 2, ids: ['d1', 'd2'], good: 1 }],
  ['is damaged: the good copy stands in', ['config.db'], [2, 3, 4], { rev: 1, ids: ['d1'], good: 1 }],
  ['is damaged at its head', ['config.db'], [1], { rev: 1, ids: ['d1'], good: 1 }],
  [
    'is whole and the good copy is damaged',
    ['config-lkg.db'],
    [1],
    { rev: 2, ids: ['d1', 'd2'], good: undefined },
  ],
  [
    'is damaged like its good copy',
    ['config.db', 'config-lkg.db'],
    [1],
    { rev: 0, ids: [], good: undefined },
  ],
])('a replica that %s', async (_, files, pages, expected) => {
  await standing();
  for (const file of files) damagePages(join(folder, file), pages);
  const { told: reported, ...found } = opened();
  expect(found).toEqual(expected);
  expect(reported).toHaveLength(files.length);
  for (const { file } of reported) expect(existsSync(file)).toBe(true);
  expect(opened()).toEqual({ ...expected, told: [] });
});

it('is left alone by a program that does not own it', async () => {
  await standing();
  damagePages(join(folder, 'config.db'), [1]);
  expect(() => openReplica(folder)).toThrow(/not a database/);
  expect(readdirSync(folder).filter((name) => name.includes('damaged'))).toEqual([]);
});
