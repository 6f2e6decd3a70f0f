import { describe, expect, it } from 'vitest';
import { type Counted, ShardTallies, type ShardTally } from '#cloud/monitoring/presence/shard-tallies.ts';
import { Watch } from '#cloud/monitoring/presence/watch.ts';
import { HEARTBEAT_S, PROFILES, type Profile, SHARDS } from '#shared/contract/feed/index.ts';
import { seeded } from '#test/campaign/campaign.ts';

const S = 1_000;
const HOSTS = 60;

/** Counts every host, as the description of a tally says it. */
function recounted(watch: Watch, uids: readonly string[], nowMs: number): Map<string, number[]> {
  const shards = new Map<string, number[]>();
  for (const uid of uids) {
    const [host, presence] = [watch.host(uid), watch.presence(uid)];
    if (host === undefined || presence === undefined) continue;
    if (['never', 'offline', 'excused'].includes(presence.phase)) continue;
    const everyMs = HEARTBEAT_S[presence.profile] * S;
    const fallsSilentMs = Math.max(3 * everyMs + 5 * S - 60 * S, 2 * everyMs);
    const isSuspect = presence.phase === 'suspect';
    const counts = shards.get(host.place.sh) ?? [0, 0, 0];
    shards.set(host.place.sh, counts);
    counts[0] = (counts[0] ?? 0) + 1;
    if (isSuspect || nowMs - presence.lastSeenMs >= fallsSilentMs) counts[1] = (counts[1] ?? 0) + 1;
    if (isSuspect) counts[2] = (counts[2] ?? 0) + 1;
  }
  return shards;
}

const counted = (tallies: readonly ShardTally[]): Map<string, number[]> =>
  new Map(tallies.map(({ sh, seen, silent, doubtful, suspect }) => [sh, [seen, silent + doubtful, suspect]]));

const placeOf = (at: number) => ({
  ...{ uid: `host-${at}`, sh: SHARDS[at % 5] ?? '', tenant: `t${at % 3}`, siteId: `s${at % 20}` },
});

describe('tallies of shards', () => {
  it.each(Array.from({ length: 20 }, (_, seed) => seed))(
    'they are those of a count of all hosts, whatever happens (seed %i)',
    (seed) => {
      const random = seeded(seed);
      const pick = <Value>(of: readonly Value[]): Value => of[Math.floor(random() * of.length)] as Value;
      let tallies: readonly ShardTally[] = [];
      const watch = new Watch(
        0,
        {
          onEffect: () => undefined,
          onTransition: () => undefined,
          onPlatformTrouble: () => undefined,
          onTallies: (all) => {
            tallies = all;
          },
        },
        () => false,
      );
      for (const sh of SHARDS) watch.shard(sh, true, 0);
      const uids = Array.from({ length: HOSTS }, (_, at) => placeOf(at).uid);
      const looks = { silent: 0, suspect: 0 };
      for (let nowMs = S; nowMs < 1_200 * S; nowMs += S) {
        const at = Math.floor(random() * HOSTS);
        const uid = `host-${at}`;
        const sid = pick(['one', 'two']);
        const happens = random();
        const atMs = nowMs + Math.floor(random() * 500);
        if (happens < 0.05) {
          const profile: Profile = pick(PROFILES);
          const phase = pick(['online', 'suspect', 'offline'] as const);
          const remembered = { phase, lastSeenMs: nowMs - 30 * S, sid: 'one', raisedMs: undefined };
          watch.put({ place: placeOf(at), hostId: uid, profile }, pick([undefined, remembered]));
        } else if (happens < 0.06) watch.remove(uid);
        else if (happens < 0.1) watch.input(uid, { kind: 'will', atMs, sid });
        else if (happens < 0.12)
          watch.input(uid, {
            ...{ kind: 'stop', atMs, sid, etaS: 20 },
            why: pick(['drain', 'update', 'shutdown'] as const),
          });
        else if (happens < 0.15) watch.input(uid, { kind: 'birth', atMs, sid });
        else if (happens < 0.8) watch.input(uid, { kind: 'heartbeat', atMs, sid });
        watch.judged([], atMs);
        // A tick that comes in the middle of a second counts the same, also where others were left out.
        const tickMs = nowMs + 500 + Math.floor(random() * 450);
        if (random() < 0.05) continue;
        const expected = recounted(watch, uids, tickMs);
        watch.tick(tickMs);
        expect(counted(tallies)).toEqual(expected);
        for (const [, silent = 0, suspect = 0] of expected.values()) {
          looks.silent += silent;
          looks.suspect += suspect;
        }
      }
      expect(looks.silent).toBeGreaterThan(100);
      expect(looks.suspect).toBeGreaterThan(10);
    },
  );

  /** So many hosts that send heartbeats, and how often one of them was looked at. */
  function lived(silentFromMs: number) {
    const tallies = new ShardTallies(0);
    const hosts = new Map<string, Counted>();
    const beat = (at: number, lastSeenMs: number) => {
      const place = placeOf(at);
      const before = hosts.get(place.uid)?.presence;
      const presence = { phase: 'online', profile: 'standard', lastSeenMs } as Counted['presence'];
      tallies.note(place, before?.phase, presence.phase);
      hosts.set(place.uid, { place, presence });
    };
    let looks = 0;
    let last: readonly ShardTally[] = [];
    const lookAt = (uid: string) => {
      looks += 1;
      return hosts.get(uid);
    };
    for (let nowMs = 0; nowMs <= 600 * S; nowMs += S) {
      for (let at = 0; at < 300; at++)
        if (nowMs % (30 * S) === (at % 30) * S && nowMs < silentFromMs) beat(at, nowMs);
      last = tallies.count(nowMs, lookAt, (uid) => Number(uid.slice(5)) % 2 === 0);
    }
    return { looks, last };
  }

  it('a look costs what may be silent: each host is looked at once or twice a minute while it is there', () => {
    const { looks, last } = lived(Number.POSITIVE_INFINITY);
    expect(last.map(({ seen }) => seen)).toEqual([60, 60, 60, 60, 60]);
    expect(last.every(({ silent, doubtful }) => silent + doubtful === 0)).toBe(true);
    // 60 s behind the heartbeat that it had sent by the look before, up to 30 s old.
    expect(looks).toBeLessThan(300 * (600 / 30 + 2));
    expect(looks).toBeGreaterThan(300 * 5);
  });

  it('a silent host whose silence may be that of the judge is doubtful', () => {
    const { last } = lived(300 * S);
    expect(last.map(({ seen, silent, doubtful }) => [seen, silent, doubtful])).toEqual(
      Array.from({ length: 5 }, () => [60, 30, 30]),
    );
    // Five sites of a tenant say enough.
    expect(last[0]?.sites.length).toBeLessThanOrEqual(15);
  });
});

it('a heartbeat is written into the state that is kept, and leaves no object behind', () => {
  const nothing = () => undefined;
  const watch = new Watch(0, { onEffect: nothing, onTransition: nothing, onPlatformTrouble: nothing });
  watch.put({ place: placeOf(0), hostId: 'gw-0', profile: 'standard' });
  const kept = watch.presence('host-0');
  watch.input('host-0', { kind: 'heartbeat', atMs: 30 * S, sid: 'a' });
  expect(watch.presence('host-0')).toBe(kept);
  expect(kept).toMatchObject({ phase: 'online', lastSeenMs: 30 * S, sid: 'a' });
});
