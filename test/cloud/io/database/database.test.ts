import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createTurns, openDatabase, readMigrations } from '#cloud/io/database/index.ts';
import { createStore, migrate } from '#cloud/store/index.ts';
import { emptySqlite, vault } from '../../store/database.ts';

const notExpected = (error: Error): never => {
  throw error;
};

describe('turns', () => {
  test('are given in the order of asking, one at a time', async () => {
    const turn = createTurns();
    const seen: string[] = [];
    const holder = async (name: string) => {
      const end = await turn();
      seen.push(`${name} in`);
      await Promise.resolve();
      seen.push(`${name} out`);
      end();
    };
    await Promise.all(['a', 'b', 'c'].map(holder));
    expect(seen).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
  });
});

describe('a file that is damaged', () => {
  test('is not opened, and the error says what to do', () => {
    const folder = mkdtempSync(join(tmpdir(), 'cloud-damaged-'));
    const file = join(folder, 'cloud.db');
    writeFileSync(file, 'this was a database once\n'.repeat(400));
    expect(() => openDatabase(`sqlite:${file}`, vault, notExpected)).toThrow(
      /cloud\.db is damaged \(file is not a database\): keep the file, put the last backup/,
    );
    rmSync(folder, { recursive: true });
  });
});

describe('the setting', () => {
  test.each(['', 'mysql://x', 'cloud.db', 'postgresx://y'])('%s names no database', (setting) => {
    expect(() => openDatabase(setting, vault, notExpected)).toThrow('CARILLON_DATABASE');
  });
});

describe('SQLite', () => {
  let close: () => Promise<void> = async () => undefined;
  afterEach(() => close());

  test('an answered commit is on the disk, foreign keys hold, and the reader cannot write', async () => {
    const opened = emptySqlite();
    ({ close } = opened);
    const { connection } = opened.port;
    await migrate(opened.port, readMigrations('sqlite'), 1);
    const { sql } = await import('drizzle-orm');
    const lease = await connection.lease();
    const pragma = async (name: string) =>
      Object.values((await lease.db.all(sql.raw(`PRAGMA ${name}`)))[0] as object)[0] as unknown;
    expect(await pragma('journal_mode')).toBe('wal');
    expect(await pragma('synchronous')).toBe(2);
    expect(await pragma('foreign_keys')).toBe(1);
    await lease.release(false);
    const { tenant } = createStore(opened.port).tables;
    const insert = async () =>
      await connection.reader
        .insert(tenant)
        .values({ id: 'x', domain: 'x', name: null, createdAt: 1, notBefore: 0 });
    await expect(insert()).rejects.toThrow();
  });

  test('work that was given up cannot write into the transaction of another', async () => {
    const opened = emptySqlite();
    ({ close } = opened);
    await migrate(opened.port, readMigrations('sqlite'), 1);
    let expire: () => void = () => undefined;
    const store = createStore({
      ...opened.port,
      startTimer: (_ms, fire) => {
        expire = fire;
        return () => undefined;
      },
    });
    const row = (id: string) => ({ id, domain: id, name: null, createdAt: 1, notBefore: 0 });
    let goOn: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let late: Promise<unknown> = Promise.resolve();
    const abandoned = store.withTx(async (tx) => {
      late = waiting.then(async () => await tx.db.insert(tx.tables.tenant).values(row('late')));
      await Promise.resolve();
      expire();
      await late;
    });
    await expect(abandoned).rejects.toThrow('rolled back');
    const next = store.withTx(async (tx) => {
      goOn();
      await expect(late).rejects.toThrow('not open');
      await tx.db.insert(tx.tables.tenant).values(row('next'));
    });
    await next;
    const { tenant } = store.tables;
    expect((await store.db.select({ id: tenant.id }).from(tenant)).map((found) => found.id)).toEqual([
      'next',
    ]);
  });
});

describe('group commit', () => {
  const row = (id: string) => ({ id, domain: id, name: null, createdAt: 1, notBefore: 0 });

  async function opened() {
    const { port, close } = emptySqlite();
    await migrate(port, readMigrations('sqlite'), 1);
    const store = createStore(port);
    const { tenant } = store.tables;
    const ids = async () => (await store.db.select({ id: tenant.id }).from(tenant)).map(({ id }) => id);
    const add = (id: string, fails = false) =>
      store.withTx(async (tx) => {
        await tx.db.insert(tx.tables.tenant).values(row(id));
        await Promise.resolve();
        if (fails) throw new Error(`${id} fails`);
        return id;
      });
    return { port, store, ids, add, close };
  }

  test('no one is answered before his rows are there for all', async () => {
    const { add, ids, close } = await opened();
    await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        await add(`t${i}`);
        expect(await ids()).toContain(`t${i}`);
      }),
    );
    expect(await ids()).toHaveLength(200);
    await close();
  });

  test('one that fails takes nothing of the others with it', async () => {
    const { add, ids, close } = await opened();
    const results = await Promise.allSettled(Array.from({ length: 30 }, (_, i) => add(`t${i}`, i % 3 === 1)));
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual(
      Array.from({ length: 30 }, (_, i) => i % 3 !== 1),
    );
    expect((await ids()).length).toBe(20);
    await close();
  });

  test('one that takes too long is left behind, and those before it in the group stay', async () => {
    const { port, add, ids, close } = await opened();
    let expire: () => void = () => undefined;
    const impatient = createStore({
      ...port,
      startTimer: (_, fire) => {
        expire = fire;
        return () => undefined;
      },
    });
    const before = add('before');
    const stuck = impatient.withTx(async (tx) => {
      await tx.db.insert(tx.tables.tenant).values(row('stuck'));
      expire();
      await new Promise(() => undefined);
    });
    const after = add('after');
    await expect(stuck).rejects.toThrow('rolled back');
    expect(await Promise.all([before, after])).toEqual(['before', 'after']);
    expect((await ids()).toSorted()).toEqual(['after', 'before']);
    await close();
  });

  test('when the commit fails, everybody in the group hears it and nothing is kept', async () => {
    const { port, add, ids, close } = await opened();
    const lease = await port.connection.lease();
    await lease.exec(
      `CREATE TABLE child (id TEXT REFERENCES tenant (id) DEFERRABLE INITIALLY DEFERRED);
       CREATE TRIGGER orphan AFTER INSERT ON tenant WHEN new.id = 'bad' BEGIN INSERT INTO child VALUES ('nobody'); END`,
    );
    await lease.release(false);
    // A group closes after 20 ms, which a busy machine takes between two of them: no time passes.
    const time = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    const results = await Promise.allSettled([add('good'), add('bad'), add('late')]);
    time.mockRestore();
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await ids()).toEqual([]);
    expect(await add('next')).toBe('next');
    expect(await ids()).toEqual(['next']);
    await close();
  });
});

describe('migration files', () => {
  test('both dialects have the same, numbered once, and drop or skip nothing unseen', () => {
    const [sqlite, pg] = [readMigrations('sqlite'), readMigrations('pg')];
    const names = sqlite.map((migration) => migration.name);
    expect(pg.map((migration) => migration.name)).toEqual(names);
    expect(new Set(names.map((name) => name.slice(0, 4))).size).toBe(names.length);
    for (const { name, sql } of [...sqlite, ...pg])
      expect([name, /DROP TABLE|IF NOT EXISTS/i.test(sql)]).toEqual([name, false]);
  });
});
