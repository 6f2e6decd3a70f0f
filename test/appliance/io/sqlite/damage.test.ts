import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { migrate } from '#appliance/io/sqlite/database/open-sqlite.ts';
import { openJournal, openSqlite } from '#appliance/io/sqlite/index.ts';
import { alarm } from './journal-row.ts';
import { tempFolders } from './temp-folder.ts';

const folder = tempFolders();

describe('a damaged journal', () => {
  it('is kept even when nothing of it can be read, and counting goes on above what it can have given out', async () => {
    const file = join(folder(), 'journal.db');
    writeFileSync(file, 'this was a database once\n'.repeat(500));
    const journal = await openJournal({ file });
    expect(basename(journal.salvage?.file ?? '')).toMatch(/^journal\.db\.damaged-\d+$/);
    expect(existsSync(journal.salvage?.file ?? '')).toBe(true);
    await journal.commit(alarm(1));
    expect(journal.nextSeq()).toBeGreaterThan(1_700_000_000_000);
    expect(journal.boot).toBeGreaterThan(1_700_000_000);
    await journal.close();
  });

  it('is no journal that was closed whole: nothing stands beside it', async () => {
    const at = folder();
    const journal = await openJournal({ file: join(at, 'journal.db') });
    await journal.commit(alarm(1));
    await journal.close();
    expect(readdirSync(at)).toEqual(['journal.db']);
    const again = await openJournal({ file: join(at, 'journal.db') });
    expect(again.salvage).toBeUndefined();
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
