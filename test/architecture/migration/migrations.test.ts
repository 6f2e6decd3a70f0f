import { describe, expect, it } from 'vitest';
import { readMigrations } from '#cloud/io/database/index.ts';
import { isExpanding } from '#cloud/store/index.ts';
import { narrowingStatements } from './migration-rule.ts';

const NAME = '9000-expand-planted';

describe('migrations that an earlier version of the program lives with', () => {
  it.each(['pg', 'sqlite'] as const)('only add something (%s)', (dialect) => {
    const found = readMigrations(dialect).flatMap(({ name, sql }) =>
      narrowingStatements(name, sql).map((statement) => `${name}: ${statement}`),
    );
    expect(found).toEqual([]);
  });

  it('are marked in both dialects alike', () => {
    const marked = (dialect: 'pg' | 'sqlite') =>
      readMigrations(dialect).flatMap(({ name }) => (isExpanding(name) ? [name] : []));
    expect(marked('pg')).toEqual(marked('sqlite'));
  });

  it.each([
    'DROP TABLE host',
    'ALTER TABLE host DROP COLUMN sid',
    'ALTER TABLE host RENAME COLUMN sid TO session',
    'ALTER TABLE host ADD COLUMN note TEXT NOT NULL',
    'ALTER TABLE host ADD COLUMN note TEXT UNIQUE',
    "ALTER TABLE host ADD COLUMN note TEXT DEFAULT 'x' CHECK (note <> '')",
    'CREATE UNIQUE INDEX one ON host (sid)',
    "UPDATE host SET sid = ''",
    'ALTER TABLE host ALTER COLUMN sid SET NOT NULL',
  ])('%s turns red', (sql) => {
    expect(narrowingStatements(NAME, `-- a reason\n${sql};`)).toEqual([sql]);
    expect(narrowingStatements('9000-planted', sql)).toEqual([]);
  });

  it.each([
    'CREATE TABLE note (id TEXT NOT NULL PRIMARY KEY, text TEXT UNIQUE); CREATE UNIQUE INDEX one ON note (text)',
    'ALTER TABLE host ADD COLUMN note TEXT',
    'ALTER TABLE host ADD COLUMN\n note BIGINT NOT NULL DEFAULT 0',
    'CREATE INDEX note_at ON host (sid)',
  ])('%s stays green', (sql) => {
    expect(narrowingStatements(NAME, sql)).toEqual([]);
  });
});
