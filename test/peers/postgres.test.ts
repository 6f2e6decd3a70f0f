import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseCommands } from '#cloud/cli/index.ts';
import { keepRecordPartitions, openDatabase, readMigrations } from '#cloud/io/database/index.ts';
import {
  auditAfter,
  changesSince,
  createStore,
  insertTenant,
  migrate,
  mutate,
  putDevice,
  recordAudit,
  recordChange,
  type Store,
  type StorePort,
  verifyAudit,
} from '#cloud/store/index.ts';
import { ok } from '#shared/result.ts';
import { Place } from '#test/bench/support/place.ts';
import { emptyPg, vault } from '#test/cloud/store/database.ts';
import { deviceTextSuite } from '#test/cloud/store/device-text.suite.ts';
import { hostStatusSuite } from '#test/cloud/store/host-status.suite.ts';
import { installationKeySuite } from '#test/cloud/store/installation-key.suite.ts';
import { migrationSuite } from '#test/cloud/store/migration.suite.ts';
import { paritySuite } from '#test/cloud/store/parity.suite.ts';
import { repositorySuite } from '#test/cloud/store/repository.suite.ts';
import { rotationSuite } from '#test/cloud/store/rotation.suite.ts';
import { sealSuite } from '#test/cloud/store/seal.suite.ts';
import { storeSuite } from '#test/cloud/store/store.suite.ts';
import { freePorts } from '#test/support/site-port.ts';
import { SiteProcess } from '#test/support/site-process.ts';
import { CARILLON } from '../support/program/program.ts';
import { type Postgres, startPostgres } from './support/postgres.ts';
import { runProgram } from './support/program.ts';

const place = new Place();
let server: Postgres;

beforeAll(async () => {
  server = await place.keep(startPostgres());
  process.env.TEST_POSTGRES = server.url;
});
afterAll(() => place.close());

describe('PostgreSQL', () => {
  it('is the version of Debian 12', () => expect(server.version).toMatch(/^PostgreSQL 15\./));
  migrationSuite('pg');
  paritySuite('pg');
  storeSuite('pg');
  repositorySuite('pg');
  sealSuite('pg');
  rotationSuite('pg');
  installationKeySuite('pg');
  deviceTextSuite('pg');
  hostStatusSuite('pg');
});

