import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DialectName, Store } from '#cloud/store/index.ts';
import {
  insertTenant,
  listDeviceTexts,
  putDevice,
  putDevices,
  readDeviceText,
  setDeviceHeartbeat,
  setDevicesSeen,
} from '#cloud/store/index.ts';
import { openTestDatabase, type TestDatabase } from './database.ts';

const DEVICES = 3_000;
const idOf = (i: number): string => `d-${String(i).padStart(4, '0')}`;
const device = (id: string, body: Record<string, unknown> = {}) => ({
  tenant: 't1',
  id,
  body: { deviceId: id, ...body },
  updatedAt: 1,
});

/** The stored text that makes reading devices quick, and proofs that it stays right. */
export function deviceTextSuite(dialect: DialectName): void {
  describe(`devices as text on ${dialect}`, () => {
    let database: TestDatabase;
    let store: Store;
    beforeAll(async () => {
      database = await openTestDatabase(dialect);
      ({ store } = database);
      await store.withTx(async (tx) => {
        for (const id of ['t1', 't2'])
          await insertTenant(tx, { id, domain: `${id}.test`, name: null, createdAt: 1, notBefore: 0 });
        const all = Array.from({ length: DEVICES }, (_, i) => device(idOf(i)));
        await putDevices(
          tx,
          all.flatMap((row) => [row, { ...row, tenant: 't2' }]),
        );
      });
      const lease = await database.port.connection.lease();
      await lease.exec('ANALYZE');
      await lease.release(false);
    });
    afterAll(() => database.close());

    /** How the database goes about what `read` asks for. */
    async function planOf(read: (from: Store) => Promise<unknown>): Promise<string> {
      let plan = '';
      await read({
        ...store,
        rows: async (text, values) => {
          const explain = dialect === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
          plan = (await store.rows(`${explain} ${text}`, values)).map((row) => row.at(-1)).join('\n');
          return await store.rows(text, values);
        },
      });
      return plan;
    }

    test('a page is one range of the primary key, wherever it begins and whatever the prefix', async () => {
      for (const [prefix, after] of [
        ['', ''],
        ['', idOf(DEVICES - 200)],
        ['d-', idOf(1_500)],
        ['d-2', ''],
      ] as const) {
        const plan = await planOf((from) => listDeviceTexts(from, 't1', prefix, after, 101));
        if (dialect === 'sqlite')
          expect(plan).toContain(
            'SEARCH device USING INDEX sqlite_autoindex_device_1 (tenant=? AND id>? AND id<?)',
          );
        else expect(plan).toMatch(/device_pk[\s\S]*Index Cond: \(\(tenant = .*id >= .*id </);
        expect(plan).not.toMatch(/b-tree|SCAN device|Seq Scan on device\b/);
        // PostgreSQL would rather sort the last few than walk the index for them.
        if (after < idOf(DEVICES - 1_000)) expect(plan).not.toMatch(/sort/i);
      }
    });

    test('one device is found by its key, and so is its heartbeat', async () => {
      const plan = await planOf((from) => readDeviceText(from, 't1', idOf(7)));
      if (dialect === 'sqlite') expect(plan.match(/\(tenant=\? AND id=\?\)/g)).toHaveLength(3);
      else expect(plan).toMatch(/Index Scan using device_pk on device/);
      expect(plan).not.toMatch(/SCAN device|Seq Scan on device\b/);
    });

    test('pages follow each other without gap or double, to the end', async () => {
      const seen: string[] = [];
      for (let after = ''; ; after = seen.at(-1) ?? '') {
        const page = await listDeviceTexts(store, 't1', 'd-1', after, 64);
        seen.push(...page.map((row) => row.id));
        if (page.length < 64) break;
      }
      expect(seen).toEqual(Array.from({ length: 1_000 }, (_, i) => idOf(1_000 + i)));
    });

    test('the text is the stored body; with a secret in it the opened body comes along', async () => {
      const secret = device('secret', { digest: { md5: 'a'.repeat(32) }, description: '"key":' });
      const plain = device('plain', { description: 'says "key": and é' });
      await store.withTx(async (tx) => {
        await putDevice(tx, secret);
        await putDevice(tx, plain);
        await setDeviceHeartbeat(tx, 't1', 'plain', 'offline', 1_770_000_000_000);
      });
      expect(await readDeviceText(store, 't1', 'plain')).toEqual({
        id: 'plain',
        text: JSON.stringify(plain.body),
        opened: undefined,
        heartbeat: { status: 'offline', expiration: 1_770_000_000_000 },
      });
      const read = await readDeviceText(store, 't1', 'secret');
      expect(read?.opened).toEqual(secret.body);
      expect(read?.text).not.toContain('aaaa');
      expect(await readDeviceText(store, 't2', 'secret')).toBeUndefined();
    });

    test('devices that were well are shown so by the hundred; what is offline stays, and no expiration goes back', async () => {
      const ids = Array.from({ length: 1_100 }, (_, n) => `seen-${n}`);
      const at = 1_770_000_000_000;
      const heartbeat = async (id: string) => (await readDeviceText(store, 't1', id))?.heartbeat;
      await store.withTx(async (tx) => {
        await putDevices(
          tx,
          ids.map((id) => device(id)),
        );
        await setDeviceHeartbeat(tx, 't1', 'seen-0', 'offline', at);
        await setDeviceHeartbeat(tx, 't1', 'seen-1', 'online', at + 9);
        await setDevicesSeen(tx, 't1', new Map([...ids, 'stranger'].map((id) => [id, at + 5])));
      });
      expect(await heartbeat('seen-0')).toEqual({ status: 'offline', expiration: at });
      expect(await heartbeat('seen-1')).toEqual({ status: 'online', expiration: at + 9 });
      for (const id of ['seen-2', 'seen-1099'])
        expect(await heartbeat(id)).toEqual({ status: 'online', expiration: at + 5 });
      await store.withTx((tx) => setDevicesSeen(tx, 't1', new Map([['seen-1', at + 10]])));
      expect(await heartbeat('seen-1')).toEqual({ status: 'online', expiration: at + 10 });
    });

    test('a reader after a commit sees it, also while an earlier one reads', async () => {
      const read = async () => (await readDeviceText(store, 't1', 'round'))?.text;
      let last: string | undefined;
      for (let i = 0; i < 50; i++) {
        const body = { deviceId: 'round', description: String(i) };
        const written = JSON.stringify(body);
        // A server may serve this one before the commit or behind it.
        const earlier = read();
        const later = store.withTx((tx) => putDevice(tx, device('round', body))).then(() => read());
        expect([last, written]).toContain(await earlier);
        expect(await later).toBe(written);
        last = written;
      }
    });
  });
}
