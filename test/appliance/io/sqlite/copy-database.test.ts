import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { copyDatabases, countRows, lockFolder, openSqlite } from '#appliance/io/sqlite/index.ts';

describe('copies of the databases', () => {
  let folder = '';

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'carillon-copy-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('are whole while the appliance writes and holds its lock', () => {
    const unlock = lockFolder(folder);
    const db = openSqlite({ file: join(folder, 'journal.db') });
    db.exec('CREATE TABLE alarm (id INTEGER PRIMARY KEY, body TEXT)');
    const insert = db.prepare('INSERT INTO alarm (body) VALUES (?)');
    for (let number = 0; number < 100; number++) insert.run(`alarm ${number}`);
    db.exec('BEGIN IMMEDIATE');
    insert.run('not committed');
    const into = join(folder, 'copy');
    expect(copyDatabases(folder, into)).toEqual(['journal.db']);
    db.exec('COMMIT');
    expect(countRows(into)).toEqual({ 'journal.db': { alarm: 100 } });
    expect(countRows(folder)).toEqual({ 'journal.db': { alarm: 101 } });
    // A second time the copy is replaced.
    expect(copyDatabases(folder, into)).toEqual(['journal.db']);
    expect(countRows(into)).toEqual({ 'journal.db': { alarm: 101 } });
    expect(readdirSync(into)).toEqual(['journal.db']);
    db.close();
    unlock();
  });

  test('are none for a folder that is not there', () => {
    expect(copyDatabases(join(folder, 'nothing'), join(folder, 'copy'))).toEqual([]);
    expect(countRows(join(folder, 'nothing'))).toEqual({});
  });
});
