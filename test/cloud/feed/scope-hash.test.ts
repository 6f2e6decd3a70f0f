import { afterEach, beforeEach, expect, it } from 'vitest';
import { ScopeHash } from '#cloud/feed/scope-hash.ts';
import { digest } from '#cloud/io/digest/index.ts';
import { recordChange, type Store } from '#cloud/store/index.ts';
import { openTestDatabase } from '../store/database.ts';

let store: Store;
let close: () => Promise<void>;
beforeEach(async () => {
  ({ store, close } = await openTestDatabase('sqlite'));
});
afterEach(() => close());

const change = (owner: string, id: string): Promise<number> =>
  store.withTx((tx) =>
    recordChange(tx, { scope: 'tenant', owner, entity: 'device', id, op: 'put', body: { id }, at: 1 }),
  );

it('the pointers of all scopes are those of each, and one that was read before a change does not go back behind it', async () => {
  const hashes = new ScopeHash({ hasher: digest.hasher, breathe: async () => undefined });
  await change('a', 'one');
  await change('b', 'other');
  const owners = { tenant: 'a', site: 'a/north', host: 'h', platform: '' };
  const before = await hashes.pointers(store, owners);
  expect(before).toEqual({
    tenant: await new ScopeHash({ hasher: digest.hasher, breathe: async () => undefined }).pointer(
      store,
      'tenant',
      'a',
    ),
    site: expect.objectContaining({ rev: 0 }),
    host: expect.objectContaining({ rev: 0 }),
    platform: expect.objectContaining({ rev: 0 }),
  });
  await change('a', 'two');
  const newer = await hashes.pointer(store, 'tenant', 'a');
  expect(newer.rev).toBe(2);
  expect(await hashes.pointer(store, 'tenant', 'a', before.tenant.rev)).toEqual(newer);
});

it.each([15, 16, 17, 40])(
  'a scope of %i rows has the hash of one of a new reading, after each change',
  async (count) => {
    const hashes = new ScopeHash({ hasher: digest.hasher, breathe: async () => undefined });
    const isAsRead = async () =>
      expect(await hashes.pointer(store, 'tenant', 'a')).toEqual(
        await new ScopeHash({ hasher: digest.hasher, breathe: async () => undefined }).pointer(
          store,
          'tenant',
          'a',
        ),
      );
    for (let row = 0; row < count; row++) await change('a', `row-${row}`);
    await isAsRead();
    await change('a', 'one more');
    await isAsRead();
    await store.withTx((tx) =>
      recordChange(tx, {
        scope: 'tenant',
        owner: 'a',
        entity: 'device',
        id: 'row-3',
        op: 'delete',
        body: null,
        at: 2,
      }),
    );
    await isAsRead();
    await change('a', 'row-3');
    await isAsRead();
  },
);

it('a database that fails while changes are applied leaves no half state', async () => {
  let isFailing = false;
  const hashes = new ScopeHash({
    hasher: digest.hasher,
    breathe: async () => {
      if (isFailing) throw new Error('lost');
    },
  });
  const addMany = (from: number) =>
    store.withTx(async (tx) => {
      for (let row = from; row < from + 600; row++)
        await recordChange(tx, {
          ...{ scope: 'tenant', owner: 'a', entity: 'device', id: `row-${row}`, op: 'put', body: {}, at: 1 },
        });
    });
  await addMany(0);
  await hashes.pointer(store, 'tenant', 'a');
  await addMany(600);
  isFailing = true;
  await expect(hashes.pointer(store, 'tenant', 'a')).rejects.toThrow('lost');
  isFailing = false;
  expect(await hashes.pointer(store, 'tenant', 'a')).toEqual(
    await new ScopeHash({ hasher: digest.hasher, breathe: async () => undefined }).pointer(
      store,
      'tenant',
      'a',
    ),
  );
});
