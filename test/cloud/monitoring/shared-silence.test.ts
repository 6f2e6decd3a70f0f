import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AlarmTable } from '#cloud/monitoring/alarm/alarm-table.ts';
import type { MonitoringPort } from '#cloud/monitoring/alarm/port.ts';
import { SharedSilence } from '#cloud/monitoring/host/shared-silence.ts';
import { ReportedTurns } from '#cloud/monitoring/host/turn.ts';
import type { Trouble } from '#cloud/monitoring/presence/mass-loss.ts';
import type { ShardTally } from '#cloud/monitoring/presence/shard-tallies.ts';
import type { Watch } from '#cloud/monitoring/presence/watch.ts';
import {
  insertTenant,
  listAlarms,
  readSilence,
  type Store,
  storeWith,
  takeShards,
} from '#cloud/store/index.ts';
import { SHARDS } from '#shared/contract/feed/index.ts';
import { openTestDatabase } from '../store/database.ts';

/* Two owners on one database: each sees twelve of its hosts fall silent, and twenty are needed. */

const TENANT = '01jtenant0000000000000000t';
const LEASE_MS = 60_000;
let store: Store;
let close: () => Promise<void>;
let reported: string[];
let writes = 0;

beforeEach(async () => {
  const opened = await openTestDatabase('sqlite');
  close = opened.close;
  store = storeWith(opened.store, {
    withTx: (work) => {
      writes += 1;
      return opened.store.withTx(work);
    },
  });
  const tenant = { id: TENANT, domain: 't.test', name: null, createdAt: 0, notBefore: 0 };
  await store.withTx((tx) => insertTenant(tx, tenant));
  reported = [];
});
afterEach(() => close());

/** A shard of six hosts at six sites, some of which are silent. */
const tally = (sh: string, silent: number): ShardTally => ({
  ...{ sh, seen: 6, silent, suspect: silent, doubtful: 0 },
  sites: Array.from({ length: Math.min(silent, 5) }, (_, n) => [TENANT, `${sh}-${n}`] as const),
});

interface Owner {
  readonly look: (tallies: readonly ShardTally[], nowMs: number) => Promise<void>;
  /** The last judgement that the watch got: tenants in trouble, and as of when. */
  readonly judged: () => readonly [tenants: readonly string[], asOfMs: number] | undefined;
  /** The trouble that came with it. */
  readonly trouble: () => Trouble | undefined;
  readonly silence: SharedSilence;
  readonly owned: Set<string>;
  readonly idle: () => Promise<void>;
}

async function owner(replica: string, shards: readonly string[]): Promise<Owner> {
  await store.withTx((tx) => takeShards(tx, shards, replica, LEASE_MS, true));
  const owned = new Set(shards);
  let last: readonly [readonly string[], number] | undefined;
  let seen: Trouble | undefined;
  const port = {
    ...{
      store,
      shards: { replica, owns: (sh: string) => owned.has(sh), ownsAll: () => false, storeOf: () => store },
    },
    ...{ clock: { wallMs: () => Date.now(), monoMs: () => performance.now() } },
    random: (length: number) => randomBytes(length),
    relay: async (
      _tx: unknown,
      _tenant: string,
      _id: string,
      alarm: { errorDetails: { status: string } },
    ) => {
      reported.push(alarm.errorDetails.status);
    },
    platform: { raise: () => undefined, clear: () => undefined },
  } as unknown as MonitoringPort;
  const turns = new ReportedTurns({
    isStorageFault: () => false,
    onFailure: (_, error) => {
      throw error;
    },
  });
  const judged = (tenants: readonly string[], asOfMs: number, trouble?: Trouble): void => {
    last = [tenants, asOfMs];
    seen = trouble;
  };
  const silence = new SharedSilence(port, {
    ...{ watch: { judged } as unknown as Watch, alarms: new AlarmTable(port), turns },
    isLoaded: () => true,
  });
  return {
    owned,
    judged: () => last,
    trouble: () => seen,
    silence,
    idle: () => turns.idle(),
    look: async (tallies, nowMs) => {
      silence.note(tallies, nowMs);
      await turns.idle();
    },
  };
}

const alarms = async () =>
  (await listAlarms(store, TENANT, ['active', 'cleared'], '', 100)).map(
    ({ service, status }) => `${service} ${status}`,
  );

