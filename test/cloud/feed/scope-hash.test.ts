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
