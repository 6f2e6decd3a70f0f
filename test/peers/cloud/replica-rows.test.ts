import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, readMigrations } from '#cloud/io/database/index.ts';
import {
  announcementsOf,
  claimRelays,
  createStore,
  fencedStore,
  insertHost,
  insertRelay,
  insertTenant,
  LeaseLost,
  listTenants,
  migrate,
  ownedShards,
  recentAnnouncements,
  recordChange,
  releaseShards,
  renewReplica,
  renewShards,
  type Store,
  takeShards,
  takeTwinNumber,
  updateHost,
} from '#cloud/store/index.ts';
import { SHARDS } from '#shared/contract/feed/index.ts';
import { ulid } from '#shared/id.ts';
import { Place } from '#test/bench/support/place.ts';
import { Wire } from '#test/campaign/replica/wire.ts';
import { vault } from '#test/cloud/store/database.ts';
import { HOST_ROW } from '#test/support/host-row.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';

const LEASE_MS = 60_000;
const place = new Place();
let server: Postgres;
let a: Store;
let b: Store;

/** The store of a replica with connections of its own. */
function replica(url: string, name: string): Store {
  const port = openDatabase(url, vault, () => undefined);
  const newId = () => ulid(Date.now(), crypto.getRandomValues(new Uint8Array(10)));
  const announcements = announcementsOf(name, newId, { written: () => undefined, fresh: () => true });
  return createStore({ ...port, announcements });
}

beforeAll(async () => {
  server = await place.keep(startPostgres());
  [a, b] = [replica(server.url, 'a'), replica(server.url, 'b')];
  const port = openDatabase(server.url, vault, () => undefined);
  await migrate(port, readMigrations('pg'), 0);
  await port.connection.close();
  await a.withTx((tx) => renewReplica(tx, 'a', LEASE_MS));
  await b.withTx((tx) => renewReplica(tx, 'b', LEASE_MS));
  for (const store of [a, b]) await place.keep(Promise.resolve({ stop: () => store.close() }));
});
afterAll(() => place.close());

const tenant = (id: string) => ({ id, domain: `${id}.test`, name: null, createdAt: 0, notBefore: 0 });
const tenants = async () => (await listTenants(b, '', 1_000)).map(({ id }) => id);

/** The shard with a term of `a`, whose lease has run out. */
async function expired(sh: string) {
  const [term] = await a.withTx((tx) => takeShards(tx, [sh], 'a', -1));
  if (term === undefined) throw new Error('not taken');
  return fencedStore(a, term);
}
const takeOver = (sh: string) => b.withTx((tx) => takeShards(tx, [sh], 'b', LEASE_MS));

/** Resolves when a transaction waits for the lock of a shard. */
async function untilWaiting(): Promise<void> {
  for (;;) {
    const rows = await a.rows(
      "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted",
      [],
    );
    if (Number(rows[0]?.[0]) > 0) return;
  }
}

describe('the fence of a shard', () => {
  it('a transaction that has passed it is waited for, and one behind the take-over leaves nothing', async () => {
    const fenced = await expired('01');
    const inside = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const writing = fenced.withTx(async (tx) => {
      inside.resolve();
      await goOn.promise;
      await insertTenant(tx, tenant('before'));
    });
    await inside.promise;
    let isTaken = false;
    const taking = takeOver('01').then((terms) => {
      isTaken = true;
      return terms;
    });
    await untilWaiting();
    expect(isTaken).toBe(false);
    goOn.resolve();
    await writing;
    expect(await taking).toMatchObject([{ sh: '01', owner: 'b', epoch: 2 }]);
    await expect(fenced.withTx((tx) => insertTenant(tx, tenant('behind')))).rejects.toThrow(LeaseLost);
    expect(await tenants()).toEqual(['before']);
  });

  it('one that waits for the take-over at its begin is refused by the term behind it', async () => {
    const fenced = await expired('02');
    const inside = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const taking = b.withTx(async (tx) => {
      const terms = await takeShards(tx, ['02'], 'b', LEASE_MS);
      inside.resolve();
      await goOn.promise;
      return terms;
    });
    await inside.promise;
    const writing = fenced.withTx((tx) => insertTenant(tx, tenant('meanwhile')));
    const refused = expect(writing).rejects.toThrow(LeaseLost);
    await untilWaiting();
    goOn.resolve();
    expect(await taking).toHaveLength(1);
    await refused;
    expect(await tenants()).not.toContain('meanwhile');
  });

  it('a process that hangs inside a transaction holds a take-over up for three seconds at most', async () => {
    const fenced = await expired('03');
    const inside = Promise.withResolvers<void>();
    const hanging = fenced.withTx(async (tx) => {
      await insertTenant(tx, tenant('hung'));
      inside.resolve();
      await new Promise(() => undefined);
    });
    const ended = expect(hanging).rejects.toThrow();
    await inside.promise;
    const beganMs = performance.now();
    expect(await takeOver('03')).toHaveLength(1);
    expect(performance.now() - beganMs).toBeLessThan(5_000);
    await ended;
    expect(await tenants()).not.toContain('hung');
  });
});

