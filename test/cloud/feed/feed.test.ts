import { createHash, createPublicKey, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { compactVerify } from 'jose';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFeed, type Feed } from '#cloud/feed/index.ts';
import type { FeedPort } from '#cloud/feed/port.ts';
import { digest } from '#cloud/io/digest/index.ts';
import { configKeys, openSigner, openVault } from '#cloud/io/key/index.ts';
import {
  insertHost,
  insertSite,
  insertTenant,
  readHost,
  recordChange,
  type Store,
  updateHost,
  updateHostStatus,
} from '#cloud/store/index.ts';
import {
  type HashedRow,
  type Manifest,
  manifestSchema,
  parsePage,
  resultHash,
  rowHash,
  shardOf,
  type Twin,
  topicOf,
  twinSchema,
} from '#shared/contract/feed/index.ts';
import { ulid } from '#shared/id.ts';
import { HOST_ROW } from '#test/support/host-row.ts';
import { keptKey } from '#test/support/installation/kept-key.ts';
import { openTestDatabase } from '../store/database.ts';

const TENANT = '01jtenant0000000000000000t';
const LARGE = '01jlarge00000000000000000t';
const NOW = 1_770_000_000_000;
const folder = mkdtempSync(join(tmpdir(), 'carillon-feed-'));
const vault = openVault(folder);
const signer = openSigner(keptKey());
const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex');

let store: Store;
let feed: Feed;
let closeDatabase: () => Promise<void>;
let published: { topic: string; payload: string }[];
let offline: boolean;
let onPublished: (topic: string) => void;

