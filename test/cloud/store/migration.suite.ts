import { describe, expect, test } from 'vitest';
import { readMigrations } from '#cloud/io/database/index.ts';
import type { DialectName } from '#cloud/store/index.ts';
import { migrate } from '#cloud/store/index.ts';
import { emptyPg, emptySqlite } from './database.ts';

export function migrationSuite(dialect: DialectName): void {
  const empty = async () => (dialect === 'sqlite' ? emptySqlite() : await emptyPg());
  const all = readMigrations(dialect);

  describe(`migrations on ${dialect}`, () => {
    test('run once, in order, and not again', async () => {
      const { port, close } = await empty();
      expect(await migrate(port, all, 1)).toEqual(all.map((migration) => migration.name));
      expect(await migrate(port, all, 2)).toEqual([]);
      await close();
    });

    test('a failing file takes the ones before it back', async () => {
      const { port, close } = await empty();
      const broken = [
        ...all,
        { name: '9999-broken', sql: 'CREATE TABLE broken (id TEXT); SELECT nonsense FROM nowhere;' },
      ];
      await expect(migrate(port, broken, 1)).rejects.toThrow();
      expect(await migrate(port, all, 2)).toEqual(all.map((migration) => migration.name));
      await close();
    });

    test('an applied file whose text changed is refused', async () => {
      const { port, close } = await empty();
      await migrate(port, all, 1);
      const changed = all.map((migration) => ({ ...migration, sql: `${migration.sql}\n-- later` }));
      await expect(migrate(port, changed, 2)).rejects.toThrow('has changed since it was applied');
      await close();
    });

    test('a database of a newer program is refused', async () => {
      const { port, close } = await empty();
      await migrate(port, all, 1);
      await expect(migrate(port, all.slice(1), 2)).rejects.toThrow('unknown to this version');
      await close();
    });
  });
}