it('replicas that take, renew and give back many shards at once do not wait for each other', async () => {
  const shards = Array.from({ length: 64 }, (_, n) => (n + 64).toString(16));
  const give = (store: Store, name: string) =>
    store.withTx(async (tx) => releaseShards(tx, (await ownedShards(tx, name)).toReversed()));
  for (let round = 0; round < 20; round++) {
    expect(await a.withTx((tx) => takeShards(tx, shards, 'a', LEASE_MS))).toHaveLength(shards.length);
    await Promise.all([
      a.withTx((tx) => renewShards(tx, 'a', LEASE_MS)),
      give(a, 'a'),
      b.withTx((tx) => takeShards(tx, shards.toReversed(), 'b', LEASE_MS)),
    ]);
    await give(b, 'b');
    await give(a, 'a');
  }
});

describe('work that must happen once', () => {
  const relay = (id: string) => ({
    id,
    tenant: 'before',
    body: {},
    state: 'waiting' as const,
    createdAt: 0,
    notBefore: 0,
    deadline: 1,
    attempts: 0,
    refusals: 0,
    lastError: null,
  });

  it('two replicas that look for deliveries at once claim each of them once', async () => {
    const ids = Array.from({ length: 80 }, (_, n) => `relay-${String(n).padStart(3, '0')}`);
    await a.withTx(async (tx) => {
      for (const id of ids) await insertRelay(tx, relay(id));
    });
    const claimed = await Promise.all(
      Array.from({ length: 10 }, (_, n) => {
        const [store, name] = n % 2 === 0 ? ([a, 'a'] as const) : ([b, 'b'] as const);
        return store.withTx((tx) => claimRelays(tx, name, 1, 16, LEASE_MS));
      }),
    );
    const taken = claimed.flat().map(({ id }) => id);
    expect(taken.length).toBeGreaterThanOrEqual(ids.length / 2);
    expect(taken).toHaveLength(new Set(taken).size);
  });

  it('the claims of a replica that is dead are free again', async () => {
    await b.withTx((tx) => renewReplica(tx, 'dead', -1));
    await a.withTx((tx) => insertRelay(tx, relay('of-the-dead')));
    const claim = (name: string) => a.withTx((tx) => claimRelays(tx, name, 1, 100, LEASE_MS));
    expect((await claim('dead')).map(({ id }) => id)).toContain('of-the-dead');
    expect((await claim('b')).map(({ id }) => id)).toContain('of-the-dead');
    expect(await claim('a')).toEqual([]);
  });

  it('two replicas that make the twin of a host at once give it one number', async () => {
    const where = { uid: 'u1', tenant: 'before', siteId: 's', hostId: 'h', sh: '00' };
    const life = { lifecycle: 'active' as const, lifecycleSince: 0, createdAt: 0 };
    const host = { ...HOST_ROW, ...where, ...life };
    await a.withTx((tx) => insertHost(tx, host));
    const taken = await Promise.all(
      [a, b, a, b].map((store, n) => store.withTx((tx) => takeTwinNumber(tx, host, { n }))),
    );
    expect(taken.filter((isTaken) => isTaken)).toHaveLength(1);
  });
});

describe('announcements', () => {
  it('bring revisions, rows of supervision and changes of access to the listeners of another replica', async () => {
    const announced: unknown[] = [];
    b.onChange(({ scope, owner }, remote) => announced.push([scope, owner, remote]));
    b.onNotice((notices, remote) =>
      announced.push([...[...notices].map(({ kind, id }) => `${kind} ${id}`), remote]),
    );
    const known = new Set((await recentAnnouncements(b, 'b', 60_000)).rows.map(({ id }) => id));
    const epoch = b.accessEpoch();
    await a.withTx(async (tx) => {
      await recordChange(tx, {
        ...{ scope: 'tenant', owner: 'before', entity: 'device', id: 'd', op: 'put', body: {}, at: 1 },
      });
      await updateHost(tx, 'u1', { version: '2' });
    });
    await a.withTx((tx) => insertTenant(tx, tenant('new')));
    const { rows } = await recentAnnouncements(b, 'b', 60_000);
    for (const { id, body } of rows) if (!known.has(id)) b.hear(body);
    expect(announced).toEqual([
      ['tenant', 'before', true],
      ['host u1', true],
    ]);
    expect(b.accessEpoch()).toBe(epoch + 1);
    // Those of its own commits it has heard already.
    expect((await recentAnnouncements(a, 'a', 60_000)).rows.filter(({ replica: by }) => by === 'a')).toEqual(
      [],
    );
  });

  it('a commit that is rolled back announces nothing', async () => {
    const before = (await recentAnnouncements(b, 'b', 60_000)).rows.length;
    await expect(
      a.withTx(async (tx) => {
        await updateHost(tx, 'u1', { version: '3' });
        throw new Error('not today');
      }),
    ).rejects.toThrow('not today');
    expect((await recentAnnouncements(b, 'b', 60_000)).rows).toHaveLength(before);
  });
});

