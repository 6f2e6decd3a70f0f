import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOf, readMigrations, tablesInOrder } from '#cloud/io/database/index.ts';
import type { CopyEnd, StorePort } from '#cloud/store/index.ts';
import {
  auditAfter,
  checkDatabase,
  copyDatabase,
  createStore,
  currentRevision,
  insertSite,
  insertTenant,
  migrate,
  putDevice,
  putItem,
  readItem,
  recordAudit,
  recordChange,
  sealStored,
  verifyAudit,
} from '#cloud/store/index.ts';
import { emptyPg, emptySqlite } from './database.ts';

const end = (port: StorePort): CopyEnd => ({ port, migrations: readMigrations(port.connection.dialect) });
const BRIDGE = { id: 'b', restAuthentication: [{ sub: 's', secret: 'kept' }] };
const actor = { name: 'system', address: '', requestId: 'r', at: 7 };

describe('copying SQLite to PostgreSQL and back', () => {
  let source: ReturnType<typeof emptySqlite>;
  let target: Awaited<ReturnType<typeof emptyPg>>;
  beforeAll(async () => {
    source = emptySqlite();
    target = await emptyPg();
    await migrate(source.port, readMigrations('sqlite'), 0);
    const store = createStore(source.port);
    await sealStored(source.port, store, 0);
    await store.withTx(async (tx) => {
      for (const id of ['t1', 't2'])
        await insertTenant(tx, { id, domain: `${id}.test`, name: null, createdAt: 1, notBefore: 0 });
      await insertSite(tx, {
        tenant: 't1',
        siteId: 'north',
        name: 'Åre ☎',
        profile: 'standard',
        reachable: true,
        keyPublic: { kty: 'OKP', crv: 'Ed25519', x: 'x', kid: 'k' },
        keySealed: 'sealed',
        createdAt: 1,
      });
      await putItem(tx, 'alarmBridge', { tenant: 't1', set: 'working', id: 'b', body: BRIDGE, updatedAt: 1 });
      for (let i = 0; i < 1_203; i++)
        await putDevice(tx, { tenant: 't1', id: `d-${i}`, body: { n: i, text: 'ä\u0001"' }, updatedAt: i });
      await recordChange(tx, {
        scope: 'tenant',
        owner: 't1',
        entity: 'alarmbridge',
        id: 'b',
        op: 'put',
        body: BRIDGE,
        at: 1,
      });
      await recordAudit(tx, actor, {
        tenant: 't1',
        action: 'create',
        entity: 'x',
        entityId: 'y',
        detail: { a: 1 },
      });
    });
  });
  afterAll(async () => {
    await source.close();
    await target.close();
  });

  const copy = async (from: StorePort, to: StorePort) =>
    await copyDatabase(end(from), end(to), await tablesInOrder(from.connection), 0);

  test('every table comes behind those it refers to', async () => {
    const order = await tablesInOrder(source.port.connection);
    for (const [parent, child] of [
      ['tenant', 'site'],
      ['site', 'claim'],
      ['tenant', 'device'],
    ] as const)
      expect(order.indexOf(parent)).toBeLessThan(order.indexOf(child));
  });

  test('all rows go over, with the same hashes, and everything works on: secrets, revisions, audit', async () => {
    const copied = await copy(source.port, target.port);
    if (!copied.ok) throw new Error(copied.error.reason);
    expect(copied.value).toContainEqual({ table: 'device', rows: 1_203 });
    const [before, after] = [createStore(source.port), createStore(target.port)];
    const { sha256 } = source.port;
    const report = await checkDatabase(after, sha256);
    expect(report).toEqual(await checkDatabase(before, sha256));
    expect(report.faults).toEqual([]);
    const bridge = await readItem(after, 'alarmBridge', { tenant: 't1', set: 'working' }, 'b');
    expect(bridge?.body).toEqual(BRIDGE);
    const next = await after.withTx((tx) =>
      recordChange(tx, { scope: 'tenant', owner: 't1', entity: 'device', id: 'd', op: 'delete', at: 2 }),
    );
    expect(next).toBe(2);
    await after.withTx((tx) =>
      recordAudit(tx, actor, { tenant: 't1', action: 'b', entity: 'x', entityId: 'y' }),
    );
    expect(verifyAudit(await auditAfter(after, 't1', 0, 10), sha256)).toBeNull();
  });

  test('a target with rows is refused and left as it is', async () => {
    const again = await copy(source.port, target.port);
    expect(again).toMatchObject({ ok: false, error: { code: 'notEmpty' } });
    expect(await currentRevision(createStore(target.port), 'tenant', 't1')).toBe(2);
  });

  test('the copy back is the same', async () => {
    const back = emptySqlite();
    const copied = await copy(target.port, back.port);
    expect(copied).toMatchObject({ ok: true });
    expect(await faultsOf(back.port.connection)).toEqual([]);
    await back.close();
  });

  test('a table that the order forgets stops the copy', async () => {
    const empty = emptySqlite();
    await expect(copyDatabase(end(source.port), end(empty.port), ['tenant'], 0)).rejects.toThrow(
      'no place in the order for',
    );
    await empty.close();
  });

  test('a row that does not arrive as it was keeps nothing', async () => {
    const empty = emptySqlite();
    await migrate(empty.port, readMigrations('sqlite'), 0);
    const lease = await empty.port.connection.lease();
    await lease.exec(
      `CREATE TRIGGER bend AFTER INSERT ON device WHEN new.id = 'd-7' BEGIN UPDATE device SET body = '{}' WHERE id = 'd-7'; END`,
    );
    await lease.release(false);
    const copied = await copy(source.port, empty.port);
    expect(copied).toMatchObject({ ok: false, error: { code: 'copyDiffers' } });
    const store = createStore(empty.port);
    expect(await store.db.select().from(store.tables.tenant)).toEqual([]);
    await empty.close();
  });
});

describe('checking a database', () => {
  test('a broken reference, a counter behind and a secret that was moved are named', async () => {
    const { port, close } = emptySqlite();
    await migrate(port, readMigrations('sqlite'), 0);
    const store = createStore(port);
    await sealStored(port, store, 0);
    await store.withTx(async (tx) => {
      await insertTenant(tx, { id: 't1', domain: 't1.test', name: null, createdAt: 1, notBefore: 0 });
      await putItem(tx, 'alarmBridge', { tenant: 't1', set: 'working', id: 'b', body: BRIDGE, updatedAt: 1 });
      await recordChange(tx, {
        scope: 'tenant',
        owner: 't1',
        entity: 'device',
        id: 'd',
        op: 'put',
        body: {},
        at: 1,
      });
    });
    expect((await checkDatabase(store, port.sha256)).faults).toEqual([]);
    const lease = await port.connection.lease();
    await lease.exec(`PRAGMA foreign_keys = OFF; DELETE FROM tenant; PRAGMA foreign_keys = ON;
      UPDATE scope_revision SET rev = 0; UPDATE alarm_bridge SET id = 'elsewhere';`);
    await lease.release(false);
    expect((await checkDatabase(store, port.sha256)).faults).toEqual([
      'alarm_bridge: 1 bodies hold secrets that do not open with this key',
      'the counter of tenant t1 is behind its change 1',
    ]);
    expect(await faultsOf(port.connection)).toEqual(['alarm_bridge row 1 refers to no row of tenant']);
    await close();
  });
});
