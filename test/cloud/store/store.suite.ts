import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storageFault } from '#cloud/io/database/index.ts';
import type { DialectName, Revision, Tx } from '#cloud/store/index.ts';
import {
  auditAfter,
  changesSince,
  createStore,
  currentRevision,
  recordAudit,
  recordChange,
  verifyAudit,
} from '#cloud/store/index.ts';
import type { TestDatabase } from './database.ts';
import { openTestDatabase } from './database.ts';

const change = (id: string, body: unknown = { id }) =>
  ({ scope: 'tenant', owner: 't1', entity: 'device', id, op: 'put', body, at: 5 }) as const;
const actor = { name: 'system', address: '127.0.0.1', requestId: 'r1', at: 7 };

/** Transactions, revisions, changes and audit, the same on either database. */
export function storeSuite(dialect: DialectName): void {
  describe(`store on ${dialect}`, () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await openTestDatabase(dialect);
    });
    afterAll(() => database.close());

    const tenantRow = (id: string) => ({ id, domain: `${id}.test`, name: null, createdAt: 1, notBefore: 0 });
    const tenantIds = async () =>
      (await database.store.db.select().from(database.store.tables.tenant)).map((r) => r.id);

    test('an error after an await leaves no row', async () => {
      const work = database.store.withTx(async (tx) => {
        await tx.db.insert(tx.tables.tenant).values(tenantRow('lost'));
        await Promise.resolve();
        throw new Error('after an await');
      });
      await expect(work).rejects.toThrow('after an await');
      expect(await tenantIds()).not.toContain('lost');
    });

    test('a transaction that takes too long is rolled back and frees the writer', async () => {
      let fire: () => void = () => undefined;
      const store = createStore({
        ...database.port,
        startTimer: (_ms, onFire) => {
          fire = onFire;
          return () => undefined;
        },
      });
      const work = store.withTx(async (tx) => {
        await tx.db.insert(tx.tables.tenant).values(tenantRow('slow'));
        fire();
        await new Promise(() => undefined);
      });
      await expect(work).rejects.toThrow('rolled back');
      // A caller hears that the database is slow, and not of a defect.
      expect(storageFault(await work.catch((error: unknown) => error))?.code).toBe('storageUnavailable');
      await database.store.withTx(async (tx) => {
        await tx.db.insert(tx.tables.tenant).values(tenantRow('next'));
      });
      expect(await tenantIds()).toEqual(expect.arrayContaining(['next']));
      expect(await tenantIds()).not.toContain('slow');
    });

    test('nesting is refused and rolls the outer transaction back', async () => {
      const work = database.store.withTx(async (tx) => {
        await tx.db.insert(tx.tables.tenant).values(tenantRow('outer'));
        await database.store.withTx(async () => undefined);
      });
      await expect(work).rejects.toThrow('withTx inside withTx');
      expect(await tenantIds()).not.toContain('outer');
    });

    test('fifty parallel transactions take revisions without gap or loss', async () => {
      const before = await currentRevision(database.store, 'tenant', 't1');
      const revs = await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          database.store.withTx((tx) => recordChange(tx, change(`p${i}`))),
        ),
      );
      expect(revs.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => before + i + 1));
      expect(await currentRevision(database.store, 'tenant', 't1')).toBe(before + 50);
    });

    test('one transaction is one revision, and the last operation on an entity stands', async () => {
      const before = await currentRevision(database.store, 'tenant', 't1');
      await database.store.withTx(async (tx) => {
        expect(await recordChange(tx, change('a', { v: 1 }))).toBe(before + 1);
        expect(await recordChange(tx, change('b'))).toBe(before + 1);
        expect(await recordChange(tx, change('a', { v: 2 }))).toBe(before + 1);
      });
      const rows = await changesSince(database.store, 'tenant', 't1', before, 10);
      expect(rows.map((row) => [row.rev, row.id, row.body])).toEqual([
        [before + 1, 'a', { v: 2 }],
        [before + 1, 'b', { id: 'b' }],
      ]);
      expect(rows[0]?.hash).toBe(database.port.sha256('{"v":2}'));
    });

    test('a delete is a tombstone without body', async () => {
      const before = await currentRevision(database.store, 'site', 't1/s1');
      await database.store.withTx((tx) =>
        recordChange(tx, {
          scope: 'site',
          owner: 't1/s1',
          entity: 'host',
          id: 'h',
          op: 'delete',
          at: 1,
          massChange: true,
        }),
      );
      const [row] = await changesSince(database.store, 'site', 't1/s1', before, 10);
      expect(row).toMatchObject({ op: 'delete', body: null, hash: '', massChange: true });
    });

    test('listeners hear a revision after its commit, and never that of a rollback', async () => {
      const received: Revision[] = [];
      const stop = database.store.onChange((revision) => received.push(revision));
      const rev = await database.store.withTx(async (tx) => {
        const taken = await recordChange(tx, change('x'));
        expect(received).toEqual([]);
        return taken;
      });
      const failing = database.store.withTx(async (tx: Tx) => {
        await recordChange(tx, change('y'));
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      stop();
      expect(received).toEqual([{ scope: 'tenant', owner: 't1', rev }]);
    });

    test('a unique violation is recognised', async () => {
      const insert = () =>
        database.store.withTx(async (tx) => {
          await tx.db.insert(tx.tables.tenant).values(tenantRow('twice'));
        });
      await insert();
      const error = await insert().catch((caught: unknown) => caught);
      expect(database.store.dialect.isUniqueViolation(error)).toBe(true);
      expect(database.store.dialect.isUniqueViolation(new Error('other'))).toBe(false);
    });

    test('the audit chain is whole, and shows where it was changed', async () => {
      await Promise.all(
        Array.from({ length: 5 }, (_, i) =>
          database.store.withTx((tx) =>
            recordAudit(tx, actor, {
              tenant: 'audited',
              action: 'put',
              entity: 'device',
              entityId: `d${i}`,
              detail: { after: { ä: i } },
            }),
          ),
        ),
      );
      const rows = await auditAfter(database.store, 'audited', 0, 100);
      expect(rows).toHaveLength(5);
      expect(verifyAudit(rows, database.port.sha256)).toBeNull();
      const forged = rows.map((row) => (row.seq === 3 ? { ...row, actor: 'somebody' } : row));
      expect(verifyAudit(forged, database.port.sha256)).toBe(3);
      expect(
        verifyAudit(
          rows.filter((row) => row.seq !== 2),
          database.port.sha256,
        ),
      ).toBe(2);
    });

    test('text sorts by code unit, so that prefix ranges and page tokens agree on both', async () => {
      const ids = ['z', 'Z', 'a:1', 'a-1', 'a~1', 'a+1', 'A'];
      await database.store.withTx(async (tx) => {
        for (const id of ids)
          await tx.db.insert(tx.tables.tenant).values({ ...tenantRow(`sort-${id}`), id: `sort-${id}` });
      });
      const t = database.store.tables.tenant;
      const rows = await database.store.db
        .select({ id: t.id })
        .from(t)
        .where(sql`${t.id} >= 'sort-' and ${t.id} < 'sort.'`)
        .orderBy(t.id);
      expect(rows.map((row) => row.id)).toEqual(ids.map((id) => `sort-${id}`).toSorted());
    });
  });
}
