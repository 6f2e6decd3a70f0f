import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Place } from '#test/bench/support/place.ts';
import { received, replicaOf, shared, until } from '#test/campaign/replica/control-plane-look.ts';
import { BROKERS, COUNT, type Stage } from '#test/campaign/replica/control-plane-stage.ts';
import { type ReplicaStory, startReplicaStory } from './stage/replica-story.ts';

/*
 * Wires on which nothing is said any more, and none of them is closed:
 *
 *     database ──╳── replica 1        hosts ──▶ broker 0 ──╳── replica 1        hosts ──▶ broker 0 ──╳── all replicas
 *     hosts ──▶ brokers ── all                  broker 1 ────── all                       broker 1 ────── all
 */

const place = new Place();
let story: ReplicaStory;
let stage: Stage;

/** Longer than replicas and hosts need to find a broker dead and to go elsewhere, on a machine that has other work. */
const [MOVED_MS, HEALED_MS] = [240_000, 90_000];

interface Seen {
  readonly uid: string;
  readonly sh: string;
  readonly taker: string;
}
/** Hosts, and the replica that observes each. */
const hostsWithTaker = () =>
  stage.replicas.rows<Seen>('SELECT uid, sh, taker FROM host JOIN shard_taker USING (sh)');
/** Those that begin at the first broker. */
const hostsOfFirstBroker = async (): Promise<Seen[]> =>
  (await hostsWithTaker()).filter(({ sh }) => Number.parseInt(sh, 16) % BROKERS === 0);
const newestObservation = async (): Promise<number> => {
  const [row] = await stage.replicas.rows<{ n: string }>('SELECT coalesce(max(n), 0) AS n FROM observed');
  return Number(row?.n);
};
/** Hosts of which a replica has written something since. */
const observedSince = async (n: number): Promise<{ uid: string; writer: string }[]> =>
  await stage.replicas.rows(`SELECT DISTINCT uid, writer FROM observed WHERE n > ${n}`);

/** Alarms of the deployment that stand, as a replica shows them. */
async function standing(at: number): Promise<string[]> {
  const { alarms } = (await stage.replicas.ask(
    replicaOf(stage.replicas, at),
    'GET',
    '/platform/alarm',
  )) as unknown as { alarms: { error: string; subject: string; status: string }[] };
  return alarms
    .filter(({ status }) => status === 'active')
    .map(({ error, subject }) => `${error} ${subject}`);
}

beforeAll(async () => {
  story = await startReplicaStory(place, 22);
  stage = story.stage;
}, 400_000);
afterAll(() => place.close());

/** The replica that observes most of these hosts, its number, and its hosts. */
function busiest(hosts: readonly Seen[]) {
  const names = stage.replicas.all.map(({ name }) => name);
  const of = (name: string) => hosts.filter(({ taker }) => taker === name).map(({ uid }) => uid);
  const name = names.toSorted((a, b) => of(b).length - of(a).length)[0] ?? '';
  return { name, at: names.indexOf(name), uids: of(name) };
}

/** Resolves when other replicas than this one have written something of each of these hosts. */
async function observedByOthers(name: string, uids: readonly string[]): Promise<boolean> {
  const since = await newestObservation();
  return await until(async () => {
    const seen = (await observedSince(since)).filter(({ writer }) => writer !== name);
    return uids.every((uid) => seen.some((each) => each.uid === uid));
  }, MOVED_MS);
}

it('a replica parted from the database, not from its hosts: others observe them, and it takes no change', {
  timeout: 400_000,
}, async () => {
  const { name, at, uids } = busiest(await hostsWithTaker());
  expect(uids.length).toBeGreaterThan(0);
  const victim = replicaOf(stage.replicas, at);
  const wire = stage.databases[at];
  wire?.cut();
  expect(await shared(stage.replicas, COUNT - 1)).toBe(true);
  expect(await observedByOthers(name, uids)).toBe(true);
  expect((await fetch(`${victim.api}/readyz`)).status).toBe(503);
  const device = { deviceId: 'parted', authType: 'deviceid', srtp: 'never' };
  expect(
    await stage.replicas.ask(victim, 'PUT', '/provisioning/device/replicas.example', device),
  ).toMatchObject({ status: 503, error: { code: 'storageUnavailable' } });
  wire?.join();
  expect(await shared(stage.replicas, COUNT)).toBe(true);
  expect(await until(async () => (await fetch(`${victim.api}/readyz`)).ok, HEALED_MS)).toBe(true);
});

describe('a broker that is parted from the owners of its hosts', { timeout: 600_000 }, () => {
  it('from one: its shards go to replicas that reach both, and every replica shows the alarm', async () => {
    const { name, at, uids } = busiest(await hostsOfFirstBroker());
    expect(uids.length).toBeGreaterThan(0);
    const wire = stage.brokers[at]?.[0];

    wire?.cut();
    expect(await shared(stage.replicas, COUNT - 1)).toBe(true);
    expect(await observedByOthers(name, uids)).toBe(true);
    const alarm = `brokerUnreachable 127.0.0.1:${wire?.port}`;
    const shown = async () =>
      (await Promise.all(stage.replicas.all.map((_, n) => standing(n)))).map((all) => all.join());
    expect(await until(async () => (await shown()).every((text) => text === alarm), HEALED_MS)).toBe(true);

    wire?.join();
    expect(await shared(stage.replicas, COUNT)).toBe(true);
    expect(await until(async () => (await shown()).every((text) => text === ''), HEALED_MS)).toBe(true);
  });

  it('from all: its hosts go to the other broker by themselves', async () => {
    const wires = stage.brokers.flatMap((of) => of[0] ?? []);
    const uids = (await hostsOfFirstBroker()).map(({ uid }) => uid);
    expect(uids.length).toBeGreaterThan(0);
    const other = stage.replicas.brokers[1];
    const before = other?.ear.all('up/hb').length ?? 0;
    for (const wire of wires) wire.cut();
    const moved = (): Promise<boolean> => {
      const topics = (other?.ear.all('up/hb') ?? []).slice(before).map(({ topic }) => topic);
      return Promise.resolve(uids.every((uid) => topics.some((topic) => topic.includes(uid))));
    };
    expect(await until(moved, MOVED_MS)).toBe(true);
    const since = await newestObservation();
    const observed = async () => {
      const seen = new Set((await observedSince(since)).map(({ uid }) => uid));
      return uids.every((uid) => seen.has(uid));
    };
    expect(await until(observed, HEALED_MS)).toBe(true);
    for (const wire of wires) wire.join();
    expect(await shared(stage.replicas, COUNT)).toBe(true);
  });

  it('after all of it no alarm is lost or reported twice, no change is lost, and no host was called silent', async () => {
    await story.judged(3);
    // Both brokers had hosts.
    for (const { ear } of stage.replicas.brokers) expect(ear.all('up/hb').length).toBeGreaterThan(0);
    expect(received(stage.replicas, 'up/ev/alarm').length).toBeGreaterThan(0);
  });
});
