import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Feed } from '#cloud/feed/index.ts';
import {
  createSharedPages,
  deleteOldPages,
  insertHost,
  insertTenant,
  recordChange,
} from '#cloud/store/index.ts';
import { manifestSchema } from '#shared/contract/feed/index.ts';
import { dialects, openTestDatabase } from '../store/database.ts';
import { FeedHost, payloadOf, testFeed } from './feed-host.ts';

const TENANTS = ['t1', 't2'] as const;
const KEPT_MS = 10 * 60_000;
let nowMs = 1_000;
let closing: (() => unknown)[] = [];

beforeEach(() => {
  nowMs = 1_000;
});
afterEach(async () => {
  for (const end of closing.splice(0).reverse()) await end();
});

it.each(dialects)(
  'a host gets a page at another replica than the one that made it, no other tenant does, on %s',
  { timeout: 60_000 },
  async (dialect) => {
    const { store, close } = await openTestDatabase(dialect);
    closing = [close];
    const [host, stranger] = TENANTS.map((tenant) => new FeedHost(tenant, `${tenant}.example`));
    if (host === undefined || stranger === undefined) throw new Error('no hosts');
    await store.withTx(async (tx) => {
      for (const [n, each] of [host, stranger].entries()) {
        const id = each.tenant;
        await insertTenant(tx, { id, domain: `${id}.example`, name: null, createdAt: 0, notBefore: 0 });
        await insertHost(tx, each.row(n));
      }
      const device = { entity: 'device', id: 'd', op: 'put', body: { deviceId: 'd' } } as const;
      await recordChange(tx, { ...device, scope: 'tenant', owner: host.tenant, at: 1 });
    });
    const replica = () => testFeed(store, () => nowMs, { pages: createSharedPages(store, () => nowMs) });
    const [a, b] = [replica(), replica()];
    const made = await a.manifest(host.uid, 'tenant', 0);
    const { pages } = manifestSchema.parse(JSON.parse(payloadOf(made?.jws ?? '')));
    const [page] = pages;
    if (page === undefined) throw new Error('no page');
    const textAt = async (at: Feed, { uid }: FeedHost) => {
      const bytes = await at.page(uid, page.sha256);
      return bytes && Buffer.from(bytes).toString('hex');
    };
    const own = await textAt(a, host);
    expect(own).toMatch(/^1f8b/);
    expect(await textAt(b, host)).toBe(own);
    expect(await textAt(b, stranger)).toBeUndefined();

    // The replica that made it has it from the database, too.
    nowMs += KEPT_MS / 2;
    a.forgetPages();
    expect(await textAt(a, host)).toBe(own);
    expect(await textAt(a, stranger)).toBeUndefined();

    nowMs += KEPT_MS / 2;
    expect(await textAt(b, host)).toBeUndefined();
    expect(await textAt(a, host)).toBeUndefined();
    await store.withTx((tx) => deleteOldPages(tx, nowMs));
    expect(await store.db.select().from(store.tables.feedPage)).toEqual([]);
    // The replica that is asked for the manifest makes it again, and leaves it there for the next host that asks.
    await a.manifest(host.uid, 'tenant', 0);
    expect(await textAt(b, host)).toBe(own);
  },
);
