import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Call, DialectName } from '#cloud/store/index.ts';
import {
  allItems,
  apiKeysByKid,
  apiTokenByHash,
  countDevices,
  currentRevision,
  deleteAllDevices,
  deleteDevice,
  deleteItems,
  deleteTenant,
  ensurePerson,
  grantOf,
  hasItems,
  insertApiKey,
  insertApiToken,
  insertTenant,
  listDeviceTexts,
  listItems,
  listTenants,
  mutate,
  putDevice,
  putItem,
  putNotificationSettings,
  readDevice,
  readItem,
  readNotificationSettings,
  recordChange,
  recordChanges,
  rowsOfScope,
  scopeHashSlice,
  scopeSlice,
  setDeviceHeartbeat,
  tenantByDomain,
} from '#cloud/store/index.ts';
import { fail, ok } from '#shared/result.ts';
import type { TestDatabase } from './database.ts';
import { openTestDatabase } from './database.ts';

/** Every query function, the same answers from either database. */
export function repositorySuite(dialect: DialectName): void {
  describe(`repository on ${dialect}`, () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await openTestDatabase(dialect);
      await database.store.withTx(async (tx) => {
        for (const id of ['t1', 't2'])
          await insertTenant(tx, { id, domain: `${id}.test`, name: null, createdAt: 1, notBefore: 0 });
      });
    });
    afterAll(() => database.close());
    const write = <T>(work: Parameters<TestDatabase['store']['withTx']>[0]) =>
      database.store.withTx(work) as Promise<T>;

    test('tenants: by domain, in order, in pages', async () => {
      expect(await tenantByDomain(database.store, 't2.test')).toEqual({
        id: 't2',
        domain: 't2.test',
        name: null,
        createdAt: 1,
        notBefore: 0,
        secondFactorSince: null,
      });
      expect(await tenantByDomain(database.store, 'nobody.test')).toBeUndefined();
      expect((await listTenants(database.store, '', 1)).map((row) => row.id)).toEqual(['t1']);
      expect((await listTenants(database.store, 't1.test', 5)).map((row) => row.id)).toEqual(['t2']);
    });

    test('items: two sets apart, upsert, pages, deletion', async () => {
      const row = (set: 'working' | 'provisory', id: string, n: number) => ({
        tenant: 't1',
        set,
        id,
        body: { n, ä: '☎' },
        updatedAt: n,
      });
      await write(async (tx) => {
        for (const id of ['b', 'a', 'c']) await putItem(tx, 'alarmBridge', row('working', id, 1));
        await putItem(tx, 'alarmBridge', row('provisory', 'a', 2));
        await putItem(tx, 'alarmBridge', row('working', 'a', 3));
      });
      const working = { tenant: 't1', set: 'working' } as const;
      expect(await readItem(database.store, 'alarmBridge', working, 'a')).toEqual(row('working', 'a', 3));
      expect(
        await readItem(database.store, 'alarmBridge', { tenant: 't2', set: 'working' }, 'a'),
      ).toBeUndefined();
      expect(
        (await listItems(database.store, 'alarmBridge', working, 'a', 1)).map((item) => item.id),
      ).toEqual(['b']);
      expect((await allItems(database.store, 'alarmBridge', working)).map((item) => item.id)).toEqual([
        'a',
        'b',
        'c',
      ]);
      await write((tx) => deleteItems(tx, 'alarmBridge', working, ['a', 'b', 'nobody']));
      expect((await allItems(database.store, 'alarmBridge', working)).map((item) => item.id)).toEqual(['c']);
      await write((tx) => deleteItems(tx, 'alarmBridge', working, ['c']));
      expect(await hasItems(database.store, 'alarmBridge', working)).toBe(false);
      expect(await hasItems(database.store, 'alarmBridge', { tenant: 't1', set: 'provisory' })).toBe(true);
    });

    test('devices: prefix, pages, heartbeat beside them', async () => {
      const device = (id: string) => ({ tenant: 't1', id, body: { deviceId: id }, updatedAt: 1 });
      const ids = ['p:1', 'p:2', 'p:~', 'p;', 'P:1', 'p', 'q'];
      await write(async (tx) => {
        for (const id of ids) await putDevice(tx, device(id));
        await setDeviceHeartbeat(tx, 't1', 'p:2', 'online', 10);
        await setDeviceHeartbeat(tx, 't1', 'p:2', 'offline', 20);
        await setDeviceHeartbeat(tx, 't2', 'p:1', 'online', 30);
      });
      const list = async (prefix: string, after: string, limit: number) =>
        (await listDeviceTexts(database.store, 't1', prefix, after, limit)).map((row) => row.id);
      expect(await list('p:', '', 10)).toEqual(['p:1', 'p:2', 'p:~']);
      expect(await list('p:', 'p:1', 1)).toEqual(['p:2']);
      expect(await list('', '', 10)).toEqual(ids.toSorted((a, b) => (a < b ? -1 : 1)));
      expect(await readDevice(database.store, 't1', 'p:2')).toEqual({
        device: device('p:2'),
        heartbeat: { status: 'offline', expiration: 20 },
      });
      expect((await readDevice(database.store, 't1', 'p:1'))?.heartbeat).toBeNull();
      expect(await countDevices(database.store, 't1')).toBe(ids.length);
      await write((tx) => deleteDevice(tx, 't1', 'p:2'));
      expect(await readDevice(database.store, 't1', 'p:2')).toBeUndefined();
      expect((await write<string[]>((tx) => deleteAllDevices(tx, 't1'))).length).toBe(ids.length - 1);
      expect(await countDevices(database.store, 't1')).toBe(0);
    });

    test('changes in bulk are one revision, beyond one INSERT', async () => {
      const before = await currentRevision(database.store, 'tenant', 't1');
      const changes = Array.from(
        { length: 1_001 },
        (_, i) =>
          ({ scope: 'tenant', owner: 't1', entity: 'device', id: `d${i}`, op: 'delete', at: 1 }) as const,
      );
      await write((tx) => recordChanges(tx, changes));
      expect(await currentRevision(database.store, 'tenant', 't1')).toBe(before + 1);
      const t = database.store.tables.configChange;
      const rows = (await database.store.db.select({ owner: t.owner, rev: t.rev }).from(t)).filter(
        (row) => row.owner === 't1' && row.rev === before + 1,
      );
      expect(rows).toHaveLength(1_001);
    });

    test('a scope in slices is the scope as it was at a revision, with what was deleted by then marked', async () => {
      const scope = { scope: 'tenant', owner: 'sliced', entity: 'device', at: 1 } as const;
      const put = (id: string, n: number) => ({ ...scope, id, op: 'put', body: { n } }) as const;
      await write((tx) =>
        recordChanges(
          tx,
          ['a', 'b', 'c', 'd', 'e'].map((id) => put(id, 1)),
        ),
      );
      await write((tx) => recordChanges(tx, [put('b', 2), { ...scope, id: 'c', op: 'delete' }]));
      await write((tx) =>
        recordChanges(tx, [put('a', 3), { ...scope, entity: 'trunk', id: 'x', op: 'put', body: {} }]),
      );
      const { store } = database;
      for (const limit of [1, 2, 100]) {
        const seen: unknown[] = [];
        const hashed: unknown[] = [];
        let after: { entity: string; id: string } | undefined;
        for (;;) {
          const slice = await scopeSlice(store, 'tenant', 'sliced', 2, after, limit);
          const hashes = await scopeHashSlice(store, 'tenant', 'sliced', 2, after, limit);
          seen.push(...slice.map(({ id, op, body }) => [id, op, (body as { n?: number } | null)?.n]));
          hashed.push(...hashes.map(({ id, op, hash }) => [id, op, hash]));
          expect(hashes.map(({ hash }) => hash)).toEqual(slice.map(({ hash }) => hash));
          after = slice.at(-1);
          if (slice.length < limit) break;
        }
        expect(seen).toEqual([
          ['a', 'put', 1],
          ['b', 'put', 2],
          ['c', 'delete', undefined],
          ['d', 'put', 1],
          ['e', 'put', 1],
        ]);
        expect(hashed).toHaveLength(5);
      }
      const puts = (await scopeSlice(store, 'tenant', 'sliced', 3, undefined, 100)).filter(
        ({ op }) => op === 'put',
      );
      expect(puts).toEqual(await rowsOfScope(store, 'tenant', 'sliced', 3));
    });

    test('notification settings: one row per tenant', async () => {
      for (const n of [1, 2])
        await write((tx) => putNotificationSettings(tx, { tenant: 't1', body: { n }, updatedAt: n }));
      expect(await readNotificationSettings(database.store, 't1')).toEqual({
        tenant: 't1',
        body: { n: 2 },
        updatedAt: 2,
      });
      expect(await readNotificationSettings(database.store, 't2')).toBeUndefined();
    });

    test('keys: of the named tenant first; tokens: by their hash', async () => {
      await write(async (tx) => {
        for (const tenant of ['t1', 't2'])
          await insertApiKey(tx, {
            tenant,
            kid: 'k',
            name: null,
            alg: 'ES256',
            jwk: { x: tenant },
            scope: null,
            createdAt: 1,
            maker: null,
            role: null,
          });
        const person = {
          id: 'p1',
          email: 'p1',
          platformOwner: true,
          createdAt: 1,
          passwordHash: null,
          profile: null,
        };
        await ensurePerson(tx, person);
        await ensurePerson(tx, person);
        const made = { maker: null, role: null };
        const token = { ...made, tenant: 't1', name: null, scope: null, createdAt: 1, expiresAt: null };
        await insertApiToken(tx, { ...token, id: 'a', hash: 'hash-a', person: 'p1' });
        await insertApiToken(tx, { ...token, id: 'b', hash: 'hash-b', person: null });
      });
      for (const [domain, order] of [
        ['t2.test', ['t2', 't1']],
        ['t1.test', ['t1', 't2']],
        [undefined, ['t1', 't2']],
      ] as const)
        expect((await apiKeysByKid(database.store, 'k', domain, 8)).map((row) => row.key.tenant)).toEqual(
          order,
        );
      expect(await apiTokenByHash(database.store, 'hash-a')).toMatchObject({
        token: { id: 'a' },
        tenant: { domain: 't1.test' },
      });
      expect(await apiTokenByHash(database.store, 'hash-b')).toMatchObject({
        token: { id: 'b' },
      });
      // Made before makers were kept: one acts for its person, the other as a key.
      expect(await grantOf(database.store, 't1', 'token:a')).toMatchObject({ role: null, maker: null });
      expect(await grantOf(database.store, 't1', 'token:b')).toMatchObject({ role: 'admin', maker: null });
      expect(await apiTokenByHash(database.store, 'nobody')).toBeUndefined();
    });

    describe('mutate', () => {
      const call = (key?: string, fingerprint = 'f', at = 1_000): Call => ({
        tenant: 't1',
        domain: 't1.test',
        actor: { name: 'x', address: '', requestId: 'r', at },
        ...(key === undefined ? {} : { once: { key, fingerprint } }),
      });
      const change = {
        scope: 'tenant',
        owner: 't1',
        entity: 'device',
        id: 'm',
        op: 'put',
        body: {},
        at: 1,
      } as const;

      test('a failure that is a value rolls back', async () => {
        const before = await currentRevision(database.store, 'tenant', 't1');
        const result = await mutate(database.store, call('key-f'), async (tx) => {
          await recordChange(tx, change);
          return fail('conflict', 'No.');
        });
        expect(result).toEqual(fail('conflict', 'No.'));
        expect(await currentRevision(database.store, 'tenant', 't1')).toBe(before);
      });

      test('the key of a failure is free, that of a success gives the first answer, for 24 h', async () => {
        let runs = 0;
        const work = async () => ok({ run: ++runs });
        const ask = (fingerprint: string, at: number) =>
          mutate(database.store, call('key-f', fingerprint, at), work);
        expect(await ask('f', 1_000)).toEqual(ok({ run: 1 }));
        expect(await ask('f', 2_000)).toEqual(ok({ run: 1 }));
        expect(await ask('g', 2_000)).toMatchObject({ ok: false, error: { code: 'idempotencyKeyReused' } });
        expect(await ask('g', 1_000 + 86_400_001)).toEqual(ok({ run: 2 }));
      });

      test('ten at once with one key run once', async () => {
        let runs = 0;
        const all = await Promise.all(
          Array.from({ length: 10 }, () =>
            mutate(database.store, call('key-many'), async () => ok({ run: ++runs })),
          ),
        );
        expect(all).toEqual(all.map(() => ok({ run: 1 })));
        expect(runs).toBe(1);
      });

      test('read, think, write by ten at once loses nothing', async () => {
        const add = () =>
          mutate(database.store, call(), async (tx) => {
            const n = Number((await readNotificationSettings(tx, 't1'))?.body.n ?? 0);
            await Promise.resolve();
            await putNotificationSettings(tx, { tenant: 't1', body: { n: n + 1 }, updatedAt: 1 });
            return ok(null);
          });
        await write((tx) => putNotificationSettings(tx, { tenant: 't1', body: { n: 0 }, updatedAt: 1 }));
        await Promise.all(Array.from({ length: 10 }, add));
        expect((await readNotificationSettings(database.store, 't1'))?.body).toEqual({ n: 10 });
      });
    });

    test('a tenant goes with everything of its own and nothing of others', async () => {
      await write((tx) => putDevice(tx, { tenant: 't2', id: 'stays', body: {}, updatedAt: 1 }));
      await write((tx) => putDevice(tx, { tenant: 't1', id: 'goes', body: {}, updatedAt: 1 }));
      await write((tx) => deleteTenant(tx, 't1'));
      expect(await countDevices(database.store, 't1')).toBe(0);
      expect(await countDevices(database.store, 't2')).toBe(1);
      expect(await apiTokenByHash(database.store, 'hash-a')).toBeUndefined();
      expect((await apiKeysByKid(database.store, 'k', undefined, 8)).map((row) => row.key.tenant)).toEqual([
        't2',
      ]);
    });
  });
}
