import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type DamagedFile, type OpenReplica, openReplica } from '#appliance/io/config/index.ts';
import { replicaDamage } from '#appliance/site/supervision/index.ts';
import { BACKUP, FILE_REMOVALS, foundAfterKill, replace } from '#test/support/storage/file-removal.ts';
import { tempFolders } from '../sqlite/temp-folder.ts';

/* The file of a running replica is removed or replaced: what was confirmed is there at the next start, and a person is notified. */

const folder = tempFolders();
const opened: OpenReplica[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

function running() {
  const data = join(folder(), 'data');
  mkdirSync(data);
  const reported: DamagedFile[] = [];
  let received = (): void => undefined;
  const first = new Promise<void>((resolve) => {
    received = resolve;
  });
  const replica = openReplica(data, (damaged) => {
    reported.push(damaged);
    received();
  });
  opened.push(replica);
  put(replica, 1);
  return { file: join(data, 'config.db'), replica, told: reported, first };
}

function put(replica: OpenReplica, rev: number): void {
  replica.beginStage('tenant', false);
  replica.stage([{ op: 'put', entity: 'device', id: `d${rev}`, body: {}, rowHash: '0'.repeat(64) }]);
  replica.commit({ rev, h: `h${rev}` });
}

const idsIn = (replica: OpenReplica) => replica.rows('tenant', undefined, 10).map(({ id }) => id);

function idsAfterKill(file: string): readonly string[] {
  const replica = openReplica(dirname(foundAfterKill(file, folder())));
  opened.push(replica);
  return idsIn(replica);
}

it.each(FILE_REMOVALS)('a running replica that %s has the next change and all before it', (_, act) => {
  const { file, replica, told: reported } = running();
  act(file);
  put(replica, 2);
  expect(reported).toMatchObject([{ removed: true, fault: expect.stringContaining('removed or replaced') }]);
  expect(idsAfterKill(file)).toEqual(['d1', 'd2']);
  expect(idsIn(replica)).toEqual(['d1', 'd2']);
  put(replica, 3);
  replica.keepTwin('signed');
  expect(reported).toHaveLength(1);
  expect(idsAfterKill(file)).toEqual(['d1', 'd2', 'd3']);
});

it.each<[string, (replica: OpenReplica) => unknown, (replica: OpenReplica) => unknown]>([
  ['twin', (replica) => replica.keepTwin('signed'), (replica) => replica.twin()],
  ['refusal', (replica) => replica.keepRefused({ site: 4 }), (replica) => replica.refused().site],
])('a %s that is confirmed is in the file that the next start reads', (_, write, read) => {
  const { file, replica, told: reported } = running();
  rmSync(file);
  write(replica);
  expect(reported).toHaveLength(1);
  const after = openReplica(dirname(foundAfterKill(file, folder())));
  opened.push(after);
  expect(read(after)).toEqual(read(replica));
  expect(read(after)).toBeTruthy();
});

it('a running replica that is removed while nothing is written notices by itself', async () => {
  const { file, told: reported, first } = running();
  rmSync(file);
  await first;
  expect(reported).toMatchObject([{ removed: true }]);
  expect(idsAfterKill(file)).toEqual(['d1']);
});

it('a replica that is removed just before the end is there at the next start', () => {
  const { file, replica, told: reported } = running();
  rmSync(file);
  replica.close();
  opened.splice(opened.indexOf(replica), 1);
  expect(reported).toHaveLength(1);
  expect(idsAfterKill(file)).toEqual(['d1']);
});

it('keeps what stood in its place beside it', () => {
  const { file, replica, told: reported } = running();
  replace(file);
  put(replica, 2);
  expect(readFileSync(reported[0]?.file ?? '', 'utf8')).toBe(BACKUP);
});

it('a replica that cannot be restored refuses writes with the reason until it can', () => {
  const { file, replica, told: reported } = running();
  rmSync(dirname(file), { recursive: true });
  expect(() => put(replica, 2)).toThrow(
    /was removed or replaced under the running program and cannot be restored/,
  );
  mkdirSync(dirname(file));
  put(replica, 3);
  expect(reported).toMatchObject([{ removed: true }]);
  expect(idsAfterKill(file)).toContain('d3');
});

it('a start without the file takes the good copy, and says so', async () => {
  const { file, replica } = running();
  await replica.keepGood();
  put(replica, 2);
  replica.close();
  opened.splice(opened.indexOf(replica), 1);
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  const reported: DamagedFile[] = [];
  const again = openReplica(dirname(file), (damaged) => reported.push(damaged));
  opened.push(again);
  expect(idsIn(again)).toEqual(['d1']);
  expect(reported).toMatchObject([{ missing: true }]);
  expect(replicaDamage({ file, fault: 'f', missing: true }).message).toMatch(/was missing at the start/);
});

it('a start ends the swap that a crash has cut', () => {
  const { file, replica } = running();
  replica.close();
  opened.splice(opened.indexOf(replica), 1);
  // As a program leaves it that ended between the copy and its new name.
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
  renameSync(file, `${file}.salvaged`);
  const again = openReplica(dirname(file), () => undefined);
  opened.push(again);
  expect(idsIn(again)).toEqual(['d1']);
  expect(existsSync(`${file}.salvaged`)).toBe(false);
});

it('a removed replica is reported in words that send no person for a new disk', () => {
  const { message } = replicaDamage({ file: 'f', fault: 'x', removed: true });
  expect(message).toMatch(/configuration was removed or replaced while the program ran.*no row is missing/);
  expect(message).not.toMatch(/change the disk/);
});
