import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AnnouncedPort } from '#cloud/compose/infrastructure.ts';
import { RateLimiter } from '#cloud/http/routing/rate-limit.ts';
import type * as DatabaseModule from '#cloud/io/database/index.ts';
import { openDatabase, readMigrations } from '#cloud/io/database/index.ts';
import { DatabaseClock } from '#cloud/shard/index.ts';
import type * as StoreModule from '#cloud/store/index.ts';
import { ulid } from '#shared/id.ts';
import { ok } from '#shared/result.ts';
import { Place } from '#test/bench/support/place.ts';
import { vault } from '#test/cloud/store/database.ts';
import { HOST_ROW } from '#test/support/host-row.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';

/*
 * Two replicas of the program in one process, each with connections of its own: lease, announcements and deliveries as
 * `compose` joins them. The same story happens to the program as it is, and to one from which a part was taken away. A part whose
 * removal changes nothing would be one that no test needs. Nothing is renewed by the clock here: a replica that is not asked to
 * look hangs.
 */

type Parts = Pick<typeof StoreModule, 'fencedStore' | 'announcementsOf' | 'claimRelays'> &
  Pick<typeof DatabaseModule, 'openListenLink'>;

/** The parts, each without its effect. */
const REMOVED: { readonly [Part in keyof Parts]: Pick<Parts, Part> } = {
  openListenLink: { openListenLink: () => ({ hint: () => undefined, close: async () => undefined }) },
  fencedStore: { fencedStore: (store) => store },
  announcementsOf: {
    announcementsOf: (_, __, announced) => ({ ...announced, write: async () => undefined }),
  },
  claimRelays: {
    claimRelays: async ({ db, tables: { relay } }, _, __, limit) =>
      (await db.select().from(relay)).filter(({ state }) => state === 'waiting').slice(0, limit),
  },
};

const SH = '05';
const TENANT = { id: 't', domain: 't.test', name: null, createdAt: 0, notBefore: 0 };
const HOST = { ...HOST_ROW, uid: 'u1', tenant: 't', siteId: 's', hostId: 'h', sh: SH };
const DELIVERIES = 40;
const place = new Place();
let server: Postgres;
let databases = 0;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  server = await place.keep(startPostgres());
});
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
// Looks go by the clock that is stopped here; other waits are those of the machine.
vi.mock('#shared/timer/index.ts', () => ({
  every: (ms: number, look: () => void) => {
    const timer = setInterval(look, ms);
    return () => clearInterval(timer);
  },
}));
afterEach(async () => {
  for (const end of closing.splice(0).reverse()) await end();
  vi.useRealTimers();
  vi.doUnmock('#cloud/store/index.ts');
  vi.doUnmock('#cloud/io/database/index.ts');
  vi.resetModules();
});
afterAll(() => place.close());

/** An empty database of this version on the server. */
async function emptyDatabase(): Promise<string> {
  const name = `removal_${++databases}`;
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return url.href;
}

/** The program, without the removed part. */
async function program(removed: Partial<Parts>) {
  vi.resetModules();
  vi.doMock('#cloud/store/index.ts', async (original) => ({
    ...(await original<typeof StoreModule>()),
    ...removed,
  }));
  vi.doMock('#cloud/io/database/index.ts', async (original) => ({
    ...(await original<typeof DatabaseModule>()),
    ...removed,
  }));
  const store = await import('#cloud/store/index.ts');
  const { takeLease } = await import('#cloud/compose/lease.ts');
  const { hearReplicas } = await import('#cloud/compose/replica.ts');
  const { createCallbackRelay } = await import('#cloud/callback-relay/index.ts');
  return { ...store, takeLease, hearReplicas, createCallbackRelay };
}
type Program = Awaited<ReturnType<typeof program>>;

/** Every delivery that reached the endpoint of the tenant. It answers the first ones once both replicas have called. */
class Endpoint {
  readonly ids: string[] = [];
  readonly #callers = new Set<string>();
  readonly #both = Promise.withResolvers<void>();