describe('two programs on one database', () => {
  let first: StorePort;
  let second: StorePort;
  let stores: readonly [Store, Store];
  let close: () => Promise<void>;
  beforeAll(async () => {
    const empty = await emptyPg();
    first = empty.port;
    const { rows } = (await (
      first.connection.reader as unknown as {
        execute: (text: string) => Promise<{ rows: { name: string }[] }>;
      }
    ).execute('SELECT current_database() AS name')) as { rows: { name: string }[] };
    const url = new URL(server.url);
    url.pathname = `/${rows[0]?.name}`;
    second = openDatabase(url.href, vault, () => undefined);
    close = async () => {
      await second.connection.close();
      await empty.close();
    };
    stores = [createStore(first), createStore(second)];
  });
  afterAll(() => close());

  const call = (at: number, key?: string) => ({
    tenant: 't1',
    domain: 't1.test',
    actor: { name: 'system', address: '', requestId: 'r', at },
    ...(key === undefined ? {} : { once: { key, fingerprint: 'same' } }),
  });

  it('migrations: one runs them, the other waits and finds nothing to do', async () => {
    const files = readMigrations('pg');
    const ran = await Promise.all([migrate(first, files, 1), migrate(second, files, 2)]);
    expect(ran.map((names) => names.length).toSorted((a, b) => a - b)).toEqual([0, files.length]);
    await stores[0].withTx(async (tx) => {
      for (const id of ['t1', 't2', 't9'])
        await insertTenant(tx, { id, domain: `${id}.test`, name: null, createdAt: 1, notBefore: 0 });
    });
  });

  it('a hundred writers at once: revisions without gap or double, an audit chain that is whole', async () => {
    await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        mutate(i % 2 === 0 ? stores[0] : stores[1], call(i), async (tx) => {
          const id = `d-${i % 17}`;
          await putDevice(tx, { tenant: 't1', id, body: { i }, updatedAt: i });
          await recordChange(tx, {
            scope: 'tenant',
            owner: 't1',
            entity: 'device',
            id,
            op: 'put',
            body: { i },
            at: i,
          });
          await recordAudit(tx, call(i).actor, {
            tenant: 't1',
            action: 'put',
            entity: 'device',
            entityId: id,
          });
          return ok(null);
        }),
      ),
    );
    const changes = await changesSince(stores[0], 'tenant', 't1', 0, 1_000);
    expect(changes.map(({ rev }) => rev)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
    const rows = await auditAfter(stores[1], 't1', 0, 1_000);
    expect(rows).toHaveLength(100);
    expect(verifyAudit(rows, first.sha256)).toBeNull();
    // The row that stands is the one whose change came last: lock order and revision order are one.
    const last = changes.filter(({ id }) => id === 'd-3').at(-1);
    const [device] = (await stores[0].db.select().from(stores[0].tables.device)).filter(
      ({ id }) => id === 'd-3',
    );
    expect(device?.body).toEqual(last?.body);
  });

  it('writers of different tenants do not wait for each other', async () => {
    const held = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const slow = mutate(stores[0], { ...call(1), tenant: 't1' }, async () => {
      entered.resolve();
      await held.promise;
      return ok('slow');
    });
    await entered.promise;
    expect(await mutate(stores[1], { ...call(1), tenant: 't2' }, async () => ok('other'))).toEqual(
      ok('other'),
    );
    const same = mutate(stores[1], { ...call(1), tenant: 't1' }, async () => ok('same'));
    const early = await Promise.race([
      same,
      new Promise((resolve) => setTimeout(() => resolve('waits'), 200)),
    ]);
    expect(early).toBe('waits');
    held.resolve();
    expect([await slow, await same]).toEqual([ok('slow'), ok('same')]);
  });

  it('one idempotency key given to both at once runs once', async () => {
    let runs = 0;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        mutate(i % 2 === 0 ? stores[0] : stores[1], call(5, 'key-1'), async () => {
          runs += 1;
          return ok(`run ${runs}`);
        }),
      ),
    );
    expect(runs).toBe(1);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  it('a transaction over its limit loses its connection and its rows, and the pool goes on', async () => {
    let fire: () => void = () => undefined;
    const store = createStore({
      ...first,
      startTimer: (_, onFire) => {
        fire = onFire;
        return () => undefined;
      },
    });
    const work = store.withTx(async (tx) => {
      await putDevice(tx, { tenant: 't9', id: 'lost', body: {}, updatedAt: 1 });
      fire();
      await new Promise(() => undefined);
    });
    await expect(work).rejects.toThrow('rolled back');
    const rows = await stores[1].db.select().from(stores[1].tables.device);
    expect(rows.some(({ id }) => id === 'lost')).toBe(false);
  });

  /** As a backup does: reads the devices, and holds their table until the transaction ends. */
  async function holdDevices(): Promise<() => Promise<void>> {
    const lease = await second.connection.lease();
    await lease.exec('BEGIN');
    await lease.exec('SELECT 1 FROM device LIMIT 1');
    return async () => {
      await lease.exec('COMMIT');
      await lease.release(false);
    };
  }
  const adds = { name: '9000-expand-note', sql: 'ALTER TABLE device ADD COLUMN note TEXT' };
  const withNote = () => [...readMigrations('pg'), adds];

  it('a migration says what it would wait for', async () => {
    const end = await holdDevices();
    await expect(migrate(first, withNote(), 3)).rejects.toThrow('Another transaction holds a table');
    await end();
  });

  it('a migration lets others go first again and again, and runs when the table is free', async () => {
    const end = await holdDevices();
    let held = 0;
    const ran = await migrate(first, withNote(), 3, {
      onHeld: async (tries) => {
        expect(tries).toBe(++held);
        // A read behind a migration that waits would wait for the backup, too.
        await second.connection.rows('SELECT id FROM device LIMIT 1', []);
        if (tries === 2) await end();
      },
    });
    expect([held, ran]).toEqual([2, [adds.name]]);
  });

  it('a month of records is not made while a transaction holds their table, and nothing waits behind it', async () => {
    const lease = await second.connection.lease();
    await lease.exec('BEGIN');
    await lease.exec('SELECT 1 FROM session_record LIMIT 1');
    const begun = performance.now();
    expect(await keepRecordPartitions(first.connection, [209901], 0)).toEqual({ made: [], removed: [] });
    expect(performance.now() - begun).toBeLessThan(4_000);
    await lease.exec('COMMIT');
    await lease.release(false);
    const name = 'session_record_209901';
    expect(await keepRecordPartitions(first.connection, [209901], 0)).toEqual({ made: [name], removed: [] });
  });

  // Longer than a statement of the program may take, and longer than a silent connection counts as alive.
  it('a migration takes the time that it needs', async () => {
    const slow = { name: '9001-expand-slow', sql: 'SELECT pg_sleep(10.5)' };
    expect(await migrate(first, [...withNote(), slow], 4)).toEqual([slow.name]);
  });
});

