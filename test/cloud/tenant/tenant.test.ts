import { afterAll, beforeAll, expect, test } from 'vitest';
import { digest } from '#cloud/io/digest/index.ts';
import { createTokenPort } from '#cloud/io/token/index.ts';
import { type Call, changesSince, countDevices, putDevice, tenantByDomain } from '#cloud/store/index.ts';
import { createTenancy, type Tenancy } from '#cloud/tenant/index.ts';
import { openTestDatabase, type TestDatabase } from '../store/database.ts';
import { platformSign } from './signer.ts';

const call: Call = {
  tenant: '',
  domain: '',
  actor: { name: 'person:test', address: '', requestId: 'r', at: 1 },
};

let database: TestDatabase;
let tenancy: Tenancy;
const held = new Set<string>();
beforeAll(async () => {
  database = await openTestDatabase('sqlite');
  tenancy = createTenancy({
    store: database.store,
    ...digest,
    token: createTokenPort(),
    sign: platformSign,
    publicUrl: 'https://cloud.carillon.test',
    bootstrapTokenHash: '',
    tenantHeldBy: async (_tx, tenant) => (held.has(tenant) ? 'It has hosts.' : null),
  });
});
afterAll(() => database.close());

test('a new tenant is the first thing its sites hear of', async () => {
  await tenancy.tenant.create(call, { domain: 'new.test', name: 'New' });
  const id = (await tenancy.tenant.find('new.test'))?.id ?? '';
  expect(id).toMatch(/^[0-9a-z]{26}$/);
  expect(await changesSince(database.store, 'tenant', id, 0, 10)).toMatchObject([
    { rev: 1, entity: 'tenant', id: 'new.test', op: 'put', body: { domain: 'new.test', name: 'New' } },
  ]);
});

test('a held tenant stays whole, a free one goes with what it has', async () => {
  await tenancy.tenant.create(call, { domain: 'held.test' });
  const id = (await tenantByDomain(database.store, 'held.test'))?.id ?? '';
  await database.store.withTx((tx) => putDevice(tx, { tenant: id, id: 'd', body: {}, updatedAt: 1 }));
  held.add(id);
  expect(await tenancy.tenant.remove(call, 'held.test')).toEqual({
    ok: false,
    error: { code: 'conflict', reason: 'It has hosts.' },
  });
  expect(await countDevices(database.store, id)).toBe(1);
  held.delete(id);
  expect((await tenancy.tenant.remove(call, 'held.test')).ok).toBe(true);
  expect(await tenancy.tenant.find('held.test')).toBeUndefined();
  expect(await countDevices(database.store, id)).toBe(0);
});

test('a tenant made again under its old name is another one', async () => {
  await tenancy.tenant.create(call, { domain: 'again.test' });
  const first = (await tenancy.tenant.find('again.test'))?.id;
  await tenancy.tenant.remove(call, 'again.test');
  await tenancy.tenant.create(call, { domain: 'again.test' });
  expect((await tenancy.tenant.find('again.test'))?.id).not.toBe(first);
});