  async post(replica: string, headers: Readonly<Record<string, string>>) {
    this.ids.push(headers['Idempotency-Key'] ?? '');
    this.#callers.add(replica);
    if (this.#callers.size === 2) this.#both.resolve();
    await this.#both.promise;
    return ok({ status: 200 });
  }
}

/** A replica as `compose` joins it, with a listener where the feed would publish. */
async function startReplica(
  { announcementsOf, createStore, takeLease, hearReplicas, createCallbackRelay }: Program,
  name: string,
  { url, endpoint }: { readonly url: string; readonly endpoint: Endpoint },
) {
  const machine = { wallMs: () => Date.now(), monoMs: () => performance.now() };
  const newId = () => ulid(Date.now(), crypto.getRandomValues(new Uint8Array(10)));
  const announced: AnnouncedPort = { written: () => undefined, fresh: () => true };
  const port = openDatabase(url, vault, () => undefined);
  closing.push(() => port.connection.close());
  const announcements = announcementsOf(name, newId, {
    written: () => announced.written(),
    fresh: () => announced.fresh(),
  });
  const store = createStore({ ...port, announcements });
  const infrastructure = {
    ...{ config: { database: url }, store, leases: store, replica: name, isSole: false, announced, closing },
    storage: { fault: () => null, written: () => undefined },
    clock: new DatabaseClock(machine),
    log: () => undefined,
  };
  const lease = await takeLease(infrastructure);
  hearReplicas(infrastructure, lease, {
    feed: { compareShard: () => undefined },
    monitoring: { refresh: () => undefined },
    hostChanged: () => undefined,
    limiter: new RateLimiter(machine.wallMs),
    missed: () => undefined,
  });
  const work = { begin: async () => undefined, end: async () => undefined };
  await lease.attach(work);
  const relay = createCallbackRelay({
    ...{
      store,
      replica: name,
      nowMs: machine.wallMs,
      random: (n) => crypto.getRandomValues(new Uint8Array(n)),
    },
    ...{ chance: () => 0.5, sha256: (text: string) => text, log: () => undefined },
    signJwt: async () => ok('token'),
    post: ({ headers }) => endpoint.post(name, headers),
  });
  return { store, lease, relay };
}

/** A story of two replicas; each figure is 0 where the program keeps its promise. */
async function story(removed: Partial<Parts>) {
  const url = await emptyDatabase();
  const parts = await program(removed);
  const { migrate, insertTenant, insertHost, updateHostStatus, readHostStatus, recordChange } = parts;
  const { insertRelay, putNotificationSettings, liveReplicas } = parts;
  const port = openDatabase(url, vault, () => undefined);
  await migrate(port, readMigrations('pg'), 0);
  await port.connection.close();
  const endpoint = new Endpoint();
  const a = await startReplica(parts, 'a', { url, endpoint });
  await a.store.withTx(async (tx) => {
    await insertTenant(tx, TENANT);
    const life = { lifecycle: 'active' as const, lifecycleSince: 0, createdAt: 0 };
    await insertHost(tx, { ...HOST, ...life });
    const body = { alarmEventsRestEndpoint: 'https://arc.example/alarms' };
    await putNotificationSettings(tx, { tenant: 't', body, updatedAt: 0 });
    for (let n = 0; n < DELIVERIES; n++)
      await insertRelay(tx, {
        ...{ id: `r${String(n).padStart(2, '0')}`, tenant: 't', body: {}, state: 'waiting', createdAt: 0 },
        ...{ notBefore: 0, deadline: Date.now() + 600_000, attempts: 0, refusals: 0, lastError: null },
      });
  });

  // The first replica hangs behind the choice of its store, and its lease runs out.
  const late = a.lease.storeOf(SH);
  await a.store.withTx(async ({ db, tables: { shardLease, replica } }) => {
    await db.update(shardLease).set({ until: 1 });
    await db.update(replica).set({ until: 1 });
  });
  const b = await startReplica(parts, 'b', { url, endpoint });
  expect(await until(() => b.lease.owns(SH))).toBe(true);
  await b.lease.storeOf(SH).withTx((tx) => updateHostStatus(tx, 'u1', { lastSeen: 2 }));
  // It goes on with what it saw before.
  await late.withTx((tx) => updateHostStatus(tx, 'u1', { lastSeen: 1 })).catch(() => undefined);
  const trespasses = (await readHostStatus(b.store, 'u1'))?.lastSeen === 2 ? 0 : 1;

  // A person changes a device at the first replica; the second one publishes it at the hint, or at its next look.
  let isNotified = false;
  b.store.onChange(({ owner }, isRemote) => {
    isNotified ||= isRemote && owner === 't';
  });
  await a.store.withTx((tx) =>
    recordChange(tx, { scope: 'tenant', owner: 't', entity: 'device', id: 'd', op: 'put', body: {}, at: 1 }),
  );
  const missed = async () => ((await until(() => isNotified, NOTIFIED_MS)) ? 0 : 1);
  const lateHints = await missed();
  vi.advanceTimersByTime(LOOK_MS);
  const missedHints = await missed();

  // Both look for deliveries at once.
  const bothLive = async () => {
    for (const { lease } of [a, b]) lease.look();
    return (await liveReplicas(b.store)).length === 2;
  };
  expect(await until(bothLive)).toBe(true);
  await Promise.all([a.relay.deliver(), b.relay.deliver()]);
  while ((await a.relay.deliver()) !== undefined);
  const deliveredTwice = endpoint.ids.length - new Set(endpoint.ids).size;
  const undelivered = DELIVERIES - new Set(endpoint.ids).size;
  return { trespasses, lateHints, unheard: missedHints, deliveredTwice, undelivered };
}
/** The look under the hint, how long a change may be under way, and a step on a machine that has other work. */
const [LOOK_MS, NOTIFIED_MS, STEP_MS] = [1_000, 6_000, 30_000];

/** Asks until it holds; false when it does not in time. `expect.poll` would let the clock of the replicas go on. */
async function until(holds: () => boolean | Promise<boolean>, withinMs = STEP_MS): Promise<boolean> {
  const untilMs = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > untilMs) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}
const KEPT = { trespasses: 0, lateHints: 0, unheard: 0, deliveredTwice: 0, undelivered: 0 };

describe('two replicas', () => {
  it('as they are: no row of a former owner, every change received at once, each delivery once', async () => {
    expect(await story({})).toEqual(KEPT);
  });

  it.each([
    ['the fence', REMOVED.fencedStore, { trespasses: 1 }],
    ['the announcement', REMOVED.announcementsOf, { lateHints: 1, unheard: 1 }],
    // The look is what counts: without hints a change is late, and not lost.
    ['the hint', REMOVED.openListenLink, { lateHints: 1 }],
    ['the claim', REMOVED.claimRelays, { deliveredTwice: expect.toSatisfy((n: number) => n > 0) }],
  ])('without %s the promise of this part is broken, and no other', async (_, removed, broken) => {
    expect(await story(removed)).toEqual({ ...KEPT, ...broken });
  });
});
