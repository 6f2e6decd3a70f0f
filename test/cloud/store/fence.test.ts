import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { openDatabase, readMigrations } from '#cloud/io/database/index.ts';
import {
  createStore,
  fencedStore,
  insertTenant,
  LeaseLost,
  listTenants,
  migrate,
  releaseShards,
  type Store,
  takeShards,
} from '#cloud/store/index.ts';
import { vault } from './database.ts';

const opened: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const end of opened.splice(0).reverse()) await end();
});

/** Two control planes on one file, each with connections of its own. */
async function twoPlanes() {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-fence-'));
  opened.push(() => rmSync(folder, { recursive: true }));
  const plane = (name: string) => {
    const port = openDatabase(`sqlite:${join(folder, 'cloud.db')}`, vault, (error) => {
      throw error;
    });
    opened.push(() => port.connection.close());
    const store = createStore(port);
    return {
      port,
      store,
      take: async () => {
        const [term] = await store.withTx((tx) => takeShards(tx, ['00'], name, 60_000));
        return term && { ...term, fenced: fencedStore(store, term) };
      },
    };
  };
  const [a, b] = [plane('a'), plane('b')];
  await migrate(a.port, readMigrations('sqlite'), 0);
  return { a, b };
}

const tenant = (id: string) => ({ id, domain: `${id}.test`, name: null, createdAt: 0, notBefore: 0 });

it('the writes of an owner that hung and was replaced leave nothing, and those of its successor stay', async () => {
  const { a, b } = await twoPlanes();
  const write = (store: Store, id: string) => store.withTx((tx) => insertTenant(tx, tenant(id)));
  const first = await a.take();
  if (first === undefined) throw new Error('not taken');
  await write(first.fenced, 'first');
  expect(await b.take()).toBeUndefined();
  // It hangs; its lease runs out.
  await a.store.withTx(async (tx) => {
    await tx.db.update(tx.tables.shardLease).set({ until: 1 });
  });
  const second = await b.take();
  if (second === undefined) throw new Error('not taken');
  await write(second.fenced, 'second');
  // It goes on, and knows of nothing.
  await expect(write(first.fenced, 'late')).rejects.toThrow(LeaseLost);
  // SQLite ends a group of transactions a turn of the loop later, and both planes are in this one loop.
  await setImmediate();
  // Nor does a term come back that was its own.
  await b.store.withTx((tx) => releaseShards(tx, [second]));
  const third = await a.take();
  expect(third?.epoch).toBe(3);
  await expect(write(first.fenced, 'of an earlier term')).rejects.toThrow(LeaseLost);
  expect((await listTenants(a.store, '', 10)).map(({ id }) => id)).toEqual(['first', 'second']);
});
