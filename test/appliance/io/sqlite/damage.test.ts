import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openJournal, openSqlite } from '#appliance/io/sqlite/index.ts';
import { migrate } from '#appliance/io/sqlite/open-sqlite.ts';
import { alarm } from './journal-row.ts';
import { tempFolders } from './temp-folder.ts';

const folder = tempFolders();

describe('a damaged journal', () => {
  it('is set aside, and counting goes on above what it can have given out', async () => {
    const file = join(folder(), 'journal.db');
    writeFileSync(file, 'this was a database once\n'.repeat(500));
    const journal = await openJournal({ file });
    expect(basename(journal.setAside ?? '')).toMatch(/^journal\.db\.damaged-\d+$/);
    expect(existsSync(journal.setAside ?? '')).toBe(true);
    await journal.commit(alarm(1));
    expect(journal.nextSeq()).toBeGreaterThan(1_700_000_000_000);
    expect(journal.boot).toBeGreaterThan(1_700_000_000);
    await journal.close();
  });

  it('is found by the check of all pages after an unclean end', async () => {
    const file = join(folder(), 'journal.db');
    const first = await openJournal({ file });
    for (let n = 1; n <= 200; n++) await first.commit(alarm(n));
    await first.close();
    const db = openSqlite({ file });
    const pages = Number(db.pragma('page_count', { simple: true }));
    db.close();
    const { open } = await import('node:fs/promises');
    const handle = await open(file, 'r+');
    for (let page = 4; page < pages; page += 3)
      await handle.write(Buffer.alloc(4096, 0xa5), 0, 4096, page * 4096);
    await handle.close();
    writeFileSync(`${file}-wal`, '');
    const again = await openJournal({ file });
    expect(again.setAside).toBeDefined();
    expect(again.openSessions()).toEqual([]);
    await again.close();
  });

  it('leaves no side file after a clean end, so that the next start need not check', async () => {
    const at = folder();
    const journal = await openJournal({ file: join(at, 'journal.db') });
    await journal.commit(alarm(1));
    await journal.close();
    expect(readdirSync(at)).toEqual(['journal.db']);
    const again = await openJournal({ file: join(at, 'journal.db') });
    expect(again.setAside).toBeUndefined();
    expect(again.openSessions()).toHaveLength(1);
    await again.close();
  });
});

describe('schema', () => {
  it('moves forward step by step and refuses a file from a newer program', () => {
    const db = openSqlite({ file: join(folder(), 'config.db') });
    migrate(db, ['CREATE TABLE a (x)']);
    migrate(db, ['CREATE TABLE a (x)', 'CREATE TABLE b (y); INSERT INTO b VALUES (1)']);
    expect(db.prepare('SELECT y FROM b').pluck().all()).toEqual([1]);
    expect(() => migrate(db, ['CREATE TABLE a (x)'])).toThrow(/newer program/);
    db.close();
  });

  it('takes a step completely or not at all', () => {
    const db = openSqlite({ file: join(folder(), 'config.db') });
    expect(() => migrate(db, ['CREATE TABLE a (x); CREATE TABLE a (x)'])).toThrow();
    expect(db.pragma('user_version', { simple: true })).toBe(0);
    migrate(db, ['CREATE TABLE a (x)']);
    expect(db.pragma('user_version', { simple: true })).toBe(1);
    db.close();
  });

  it('opens every file synced, in WAL mode, with foreign keys', () => {
    const db = openSqlite({ file: join(folder(), 'config.db') });
    const value = (name: string) => db.pragma(name, { simple: true });
    expect([value('synchronous'), value('journal_mode'), value('foreign_keys')]).toEqual([2, 'wal', 1]);
    db.close();
  });
});
