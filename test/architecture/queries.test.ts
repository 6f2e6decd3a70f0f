import { describe, expect, it } from 'vitest';
import { concurrentQueries, floatingQueries, oneDialectCalls } from './query-rule.ts';
import { repositorySources } from './repository.ts';
import { lines, source } from './source.ts';

const QUERIES = 'cloud/store/configuration/device.ts';
const planted = (text: string, path = QUERIES) => source(path, `async function work(tx: Tx) { ${text} }`);

describe('a query that is not awaited', () => {
  it('stands nowhere', () => {
    expect(lines(repositorySources().flatMap(floatingQueries))).toEqual([]);
  });

  it.each([
    'tx.db.delete(t).where(eq(t.id, id));',
    'db.insert(t).values(row);',
    'void tx.db.delete(t);',
    'old && tx.db.delete(t);',
    'old ? tx.db.delete(t) : tx.db.insert(t).values(row).returning();',
    'store.connection.reader.select().from(t);',
    'rows.forEach((row) => tx.db.insert(t).values(row));',
    'const add = (through: Handle) => { through.insert(t).values(row); };',
  ])('%s turns red', (text) => {
    expect(floatingQueries(planted(text)).length).toBeGreaterThan(0);
  });

  it.each([
    'await tx.db.delete(t);',
    'return tx.db.delete(t);',
    'const rows = await tx.db.select().from(t);',
    'await Promise.all(rows.map((row) => tx.db.insert(t).values(row)));',
    'tx.revisions.set(key, rev); listeners.delete(one);',
    'const add = (through: Handle) => through.insert(t).values(row);',
  ])('%s stays green', (text) => {
    expect(floatingQueries(planted(text))).toEqual([]);
  });

  it('is looked for wherever the control plane decides, not where connections are made', () => {
    const text = 'db.delete(t);';
    expect(floatingQueries(planted(text, 'cloud/tenant/grant.ts'))).toHaveLength(1);
    expect(floatingQueries(planted(text, 'cloud/io/database/sqlite.ts'))).toEqual([]);
  });
});

describe('queries that go out together', () => {
  it('are none of a transaction', () => {
    expect(lines(repositorySources().flatMap(concurrentQueries))).toEqual([]);
  });

  it.each([
    'await Promise.all(rows.map((row) => tx.db.insert(t).values(row)));',
    'await Promise.all([readHost(tx, a), readHost(tx, b)]);',
    'const read = async (from: Reader) => await Promise.all(SETS.map((set) => readItem(from, set)));',
    'await Promise.allSettled([tx.db.delete(t), tx.db.delete(u)]);',
  ])('%s turns red', (text) => {
    expect(concurrentQueries(planted(text))).toHaveLength(1);
  });

  it.each([
    'for (const row of rows) await tx.db.insert(t).values(row);',
    'await Promise.all([readHost(store, a), readHost(store, b)]);',
    'await Promise.all(hosts.map((host) => ask(host)));',
    'await Promise.all(hosts.map((host) => store.withTx((tx) => note(tx, host))));',
  ])('%s stays green', (text) => {
    expect(concurrentQueries(planted(text))).toEqual([]);
  });
});

describe('a method that one dialect lacks', () => {
  it('is called nowhere', () => {
    expect(lines(repositorySources().flatMap(oneDialectCalls))).toEqual([]);
  });

  it.each([
    'const rows = await tx.db.select().from(t).all();',
    'const row = await tx.db.select().from(t).where(eq(t.id, id)).get();',
    'await db.insert(t).values(row).run();',
    'await db.run(sql`DELETE FROM t`);',
    'await store.db.transaction(async (inner) => inner);',
  ])('%s turns red', (text) => {
    expect(oneDialectCalls(planted(text))).toHaveLength(1);
  });

  it.each([
    'const rev = tx.revisions.get(key);',
    'await Promise.all(rows);',
    'await tx.db.select().from(t);',
  ])('%s stays green', (text) => {
    expect(oneDialectCalls(planted(text))).toEqual([]);
  });
});