it('a shared silence is judged over the shards of all by the owner of the first one, and reported once', async () => {
  const [a, b] = [await owner('a', SHARDS.slice(0, 32)), await owner('b', SHARDS.slice(32))];
  const [ofA, ofB] = [SHARDS.slice(0, 3), SHARDS.slice(32, 35)];
  const all = (silent: number) => [ofA, ofB].map((shards) => shards.map((sh) => tally(sh, silent)));
  const [calmA = [], calmB = []] = all(0);
  await a.look(calmA, 1_000);
  await b.look(calmB, 1_000);
  expect(b.judged()).toEqual([[], 1_000]);

  const [lostA = [], lostB = []] = all(4);
  await a.look(lostA, 2_000);
  // Its own twelve are no mass loss, and they are judged as what they are.
  expect(a.judged()).toEqual([[], 2_000]);
  await b.look(lostB, 2_000);
  // The judge has not looked since: the hosts of the other owner are not judged yet.
  expect(b.judged()).toEqual([[], 1_000]);
  await a.look(lostA, 3_000);
  await b.look(lostB, 3_000);
  expect([a.judged(), b.judged()]).toEqual([
    [[TENANT], 3_000],
    [[TENANT], 3_000],
  ]);
  expect(await alarms()).toEqual(['platform active']);
  expect(reported).toEqual(['raised']);

  // The judge has ended; the other owner takes its shards and may not judge their hosts yet.
  await store.withTx((tx) => takeShards(tx, SHARDS.slice(0, 32), 'b', LEASE_MS, true));
  for (const sh of SHARDS) b.owned.add(sh);
  a.owned.clear();
  const doubted = ofA.map((sh) => ({ ...tally(sh, 0), doubtful: 6 }));
  await b.look([...lostB, ...doubted], 4_000);
  await b.look([...lostB, ...doubted], 5_000);
  expect(b.judged()).toEqual([[TENANT], 5_000]);
  expect(reported).toEqual(['raised']);

  // All are back.
  await b.look([...calmA, ...calmB], 6_000);
  await b.look([...calmA, ...calmB], 7_000);
  expect(b.judged()).toEqual([[], 7_000]);
  expect(await alarms()).toEqual(['platform cleared']);
  expect(reported).toEqual(['raised', 'cleared']);
});

it('that is over is known to an owner that comes later: when it began, and when it was over', async () => {
  const a = await owner('a', SHARDS);
  const all = (silent: number) => SHARDS.slice(0, 6).map((sh) => tally(sh, silent));
  const beforeMs = performance.now();
  await a.look(all(4), 1_000);
  const begunMs = performance.now();
  expect(a.judged()?.[0]).toEqual([TENANT]);
  await a.look(all(0), 2_000);
  expect(a.judged()?.[0]).toEqual([]);
  const overMs = performance.now();

  const b = await owner('b', []);
  await b.silence.remember();
  const { beganMs, calmMs } = b.trouble() ?? { beganMs: 0, calmMs: 0 };
  const within = (ms: number | null, from: number, to: number): void => {
    // The wall clock counts whole milliseconds.
    expect(ms).toBeGreaterThanOrEqual(from - 2);
    expect(ms).toBeLessThanOrEqual(to + 2);
  };
  within(beganMs, beforeMs, begunMs);
  within(calmMs, begunMs, overMs);
});

it('is left in its row by one that sees all hosts: one that joins goes by it, and its end is the end for all', async () => {
  const dead = await owner('dead', SHARDS);
  await dead.look([tally('00', 4)], 1_000);
  const a = await owner('a', SHARDS);
  a.silence.alone([TENANT], true);
  await a.idle();
  const b = await owner('b', []);
  await b.silence.remember();
  expect(b.judged()?.[0]).toEqual([TENANT]);
  expect(reported).toEqual(['raised']);

  a.silence.alone([TENANT], false);
  await a.idle();
  await b.look([tally('40', 1)], 1_000);
  expect(b.judged()?.[0]).toEqual([]);
  expect(await alarms()).toEqual(['platform cleared']);
  // An owner that died has left no tally that a judge could take for one of now.
  expect((await readSilence(store)).rows).toEqual([]);
});

it('writes nothing while no host comes or goes', async () => {
  const a = await owner('a', SHARDS);
  await a.look([tally('00', 0)], 1_000);
  writes = 0;
  for (let second = 2; second < 60; second++) await a.look([tally('00', 0)], 1_000 * second);
  expect(writes).toBe(0);
});