beforeEach(async () => {
  const database = await openTestDatabase('sqlite');
  store = database.store;
  closeDatabase = database.close;
  published = [];
  offline = false;
  onPublished = () => undefined;
  feed = newFeed();
  await store.withTx(async (tx) => {
    await insertTenant(tx, { id: TENANT, domain: 'care.example', name: null, createdAt: NOW, notBefore: 0 });
    await insertSite(tx, {
      tenant: TENANT,
      siteId: 'north',
      name: null,
      profile: 'high',
      reachable: false,
      keyPublic: {},
      keySealed: '',
      createdAt: NOW,
    });
  });
  await feed.start({ ca: 'PEM', verifyKeys: signer.verifyKeys, publicUrl: 'http://127.0.0.1' });
});
afterEach(async () => {
  feed.stop();
  await feed.idle();
  await closeDatabase();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const newFeed = (more: Partial<FeedPort> = {}): Feed =>
  createFeed({
    store,
    owns: () => true,
    nowMs: () => NOW,
    sha256,
    hasher: digest.hasher,
    breathe: () => new Promise((resolve) => setImmediate(resolve)),
    sha256Bytes: sha256,
    gzip: async (text) => gzipSync(text),
    sign: signer.sign,
    vault,
    configKeys,
    publish: async (topic, payload) => {
      if (offline) throw new Error('no broker');
      published.push({ topic, payload });
      onPublished(topic);
    },
    after: (_, run) => run(),
    log: (level, event, _, facts) => {
      if (level === 'warn') throw new Error(`${event} ${JSON.stringify(facts)}`);
    },
    ...more,
  });

async function addHost(lifecycle: 'active' | 'claimed' = 'active', tenant = TENANT): Promise<string> {
  const uid = ulid(NOW, randomBytes(10));
  await store.withTx((tx) =>
    insertHost(tx, {
      uid,
      tenant,
      siteId: 'north',
      hostId: uid.slice(-8),
      sh: shardOf(uid, sha256),
      lifecycle,
      lifecycleSince: NOW,
      ...HOST_ROW,
      version: '0.1.0',
      createdAt: NOW,
    }),
  );
  return uid;
}

const change = (entity: string, id: string, body?: unknown, massChange = false, at = NOW, tenant = TENANT) =>
  store.withTx((tx) =>
    recordChange(tx, {
      scope: 'tenant',
      owner: tenant,
      entity,
      id,
      ...(body === undefined ? { op: 'delete' } : { op: 'put', body }),
      massChange,
      at,
    }),
  );

async function opened<T>(jws: string, typ: string): Promise<T> {
  const [key] = signer.verifyKeys;
  const { payload, protectedHeader } = await compactVerify(
    jws,
    createPublicKey({ key: { ...key }, format: 'jwk' }),
  );
  expect(protectedHeader.typ).toBe(typ);
  return JSON.parse(Buffer.from(payload).toString()) as T;
}

/** A host as far as the feed is concerned: rows, applied as the manifest says, checked by its hash. */
class Replica {
  readonly uid: string;
  rows = new Map<string, HashedRow & { body: unknown }>();
  rev = 0;
  constructor(uid: string) {
    this.uid = uid;
  }

  async pull(): Promise<Manifest | undefined> {
    const answer = await feed.manifest(this.uid, 'tenant', this.rev);
    if (answer === undefined) return undefined;
    const manifest = manifestSchema.parse(await opened(answer.jws, 'carillon-manifest'));
    if (manifest.kind === 'snapshot') this.rows = new Map();
    else expect(manifest.from).toBe(this.rev);
    for (const { sha256: name, size } of manifest.pages) {
      const bytes = await feed.page(this.uid, name);
      if (bytes === undefined) throw new Error('no page');
      expect([sha256(bytes), bytes.length]).toEqual([name, size]);
      for (const operation of parsePage(gunzipSync(bytes).toString()) ?? []) {
        const key = `${operation.entity} ${operation.id}`;
        if (operation.op === 'delete') this.rows.delete(key);
        else {
          expect(rowHash(operation.body, sha256)).toBe(operation.rowHash);
          this.rows.set(key, operation);
        }
      }
    }
    expect(resultHash(this.rows.values(), sha256)).toBe(manifest.resultHash);
    this.rev = manifest.to;
    return manifest;
  }
}

describe('manifests', () => {
  it('lead by deltas and by a snapshot to the same rows, in random histories', async () => {
    const uid = await addHost();
    const follower = new Replica(uid);
    let seed = 42;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    for (let round = 0; round < 25; round++) {
      for (let i = random(6); i >= 0; i--) {
        const id = `d${random(12)}`;
        await change(
          random(4) === 0 ? 'alarmbridge' : 'device',
          id,
          random(3) === 0 ? undefined : { n: random(1e6) },
        );
      }
      const manifest = await follower.pull();
      expect(manifest?.kind).toBe(round === 0 ? 'snapshot' : 'delta');
      const newcomer = new Replica(uid);
      expect((await newcomer.pull())?.kind).toBe('snapshot');
      const sorted = (replica: Replica) => [...replica.rows].sort(([a], [b]) => (a < b ? -1 : 1));
      expect(sorted(newcomer)).toEqual(sorted(follower));
      // A program that has just started, and has nothing in memory, says the same.
      const { twin } = (await newFeed().twin(uid)) ?? {};
      expect(twin?.cfg.tenant).toEqual({ rev: follower.rev, h: resultHash(follower.rows.values(), sha256) });
    }
    expect(await follower.pull()).toBeUndefined();
  });

  it('come in pages of a thousand operations', async () => {
    const uid = await addHost();
    await store.withTx(async (tx) => {
      for (let i = 0; i < 2_500; i++)
        await recordChange(tx, {
          scope: 'tenant',
          owner: TENANT,
          entity: 'device',
          id: `d${i}`,
          op: 'put',
          body: { i },
          at: NOW,
        });
    });
    const replica = new Replica(uid);
    expect((await replica.pull())?.pages).toHaveLength(3);
    expect(replica.rows.size).toBe(2_500);
    expect(replica.rev).toBe(1);
  });

  it('carry the leave to remove much, if one of the revisions had it', async () => {
    const uid = await addHost();
    const replica = new Replica(uid);
    await change('device', 'a', {});
    expect((await replica.pull())?.massChange).toBe(false);
    await change('device', 'a', undefined, true);
    await change('device', 'b', {});
    expect((await replica.pull())?.massChange).toBe(true);
    await change('device', 'c', {});
    expect((await replica.pull())?.massChange).toBe(false);
    // A host that fetches everything again keeps the brake, whatever was once removed …
    replica.rev = 0;
    expect((await replica.pull())?.massChange).toBe(false);
    // … but for what came after the revision that he says is in force.
    const leaveOf = async (has: number) => {
      const answer = await feed.manifest(uid, 'tenant', 0, has);
      return (JSON.parse(Buffer.from(answer?.jws.split('.')[1] ?? '', 'base64url').toString()) as Manifest)
        .massChange;
    };
    expect([await leaveOf(1), await leaveOf(2), await leaveOf(4), await leaveOf(0)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('are snapshots for who is older than 30 days, or from the future', async () => {
    const uid = await addHost();
    await change('device', 'a', {}, false, NOW - 32 * 86_400_000);
    await change('device', 'b', {}, false, NOW - 31 * 86_400_000);
    await change('device', 'c', {});
    const at = async (since: number) => {
      const answer = await feed.manifest(uid, 'tenant', since);
      return answer && (await opened<Manifest>(answer.jws, 'carillon-manifest'));
    };
    expect(await at(1)).toMatchObject({ kind: 'snapshot', from: 0, to: 3 });
    expect(await at(2)).toMatchObject({ kind: 'delta', from: 2, to: 3 });
    expect(await at(9)).toMatchObject({ kind: 'snapshot', from: 0, to: 3 });
    expect(await at(3)).toBeUndefined();
  });

  it('are not offered again to a host that refused the revision, until there is a newer one', async () => {
    const uid = await addHost();
    await change('device', 'a', {});
    await change('device', 'b', {});
    await store.withTx((tx) => updateHostStatus(tx, uid, { nacked: { tenant: 2 } }));
    expect(await feed.manifest(uid, 'tenant', 1)).toBeUndefined();
    await change('device', 'c', {});
    expect(await feed.manifest(uid, 'tenant', 1)).toBeDefined();
  });

  it('and their pages are of no other', async () => {
    const other = '01jother00000000000000000t';
    await store.withTx((tx) =>
      insertTenant(tx, { id: other, domain: 'other.example', name: null, createdAt: NOW, notBefore: 0 }),
    );
    const [uid, stranger] = [await addHost(), await addHost('active', other)];
    await change('device', 'a', { secret: 1 });
    const answer = await feed.manifest(uid, 'tenant', 0);
    const manifest = await opened<Manifest>(answer?.jws ?? '', 'carillon-manifest');
    const name = manifest.pages[0]?.sha256 ?? '';
    expect(await feed.page(uid, name)).toBeDefined();
    expect(await feed.page(stranger, name)).toBeUndefined();
    expect(await feed.manifest(stranger, 'tenant', 0)).toBeUndefined();
    expect(await feed.page(uid, 'f'.repeat(64))).toBeUndefined();
  });
});

describe('twins', () => {
  const lastTwin = async (uid: string): Promise<Twin> => {
    const last = published.findLast(({ topic }) => topic.includes(uid));
    return twinSchema.parse(await opened(last?.payload ?? '', 'carillon-twin'));
  };

  it('go out signed, once for each change, with a higher number', async () => {
    const uid = await addHost();
    feed.hostChanged(uid);
    await feed.idle();
    expect(published[0]?.topic).toBe(
      topicOf({ sh: shardOf(uid, sha256), tenant: TENANT, siteId: 'north', uid }, 'dn/twin'),
    );
    expect(await lastTwin(uid)).toMatchObject({
      v: 1,
      uid,
      twinRev: 1,
      life: 'active',
      hb: { profile: 'high' },
      jitterS: 1,
      cfg: { tenant: { rev: 0 }, platform: { rev: 1 } },
    });
    await change('device', 'a', {});
    await feed.idle();
    expect(await lastTwin(uid)).toMatchObject({ twinRev: 2, cfg: { tenant: { rev: 1 } } });
    feed.hostChanged(uid);
    await feed.idle();
    expect((await lastTwin(uid)).twinRev).toBe(2);
    expect(published).toHaveLength(2);
  });

  it('spread the hosts of a small tenant over its own number, and over all hosts what all do at once', async () => {
    await store.withTx((tx) =>
      insertTenant(tx, { id: LARGE, domain: 'large.example', name: null, createdAt: NOW, notBefore: 0 }),
    );
    for (let n = 0; n < 300; n++) await addHost('active', LARGE);
    const [own, other] = [await addHost(), await addHost('active', LARGE)];
    for (const uid of [own, other]) feed.hostChanged(uid);
    await feed.idle();
    expect(await lastTwin(own)).toMatchObject({ jitterS: 3, fetchS: 0.1 });
    expect(await lastTwin(other)).toMatchObject({ jitterS: 3, fetchS: 3 });
  });

  it('go out again with the same number when their shard comes up, or the broker had not taken them', async () => {
    const uid = await addHost();
    feed.hostChanged(uid);
    await feed.idle();
    feed.shardUp(shardOf(uid, sha256));
    await feed.idle();
    expect(published).toHaveLength(2);
    offline = true;
    feed.shardUp(shardOf(uid, sha256));
    await feed.idle();
    offline = false;
    feed.hostChanged(uid);
    await feed.idle();
    expect(published).toHaveLength(3);
    expect((await lastTwin(uid)).twinRev).toBe(1);
  });

  it('are left to the next start when the feed ends in a round, but for hosts that have left', async () => {
    const staying = [await addHost(), await addHost(), await addHost()];
    const leaving = await addHost();
    feed.hostChanged(leaving);
    await feed.idle();
    await store.withTx((tx) => updateHost(tx, leaving, { lifecycle: 'quarantined' }));
    const isOf = (topic: string, uid: string) => topic.includes(uid);
    published = [];
    // The host that has left may come first: a round goes by the names of hosts, which are random here.
    onPublished = (topic) => {
      if (staying.some((uid) => isOf(topic, uid))) feed.stop();
    };
    await change('device', 'a', {});
    await feed.idle();
    const reached = (uid: string) => published.filter(({ topic }) => isOf(topic, uid)).length;
    expect(staying.map(reached).toSorted()).toEqual([0, 0, 1]);
    published = [];
    feed.hostChanged(leaving);
    await feed.idle();
    expect(reached(leaving)).toBe(2);
  });

  it('are not left twice when a shard is compared: only those that have changed go out', async () => {
    const [same, moved] = [await addHost(), await addHost()];
    for (const uid of [same, moved]) feed.hostChanged(uid);
    await feed.idle();
    expect(published).toHaveLength(2);
    // A change made at another replica, whose announcement was missed.
    await store.withTx((tx) => updateHost(tx, moved, { lifecycle: 'draining' }));
    for (const uid of [same, moved]) feed.compareShard(shardOf(uid, sha256));
    await feed.idle();
    expect(published.slice(2).map(({ topic }) => topic)).toEqual([expect.stringContaining(moved)]);
    expect(await lastTwin(moved)).toMatchObject({ twinRev: 2 });
  });

  it('move with every host in a tenant, and no others', async () => {
    const [a, b, other] = [
      await addHost(),
      await addHost(),
      await addHost('active', '01jother00000000000000000t'),
    ];
    await change('device', 'a', {});
    await feed.idle();
    const reported = published.map(({ topic }) => topic.split('/')[5]);
    expect(new Set(reported)).toEqual(new Set([a, b]));
    expect(reported).not.toContain(other);
  });

  it('wait in the database while there is no broker, and go out when the shard comes up', async () => {
    const uid = await addHost();
    offline = true;
    await change('device', 'a', {});
    await feed.idle();
    expect(published).toEqual([]);
    offline = false;
    const sh = shardOf(uid, sha256);
    feed.shardUp(sh === '00' ? '01' : '00');
    await feed.idle();
    expect(published).toEqual([]);
    feed.shardUp(sh);
    await feed.idle();
    expect(await lastTwin(uid)).toMatchObject({ twinRev: 1, cfg: { tenant: { rev: 1 } } });
  });

  it('show a new state of life, and are not made for a machine that waits', async () => {
    const uid = await addHost('claimed');
    feed.hostChanged(uid);
    await feed.idle();
    expect(published).toEqual([]);
    expect(await feed.twin(uid)).toBeUndefined();
    await store.withTx((tx) => updateHost(tx, uid, { lifecycle: 'quarantined' }));
    expect((await feed.twin(uid))?.twin.life).toBe('quarantined');
    expect((await readHost(store, uid))?.twinRev).toBe(1);
  });

  it('leave the platform’s revision as it is at a second start', async () => {
    const uid = await addHost();
    const again = newFeed();
    await again.start({ ca: 'PEM', verifyKeys: signer.verifyKeys, publicUrl: 'http://127.0.0.1' });
    expect((await again.twin(uid))?.twin.cfg.platform.rev).toBe(1);
    await again.start({ ca: 'PEM 2', verifyKeys: signer.verifyKeys, publicUrl: 'http://127.0.0.1' });
    expect((await again.twin(uid))?.twin.cfg.platform.rev).toBe(2);
    again.stop();
  });
});

describe('a round that fails', () => {
  it('is made again for all of its hosts, and says once that it failed', async () => {
    feed.stop();
    await feed.idle();
    const uids = [await addHost(), await addHost(), await addHost()];
    let failures = 2;
    const warned: string[] = [];
    const reached = new Set<string>();
    feed = newFeed({
      sign: async (typ, payload) => {
        if (reached.size > 0 && failures-- > 0) throw new Error('the database is away');
        return await signer.sign(typ, payload);
      },
      publish: async (topic) => void reached.add(topic),
      after: (_, run) => setImmediate(run),
      log: (level, event) => {
        if (level === 'warn') warned.push(event);
      },
    });
    await feed.start({ ca: 'PEM', verifyKeys: signer.verifyKeys, publicUrl: 'http://127.0.0.1' });
    await change('device', 'd', { n: 1 });
    await vi.waitFor(() => expect(reached.size).toBe(uids.length));
    expect(warned).toEqual(['feed.step_failed']);
  });

  it('holds up no other where one host alone fails, and is made again', async () => {
    feed.stop();
    await feed.idle();
    const [uid, other] = [await addHost(), await addHost()];
    const timers: (() => void)[] = [];
    let failures = 2;
    const reached: (string | undefined)[] = [];
    feed = newFeed({
      sign: async (typ, payload) => {
        if (JSON.stringify(payload).includes(uid) && failures-- > 0) throw new Error('the row is damaged');
        return await signer.sign(typ, payload);
      },
      publish: async (topic) => void reached.push(topic.split('/')[5]),
      after: (_, run) => void timers.push(run),
      log: () => undefined,
    });
    await feed.start({ ca: 'PEM', verifyKeys: signer.verifyKeys, publicUrl: 'http://127.0.0.1' });
    for (const each of [uid, other]) feed.hostChanged(each);
    timers.shift()?.();
    await feed.idle();
    expect(reached).toEqual([other]);
    for (const timer of timers) {
      timer();
      await feed.idle();
    }
    expect(reached).toEqual([other, uid]);
  });

  it.each(['shardUp', 'compareShard'] as const)('loses no host of a shard after %s', async (notice) => {
    feed.stop();
    await feed.idle();
    const uid = await addHost();
    let failures = 0;
    const reached: string[] = [];
    const failing: Store = Object.create(store, {
      db: {
        get: () => {
          if (failures-- > 0) throw new Error('the database is away');
          return store.db;
        },
      },
    });
    feed = newFeed({
      store: failing,
      publish: async (topic) => void reached.push(topic),
      after: (_, run) => setImmediate(run),
      log: () => undefined,
    });
    await feed.start({ ca: 'PEM', verifyKeys: signer.verifyKeys, publicUrl: 'http://127.0.0.1' });
    failures = 2;
    feed[notice](shardOf(uid, sha256));
    await vi.waitFor(() => expect(reached).toEqual([expect.stringContaining(uid)]));
    expect(failures).toBeLessThan(0);
  });
});

describe('the announcement of a change', () => {
  it('does not wait for the hosts of a large tenant whose announcement has begun', async () => {
    await store.withTx((tx) =>
      insertTenant(tx, { id: LARGE, domain: 'large.example', name: null, createdAt: NOW, notBefore: 0 }),
    );
    for (let n = 0; n < 110; n++) await addHost('active', LARGE);
    const own = await addHost();
    let changing: Promise<unknown> = Promise.resolve();
    onPublished = () => {
      if (published.length === 3) changing = change('device', 'a', {});
    };
    await change('device', 'b', {}, false, NOW, LARGE);
    await feed.idle();
    await changing;
    await feed.idle();
    const at = published.findIndex(({ topic }) => topic.includes(own));
    expect(published).toHaveLength(111);
    expect([at > 2, at < 10]).toEqual([true, true]);
  });
});

describe('the rest behind an announcement', () => {
  /** Announcements of these durations, a change before each, and `pauseMs` from its end to the next change: the waits before them. */
  async function waits(roundsMs: readonly number[], pauseMs = 0): Promise<number[]> {
    feed.stop();
    await feed.idle();
    let nowMs = NOW;
    let roundMs = 0;
    const waited: number[] = [];
    feed = newFeed({
      nowMs: () => nowMs,
      publish: async () => {
        nowMs += roundMs;
      },
      after: (ms, run) => {
        waited.push(ms);
        nowMs += ms;
        run();
      },
    });
    await feed.start({ ca: 'PEM', verifyKeys: signer.verifyKeys, publicUrl: 'http://127.0.0.1' });
    await feed.idle();
    waited.length = 0;
    for (const [n, ms] of roundsMs.entries()) {
      roundMs = ms;
      nowMs += pauseMs;
      await change('device', `d${n}`, { n });
      await feed.idle();
    }
    return waited;
  }

  beforeEach(() => addHost());

  it('grows to twenty times the announcement while a load runs, and to ten seconds at most', async () => {
    expect(await waits([100, 100, 100, 100, 100, 100, 100, 3_000, 3_000, 3_000])).toEqual([
      50, 50, 100, 200, 400, 800, 1_600, 2_000, 2_000, 10_000,
    ]);
  });

  it('is over for a change behind a pause', async () => {
    expect(await waits([3_000, 3_000, 3_000], 10_000)).toEqual([50, 50, 50]);
  });

  it('does not grow by a round that a database held up, which was away', async () => {
    expect(await waits([100, 100, 13_000, 100, 100])).toEqual([50, 50, 100, 200, 400]);
  });
});