describe('carillon cloud with CARILLON_DATABASE=postgres://…', () => {
  let cloud: SiteProcess;
  let folder: string;
  let api: string;
  let onSqlite: Readonly<Record<string, string>>;
  let onPostgres: Readonly<Record<string, string>>;
  beforeAll(async () => {
    folder = place.folder();
    const [http = 0, edge = 0, mqtt = 0] = await freePorts('127.0.0.1', 3);
    api = `http://127.0.0.1:${http}`;
    onSqlite = { CARILLON_DATABASE: `sqlite:${join(folder, 'cloud.db')}` };
    onPostgres = { CARILLON_DATABASE: server.url };
    cloud = new SiteProcess({
      name: 'the cloud',
      command: [process.execPath, CARILLON, 'cloud'],
      environment: {
        CARILLON_DATA: folder,
        CARILLON_HTTP: `127.0.0.1:${http}`,
        CARILLON_EDGE: `127.0.0.1:${edge}`,
        CARILLON_MQTT_LISTEN: `127.0.0.1:${mqtt}`,
        CARILLON_BOOTSTRAP_TOKEN: 'owner-of-the-journey',
        CARILLON_LOG: 'warn',
      },
      logFile: join(folder, 'cloud.log'),
    });
  });
  afterAll(() => cloud.stop());

  async function ask(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const answer = await fetch(`${api}${path}`, {
      method,
      headers: {
        authorization: 'Bearer owner-of-the-journey',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, ...((await answer.json()) as object) };
  }

  const carillon = (...words: readonly string[]) =>
    runProgram(process.execPath, [CARILLON, ...words, '--data', folder, '--json']);

  it('a tenant begins on SQLite', async () => {
    await cloud.start(onSqlite);
    expect(await ask('POST', '/platform/tenant', { domain: 'moves.example' })).toMatchObject({ status: 200 });
    for (let i = 0; i < 120; i++)
      expect(
        await ask('PUT', '/provisioning/device/moves.example', {
          deviceId: `d-${i}`,
          authType: i % 2 === 0 ? 'deviceid' : 'credentials',
          srtp: 'never',
        }),
      ).toMatchObject({ status: 200 });
    await ask('PUT', '/provisioning/notificationsettings/moves.example', {
      alarmEventsRestEndpoint: 'https://arc.example/alarms',
      restAuthentication: [{ sub: 's', secret: 'planted-secret', type: 'HS256' }],
    });
    await cloud.stop();
  });

  it('is copied with the cloud stopped', async () => {
    const copied = await carillon(
      'db',
      'copy',
      '--database',
      String(onSqlite.CARILLON_DATABASE),
      '--to',
      server.url,
    );
    expect(copied).toMatchObject({ code: 0, stderr: '' });
    const { copied: tables } = JSON.parse(copied.stdout) as { copied: { table: string; rows: number }[] };
    expect(tables).toContainEqual({ table: 'device', rows: 120 });
    const before = await carillon('db', 'check', '--database', String(onSqlite.CARILLON_DATABASE));
    const after = await carillon('db', 'check', '--database', server.url);
    expect(after).toEqual(before);
    expect(JSON.parse(after.stdout)).toMatchObject({ faults: [] });
    expect(
      await carillon('db', 'copy', '--database', String(onSqlite.CARILLON_DATABASE), '--to', server.url),
    ).toMatchObject({ code: 76, stderr: expect.stringContaining('copy into an empty database only') });
  });

  it('and goes on working on PostgreSQL, also after a kill', async () => {
    await cloud.start(onPostgres);
    expect(await ask('GET', '/provisioning/device/moves.example/d-1')).toMatchObject({
      status: 200,
      authType: 'credentials',
      ha1: '<secret>',
    });
    expect(
      await ask('PUT', '/provisioning/device/moves.example', {
        deviceId: 'new',
        authType: 'deviceid',
        srtp: 'never',
      }),
    ).toMatchObject({ status: 200 });
    const head = await ask('GET', '/provisioning/audit/moves.example/head');
    await cloud.kill();
    await cloud.start(onPostgres);
    expect(await ask('GET', '/provisioning/audit/moves.example/head')).toEqual(head);
    expect(await ask('GET', '/provisioning/notificationsettings/moves.example')).toMatchObject({
      notificationsettings: { restAuthentication: [{ secret: '<secret>' }] },
    });
    expect((await ask('DELETE', '/provisioning/device/moves.example/new')).status).toBe(200);
    expect((await fetch(`${api}/readyz`)).status).toBe(200);
    await cloud.stop();
  });

  let keyNames: { readonly before: string; readonly after: string };
  it('takes another key-encryption key, and numbers ahead of a backup, with the cloud stopped', async () => {
    const settings = { flags: { data: folder, database: server.url }, environment: {}, file: {} };
    const rotated = await databaseCommands.rotateKey(settings);
    if (!rotated.ok) throw new Error(rotated.error.reason);
    keyNames = rotated.value;
    // 60 devices with credentials and the settings, in their rows and in their changes.
    expect(rotated.value.rows).toBeGreaterThanOrEqual(122);
    const marked = await databaseCommands.markRestored(settings);
    expect(marked).toMatchObject({ ok: true, value: { hosts: 0, newestAt: expect.any(Number) } });
    expect(await databaseCommands.check(settings)).toMatchObject({ ok: true, value: { faults: [] } });
    await cloud.start(onPostgres);
    expect(await ask('GET', '/provisioning/notificationsettings/moves.example')).toMatchObject({
      notificationsettings: { restAuthentication: [{ secret: '<secret>' }] },
    });
    await cloud.stop();
  });

  it('no secret is to be read in the database', async () => {
    const dump = await runProgram('/usr/lib/postgresql/15/bin/pg_dump', [`--dbname=${server.url}`]);
    expect(dump.code).toBe(0);
    expect(dump.stdout).toContain('moves.example');
    expect(dump.stdout).not.toContain('planted-secret');
    expect(dump.stdout).toContain(`v1:${keyNames.after}:`);
    expect(dump.stdout).not.toContain(`v1:${keyNames.before}:`);
  });
});
