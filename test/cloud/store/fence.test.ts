import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openDatabase, readMigrations } from '#cloud/io/database/index.ts';
import {
  createStore,
  fencedStore,
  insertTenant,
  LeaseLost,
  listTenants,
  migrate,
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
  const plane = (installation: string) => {
    const port = openDatabase(`sqlite:${join(folder, 'cloud.db')}`, vault, (error) => {
      throw error;
    });
    opened.push(() => port.connection.close());
    const store = createStore(port);
    const owner = { installation, process: '1' };
    return {
      port,
      store,
      take: (nowMs: number) => store.withTx((tx) => takeShards(tx, ['00', '01'], owner, nowMs, nowMs + 20)),
      fenced: fencedStore(store, owner),
    };
  };
  const [a, b] = [plane('a'), plane('b')];
  await migrate(a.port, readMigrations('sqlite'), 0);
  return { a, b };
}

const tenant = (id: string) => ({ id, domain: `${id}.test`, name: null, createdAt: 0, notBefore: 0 });

it('what an owner writes that hung and was replaced leaves nothing, and what its successor writes stays', async () => {
  const { a, b } = await twoPlanes();
  const write = (plane: typeof a, id: string) => plane.fenced.withTx((tx) => insertTenant(tx, tenant(id)));
  expect(await a.take(100)).toHaveLength(2);
  await write(a, 'first');
  // It hangs; its lease runs out.
  expect(await b.take(110)).toEqual([]);
  await expect(write(b, 'early')).rejects.toThrow(LeaseLost);
  expect(await b.take(121)).toHaveLength(2);
  await write(b, 'second');
  // It goes on, and knows of nothing.
  await expect(write(a, 'late')).rejects.toThrow(LeaseLost);
  expect((await listTenants(a.store, '', 10)).map(({ id }) => id)).toEqual(['first', 'second']);
});
