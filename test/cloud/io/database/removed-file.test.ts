import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase, type RestoredFile, readMigrations, storageFault } from '#cloud/io/database/index.ts';
import { createStore, fencedStore, migrate, type Store } from '#cloud/store/index.ts';
import { BACKUP, FILE_REMOVALS, foundAfterKill, replace } from '#test/support/storage/file-removal.ts';
import { vault } from '../../store/database.ts';

/* The file of a running control plane is removed or replaced: what was answered is there at the next start, and a person is notified. */

const folders: string[] = [];
const open: Store[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  for (const each of folders.splice(0)) rmSync(each, { recursive: true, force: true });
});
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'carillon-removed-'));
  folders.push(made);
  return made;
};

async function running() {
  const file = join(folder(), 'data', 'cloud.db');
  mkdirSync(dirname(file));
  const reported: RestoredFile[] = [];
  let received = (): void => undefined;
  const first = new Promise<void>((resolve) => {
    received = resolve;
  });
  const port = openDatabase(
    `sqlite:${file}`,
    vault,
    (error) => {
      throw error;
    },
    (restored) => {
      reported.push(restored);
      received();
    },
  );
  await migrate(port, readMigrations('sqlite'), 1);
  const store = createStore(port);
  open.push(store);
  await put(store, 'first');
  return { file, store, told: reported, first };
}

const put = (store: Store, owner: string): Promise<unknown> =>
  store.withTx((tx) => tx.db.insert(tx.tables.scopeRevision).values({ scope: 'tenant', owner, rev: 1 }));

const ownersIn = async (store: Store): Promise<string[]> =>
  (await store.db.select().from(store.tables.scopeRevision)).map(({ owner }) => owner).toSorted();

function ownersAfterKill(file: string): string[] {
  const db = new Database(foundAfterKill(file, folder()));
  const owners = db.prepare<[], string>('SELECT owner FROM scope_revision ORDER BY owner').pluck().all();
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  db.close();
  return owners;
}

describe('the file of a running control plane', () => {
  it.each(FILE_REMOVALS)('%s: the next commit is in a new one with all rows before it', async (_, act) => {
    const { file, store, told: reported } = await running();
    act(file);
    await Promise.all([put(store, 'second'), put(store, 'third')]);
    expect(reported).toHaveLength(1);
    expect(ownersAfterKill(file)).toEqual(['first', 'second', 'third']);
    expect(await ownersIn(store)).toEqual(['first', 'second', 'third']);
    await put(store, 'fourth');
    expect(reported).toHaveLength(1);
    expect(ownersAfterKill(file)).toEqual(['first', 'fourth', 'second', 'third']);
  });

  it('is removed while nothing is written: the store notices by itself, and those who wrap it read on', async () => {
    const { file, store, told: reported, first } = await running();
    const wrapped = fencedStore(store, { sh: '00', owner: 'a', epoch: 1 });
    expect(await ownersIn(wrapped)).toEqual(['first']);
    rmSync(file);
    await first;
    expect(reported).toMatchObject([{ file }]);
    expect(ownersAfterKill(file)).toEqual(['first']);
    expect(await ownersIn(wrapped)).toEqual(['first']);
  });

  it('is removed just before the end: the next start has the rows and the note', async () => {
    const { file, store, told: reported } = await running();
    rmSync(file);
    await store.close();
    open.splice(open.indexOf(store), 1);
    expect(ownersAfterKill(file)).toEqual(['first']);
    expect(readdirSync(dirname(file))).toContain(basename(reported[0]?.note ?? 'no note'));
  });

  it('keeps what stood in its place', async () => {
    const { file, store, told: reported } = await running();
    replace(file);
    await put(store, 'second');
    expect(readFileSync(reported[0]?.replaced ?? '', 'utf8')).toBe(BACKUP);
  });

  it('cannot be restored: requests are refused with the reason until it can', async () => {
    const { file, store, told: reported } = await running();
    rmSync(dirname(file), { recursive: true });
    const refused = await put(store, 'second').catch((thrown: unknown) => thrown);
    expect(String(refused)).toMatch(
      /was removed or replaced under the running program and cannot be restored/,
    );
    expect(storageFault(refused)).toMatchObject({ code: 'storageUnavailable' });
    mkdirSync(dirname(file));
    await put(store, 'third');
    expect(reported).toHaveLength(1);
    expect(ownersAfterKill(file)).toEqual(expect.arrayContaining(['first', 'third']));
  });
});