describe('the release of shards', () => {
  it('waits for another one of the same shards in the opposite order, and ends in no deadlock', async () => {
    const terms = await a.withTx((tx) => takeShards(tx, SHARDS, 'a', LEASE_MS));
    await Promise.all([
      a.withTx((tx) => releaseShards(tx, terms)),
      b.withTx((tx) => releaseShards(tx, terms.toReversed())),
    ]);
    expect(await ownedShards(a, 'a')).toEqual([]);
  });
});

describe('a migration beside a replica that works', () => {
  const lookedAtBehind = (wait: string): string => {
    const url = new URL(server.url);
    url.searchParams.set('options', `-c deadlock_timeout=${wait}`);
    return url.href;
  };

  /** Resolves when the migration has one table and waits for the other one. */
  async function untilMigrationWaits(): Promise<void> {
    for (;;) {
      const rows = await b.rows(
        "SELECT 1 FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND NOT granted",
        [],
      );
      if (rows.length > 0) return;
    }
  }

  const files = [...readMigrations('pg')];

  // The server looks once for those who wait for each other, behind this wait, and ends the one for which it looks. A migration that does
  // not get a table within a second ends by itself.
  it.each([
    ['100ms', '9000-expand-late', 'late'],
    ['3s', '9001-expand-later', 'later'],
  ])(
    'that waits for it in return, looked for behind %s: it lets the replica go first, and runs then',
    async (wait, name, column) => {
      const port = openDatabase(lookedAtBehind(wait), vault, () => undefined);
      const working = replica(lookedAtBehind('1min'), `working ${wait}`);
      await place.keep(Promise.resolve({ stop: () => working.close() }));
      await place.keep(Promise.resolve({ stop: () => port.connection.close() }));
      files.push({
        name,
        sql: `ALTER TABLE tenant ADD COLUMN ${column} TEXT; ALTER TABLE device ADD COLUMN ${column} TEXT;`,
      });
      let held = 0;
      const onHeld = async () => void held++;
      let starting: Promise<string[]> | undefined;
      await working.withTx(async ({ db, tables }) => {
        await db.select().from(tables.device).limit(1);
        starting = migrate(port, files, 0, { onHeld });
        await untilMigrationWaits();
        await db.insert(tables.tenant).values(tenant(`beside-${column}`));
      });
      expect(await starting).toEqual([name]);
      expect(held).toBeGreaterThan(0);
      expect(await tenants()).toContain(`beside-${column}`);
    },
  );
});

describe('connections that were lost while they were idle', () => {
  const NAME = 'reader';
  let wire: Wire;
  let store: Store;
  beforeAll(async () => {
    const url = new URL(server.url);
    wire = await place.keep(Wire.open(Number(url.port)));
    url.port = String(wire.port);
    url.searchParams.set('application_name', NAME);
    store = replica(url.href, NAME);
    await place.keep(Promise.resolve({ stop: () => store.close() }));
  });

  /** More at once than one connection serves, through rows and through the query builder; or as transactions. */
  const reads = () =>
    Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        n % 2 === 0 ? store.rows('SELECT 1', []) : listTenants(store, '', 1),
      ),
    );
  const backends = async () => {
    const rows = await a.rows('SELECT count(*) FROM pg_stat_activity WHERE application_name = $1', [NAME]);
    return Number(rows[0]?.[0]);
  };

  let written = 0;
  const writes = () =>
    Promise.all(
      Array.from({ length: 8 }, () => {
        const row = tenant(`begun-${++written}`);
        return store.withTx(async (tx) => {
          await insertTenant(tx, row);
          return row.id;
        });
      }),
    );
  const ended = () =>
    a.rows('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [NAME]);

  describe.each([
    ['reads are answered by new ones', reads],
    ['transactions begin on new ones', writes],
  ])('%s', (_, answered) => {
    it('the server has ended them, and its message comes when the work has begun', async () => {
      await answered();
      expect(await backends()).toBeGreaterThan(1);
      wire.cut();
      await ended();
      await expect.poll(backends).toBe(0);
      const answers = answered();
      // All of it is sent by then.
      await new Promise((resolve) => setImmediate(resolve));
      wire.join();
      expect(await answers).toHaveLength(8);
    });

    it('no word of their end comes', async () => {
      await answered();
      wire.forget();
      expect(await answered()).toHaveLength(8);
    });
  });

  it('a row that was sent behind the begin is not sent again', async () => {
    let runs = 0;
    const lost = store.withTx(async (tx) => {
      runs += 1;
      await insertTenant(tx, tenant('half'));
      await ended();
    });
    await expect(lost).rejects.toThrow(/Failed query/);
    expect(runs).toBe(1);
    expect(await tenants()).not.toContain('half');
  });
});
