import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beginRotation, openVault, type Vault } from '#cloud/io/key/index.ts';
import {
  auditAfter,
  checkDatabase,
  configKeyPlace,
  configKeysOf,
  createStore,
  type DialectName,
  insertConfigKey,
  insertInstallationKeys,
  insertSite,
  insertTenant,
  installationKeyPlace,
  putDevices,
  putItem,
  putNotificationSettings,
  readDevice,
  readInstallationKeys,
  readItem,
  readSite,
  recordChange,
  rotateSeal,
  type Store,
  sealStored,
  siteKeyPlace,
} from '#cloud/store/index.ts';
import { openTestDatabase } from './database.ts';

const SECRET = 'planted-9a41';
const DEVICES = 1_200;
const TENANT = 't1';
const ACTOR = { name: 'system', address: '', requestId: '', at: 1_000 };

/** Rows that hold something sealed, after `fillSealed`. */
export const SEALED_ROWS = DEVICES + 7;

/** One of everything that is sealed, and devices for several batches. */
export async function fillSealed(store: Store, vault: Vault): Promise<void> {
  await store.withTx(async (tx) => {
    await insertTenant(tx, { id: TENANT, domain: 't1.test', name: null, createdAt: 1, notBefore: 0 });
    const keySealed = vault.seal(SECRET, siteKeyPlace(TENANT, 'north'));
    const site = { name: null, profile: 'high', reachable: false, keyPublic: {}, keySealed } as const;
    await insertSite(tx, { tenant: TENANT, siteId: 'north', ...site, createdAt: 1 });
    const sealed = vault.seal(SECRET, configKeyPlace(TENANT, 1));
    await insertConfigKey(tx, { tenant: TENANT, version: 1, sealed, createdAt: 1 });
    const body = { restAuthentication: [{ secret: SECRET }] };
    for (const set of ['working', 'provisory'] as const)
      await putItem(tx, 'mediaService', { tenant: TENANT, set, id: 'm', body, updatedAt: 1 });
    await putNotificationSettings(tx, { tenant: TENANT, body, updatedAt: 1 });
    await putDevices(
      tx,
      Array.from({ length: DEVICES }, (_, n) => ({
        tenant: TENANT,
        id: `d${n}`,
        body: { digest: { md5: SECRET } },
        updatedAt: 1,
      })),
    );
    const change = { scope: 'tenant', owner: TENANT, entity: 'trunk', id: 'x', op: 'put' } as const;
    await recordChange(tx, { ...change, body: { password: SECRET }, at: 1 });
    const signing = vault.seal(SECRET, installationKeyPlace('signing'));
    await insertInstallationKeys(tx, [{ purpose: 'signing', sealed: signing, at: 1 }]);
  });
}

/** Everything opens with this vault, the files too. */
export async function expectSealedOpen(store: Store, vault: Vault): Promise<void> {
  const device = await readDevice(store, TENANT, 'd1100');
  expect(device?.device.body).toEqual({ digest: { md5: SECRET } });
  const items = await readItem(store, 'mediaService', { tenant: TENANT, set: 'provisory' }, 'm');
  expect(items?.body).toEqual({ restAuthentication: [{ secret: SECRET }] });
  const site = await readSite(store, TENANT, 'north');
  expect(vault.open(site?.keySealed ?? '', siteKeyPlace(TENANT, 'north'))).toBe(SECRET);
  const [key] = await configKeysOf(store, TENANT);
  expect(vault.open(key?.sealed ?? '', configKeyPlace(TENANT, 1))).toBe(SECRET);
  const [signing] = await readInstallationKeys(store);
  expect(vault.open(signing?.sealed ?? '', installationKeyPlace('signing'))).toBe(SECRET);
  expect((await checkDatabase(store, (text) => text.slice(0, 8))).faults).toEqual([]);
}

/** The change of the key-encryption key in the database. */
export function rotationSuite(dialect: DialectName): void {
  describe(`a rotation on ${dialect}`, () => {
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'carillon-rotation-'));
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    test('that is killed after any batch is finished by the next, and nothing starts in between', async () => {
      const { port, store, close } = await openTestDatabase(dialect);
      const vault = openVault(folder);
      const sealedStore = createStore({ ...port, vault });
      await sealStored({ ...port, vault }, sealedStore, 0);
      await fillSealed(sealedStore, vault);
      // Dies at the nth text, wherever that is: before the first batch has ended, in the second, at the very last.
      for (const dies of [3, 600, 1_150]) {
        const rotation = beginRotation(folder);
        let texts = 0;
        const killed = rotateSeal(
          port,
          store,
          {
            ...rotation,
            rewrapped: (sealed, place) => {
              texts += 1;
              if (texts > dies) throw new Error('killed');
              return rotation.rewrapped(sealed, place);
            },
          },
          ACTOR,
        );
        await expect(killed).rejects.toThrow('killed');
        expect(() => openVault(folder)).toThrow(/rotate-key.*again/);
      }
      const rotation = beginRotation(folder);
      const rows = await rotateSeal(port, store, rotation, ACTOR);
      expect(rows.ok && rows.value > 0 && rows.value < SEALED_ROWS).toBe(true);
      // Killed again, before the files: the database is done, the folder is not.
      const again = await rotateSeal(port, store, beginRotation(folder), ACTOR);
      expect(again).toEqual({ ok: true, value: 0 });
      expect(beginRotation(folder).finish()).toBeUndefined();
      const after = openVault(folder);
      expect(after.keyName).toBe(rotation.after);
      await expectSealedOpen(createStore({ ...port, vault: after }), after);
      expect(await auditAfter(store, '', 0, 10)).toHaveLength(1);
      await close();
    });
  });
}
