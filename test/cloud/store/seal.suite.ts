import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readMigrations } from '#cloud/io/database/index.ts';
import { openVault } from '#cloud/io/key/index.ts';
import type { DialectName, Store, StorePort } from '#cloud/store/index.ts';
import {
  changesSince,
  createStore,
  insertTenant,
  migrate,
  putDevice,
  putItem,
  putNotificationSettings,
  readDevice,
  readItem,
  readNotificationSettings,
  recordChange,
  rowsOfScope,
  sealStored,
} from '#cloud/store/index.ts';
import { emptyPg, emptySqlite } from './database.ts';

const PLANTED = 'planted-7c1e';
const planted = (name: string) => `${PLANTED}-${name}`;

const BRIDGE = {
  id: 'b1',
  restAuthentication: [{ sub: 's', type: 'HS256', secret: planted('callback') }],
  dc09: { key: planted('dc09') },
};
const DEVICE = {
  deviceId: 'd1',
  digest: { md5: planted('md5'), sha256: planted('sha256') },
  passwordHash: planted('argon2'),
  serviceData: { alarmBridge: { dc09: { key: planted('device-dc09') } } },
};
const SETTINGS = { alarmFromEdge: true, restAuthentication: [{ secret: planted('notification') }] };

/** Secrets on the disk: what is written is sealed, what was written before is sealed at start. */
export function sealSuite(dialect: DialectName): void {
  describe(`sealed secrets on ${dialect}`, () => {
    let port: StorePort;
    let store: Store;
    let folder: string | undefined;
    let close: () => Promise<void>;
    beforeAll(async () => {
      const empty = dialect === 'sqlite' ? emptySqlite() : { ...(await emptyPg()), folder: undefined };
      ({ port, close, folder } = empty);
      await migrate(port, readMigrations(dialect), 0);
      store = createStore(port);
      await store.withTx(async (tx) => {
        await insertTenant(tx, { id: 't1', domain: 't1.test', name: null, createdAt: 1, notBefore: 0 });
        await putItem(tx, 'alarmBridge', {
          tenant: 't1',
          set: 'working',
          id: 'b1',
          body: BRIDGE,
          updatedAt: 1,
        });
        await putDevice(tx, { tenant: 't1', id: 'd1', body: DEVICE, updatedAt: 1 });
        await putNotificationSettings(tx, { tenant: 't1', body: SETTINGS, updatedAt: 1 });
        for (const [entity, body] of [
          ['alarmbridge', BRIDGE],
          ['device', DEVICE],
        ] as const)
          await recordChange(tx, { scope: 'tenant', owner: 't1', entity, id: 'x', op: 'put', body, at: 1 });
      });
    });
    afterAll(() => close());

    /** Everything that lies on the disk: the files of SQLite, every row of every table of PostgreSQL. */
    async function onDisk(): Promise<string> {
      if (folder !== undefined) {
        const place = folder;
        return readdirSync(place)
          .map((file) => readFileSync(join(place, file), 'latin1'))
          .join('\n');
      }
      const rows = await Promise.all(
        Object.values(store.tables).map((table) => store.db.select().from(table)),
      );
      return JSON.stringify(rows.map((each) => each));
    }

    const readable = async () => ({
      bridge: (await readItem(store, 'alarmBridge', { tenant: 't1', set: 'working' }, 'b1'))?.body,
      device: (await readDevice(store, 't1', 'd1'))?.device.body,
      settings: (await readNotificationSettings(store, 't1'))?.body,
      changes: (await changesSince(store, 'tenant', 't1', 0, 10)).map((row) => unsalted(row.body)),
      scope: (await rowsOfScope(store, 'tenant', 't1', 99)).map((row) => unsalted(row.body)),
    });
    /** The change, without the random text beside its secrets. */
    const unsalted = (body: unknown) => ({ ...(body as object), hashSalt: undefined });
    const WRITTEN = {
      bridge: BRIDGE,
      device: DEVICE,
      settings: SETTINGS,
      changes: [BRIDGE, DEVICE],
      scope: [BRIDGE, DEVICE],
    };

    test('no file or table shows a planted secret, and every query gives it back', async () => {
      expect(await onDisk()).not.toContain(PLANTED);
      expect(await onDisk()).toContain('"v1:');
      expect(await readable()).toEqual(WRITTEN);
      const salts = (await changesSince(store, 'tenant', 't1', 0, 10)).map(
        ({ body }) => (body as { hashSalt?: string }).hashSalt,
      );
      expect(new Set(salts).size).toBe(2);
      for (const salt of salts) expect(salt).toMatch(/^[\w-]{22}$/);
    });

    test('a body moved to another row does not open', async () => {
      const { device } = store.tables;
      const [row] = await store.db.select().from(device);
      await store.withTx(async (tx) => {
        await tx.db.insert(device).values({ ...(row as NonNullable<typeof row>), id: 'moved' });
      });
      await expect(readDevice(store, 't1', 'moved')).rejects.toThrow();
      await store.withTx(async (tx) => {
        await tx.db.delete(device).where(sql`${device.id} = 'moved'`);
      });
    });

    test('rows of a database from before are sealed at start, once, whatever their number', async () => {
      const { alarmBridge, device, notificationSettings, configChange, sealing } = store.tables;
      await store.withTx(async (tx) => {
        await tx.db.update(alarmBridge).set({ body: BRIDGE });
        await tx.db.update(device).set({ body: DEVICE });
        await tx.db.update(notificationSettings).set({ body: SETTINGS });
        await tx.db
          .update(configChange)
          .set({ body: BRIDGE })
          .where(sql`${configChange.entity} = 'alarmbridge'`);
        await tx.db.update(configChange).set({ body: DEVICE }).where(sql`${configChange.entity} = 'device'`);
        for (let at = 0; at < 1_100; at += 100)
          await tx.db.insert(device).values(
            Array.from({ length: 100 }, (_, i) => ({
              tenant: 't1',
              id: `old-${at + i}`,
              body: { deviceId: `old-${at + i}`, digest: { md5: planted('old') } },
              updatedAt: 1,
            })),
          );
      });
      expect(await onDisk()).toContain(PLANTED);
      expect(await sealStored(port, store, 5)).toBe(5 + 1_100);
      expect(await sealStored(port, store, 6)).toBe(0);
      expect(await store.db.select().from(sealing)).toEqual([{ one: 1, keyName: port.vault.keyName, at: 5 }]);
      expect(await readable()).toEqual(WRITTEN);
      // Free pages and the journal of SQLite included.
      expect(await onDisk()).not.toContain(PLANTED);
    });

    test('another key is refused before anything is read with it', async () => {
      const other = openVault('/tmp', { given: Buffer.alloc(32, 9).toString('base64url') });
      await expect(sealStored(port, createStore({ ...port, vault: other }), 7)).rejects.toThrow(
        /sealed with the vault key [0-9a-f]{8}, and the key given is [0-9a-f]{8}: give the one/,
      );
    });
  });
}
