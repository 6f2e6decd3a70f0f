import { describe, expect, test } from 'vitest';
import { readMigrations } from '#cloud/io/database/index.ts';
import type { DialectName } from '#cloud/store/index.ts';
import { migrate, pendingMigrations } from '#cloud/store/index.ts';
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

    test('0980-maker gives rows their makers, where that takes no right from anybody', async () => {
      const { port, close } = await empty();
      const before = all.filter(({ name }) => name < '0980-maker');
      await migrate(port, before, 1);
      const lease = await port.connection.lease();
      const audit = (seq: number, actor: string, entity: string, id: string) =>
        `('t', ${seq}, 5, '${actor}', NULL, '', 'r', 'create', '${entity}', '${id}', NULL, '', 'h')`;
      await lease.exec(`
        INSERT INTO tenant (id, domain, name, created_at, not_before) VALUES ('t', 'a.test', NULL, 1, 0);
        INSERT INTO person (id, email, platform_owner, created_at) VALUES ('p', 'p', ${dialect === 'pg' ? 'FALSE' : 0}, 1), ('v', 'v', ${dialect === 'pg' ? 'FALSE' : 0}, 1);
        INSERT INTO membership (tenant, person, role) VALUES ('t', 'p', 'admin'), ('t', 'v', 'viewer');
        INSERT INTO api_key (tenant, kid, alg, jwk, created_at) VALUES
          ('t', 'of-admin', 'ES256', '{}', 5), ('t', 'of-viewer', 'ES256', '{}', 5), ('t', 'unknown', 'ES256', '{}', 5);
        INSERT INTO api_token (tenant, id, hash, person, created_at) VALUES
          ('t', 'of-person', 'h1', 'p', 5), ('t', 'of-key', 'h2', NULL, 5), ('t', 'of-dead-key', 'h3', NULL, 5);
        INSERT INTO audit (tenant, seq, at, actor, kid, address, request_id, action, entity, entity_id, detail, previous, hash) VALUES
          ${audit(1, 'person:p', 'apikey', 'of-admin')},
          ${audit(2, 'person:v', 'apikey', 'of-viewer')},
          ${audit(3, 'key:of-admin', 'apitoken', 'of-key')},
          ${audit(4, 'key:gone', 'apitoken', 'of-dead-key')};
      `);
      await lease.release(false);
      expect(await migrate(port, all, 2)).toEqual(
        all.filter(({ name }) => name >= '0980-maker').map(({ name }) => name),
      );
      const { rows } = port.connection;
      expect(await rows('SELECT kid, maker FROM api_key ORDER BY kid', [])).toEqual([
        ['of-admin', 'person:p'],
        ['of-viewer', null],
        ['unknown', null],
      ]);
      expect(await rows('SELECT id, maker FROM api_token ORDER BY id', [])).toEqual([
        ['of-dead-key', null],
        ['of-key', 'key:of-admin'],
        ['of-person', 'person:p'],
      ]);
      await close();
    });

    test('a database of a newer program is refused', async () => {
      const { port, close } = await empty();
      await migrate(port, all, 1);
      await expect(migrate(port, all.slice(1), 2)).rejects.toThrow('unknown to this version');
      await close();
    });

    test('a database that a later version has only extended is worked with, and never copied', async () => {
      const { port, close } = await empty();
      const later = { name: '9000-expand-later', sql: 'CREATE TABLE later (id TEXT NOT NULL PRIMARY KEY)' };
      await migrate(port, [...all, later], 1);
      const received: string[] = [];
      const onLater = (names: readonly string[]) => void received.push(...names);
      expect(await migrate(port, all, 2, { onLater })).toEqual([]);
      expect(received).toEqual([later.name]);
      await expect(migrate(port, all, 3)).rejects.toThrow('a later version has changed it');
      await expect(pendingMigrations(port, all)).rejects.toThrow('unknown to this version');
      await close();
    });

    test('a migration that changes something, or lies between those that are known, is refused in any case', async () => {
      const onLater = () => undefined;
      for (const name of ['9000-later', '0000-expand-between']) {
        const { port, close } = await empty();
        const sql = 'CREATE TABLE later (id TEXT NOT NULL PRIMARY KEY)';
        await migrate(port, [...all, { name, sql }], 1);
        await expect(migrate(port, all, 2, { onLater })).rejects.toThrow(`has the migration ${name}`);
        await close();
      }
    });
  });
}
