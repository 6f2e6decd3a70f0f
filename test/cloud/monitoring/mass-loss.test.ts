import { describe, expect, it } from 'vitest';
import { massLoss } from '#cloud/monitoring/presence/mass-loss.ts';
import type { ShardTally } from '#cloud/monitoring/presence/shard-tallies.ts';
import { Watch } from '#cloud/monitoring/presence/watch.ts';
import { HEARTBEAT_S, type Profile, SHARDS } from '#shared/contract/feed/index.ts';

/* The judge over a fleet whose heartbeats are spread as they are in life, and no will comes: the first word is the silence. */

const END_MS = 1_200_000;
/** Hosts that stay away are called offline by then. */
const AFTER_MS = 900_000;

interface Fleet {
  readonly profile: Profile;
  readonly hosts: number;
  readonly sites: number;
  /** Duration of the silence of all hosts, ms. */
  readonly silentMs: number;
  /** Share of the hosts that fall silent; default all. */
  readonly share?: number;
  /** They come back one after the other in this time; by default none does. */
  readonly backMs?: number;
  /** The last so many stay away. */
  readonly lost?: number;
}

/** Notifications to tenants about single hosts, and the tenants that hear that the platform is the cause. */
function lived({ profile, hosts, sites, silentMs, share = 1, backMs, lost = 0 }: Fleet) {
  const everyMs = HEARTBEAT_S[profile] * 1_000;
  const offline: string[] = [];
  const troubled = new Set<string>();
  const watch = new Watch(0, {
    onEffect: (uid, { kind }) => {
      if (kind === 'raise') offline.push(uid);
    },
    onTransition: () => undefined,
    onPlatformTrouble: (tenants, on) => {
      if (on) for (const tenant of tenants) troubled.add(tenant);
    },
  });
  for (const sh of SHARDS) watch.shard(sh, true, 0);
  const fleet = Array.from({ length: hosts }, (_, at) => {
    const uid = `host-${at}`;
    const place = { sh: SHARDS[(at * 7) % 64] ?? '', tenant: `t${at % 4}`, siteId: `s${at % sites}`, uid };
    watch.put({ place, hostId: uid, profile });
    watch.input(uid, { kind: 'birth', atMs: 0, sid: 'one' });
    const comes = backMs !== undefined && at < hosts - lost;
    const returnsMs = comes ? END_MS + silentMs + (at * backMs) / hosts : Number.POSITIVE_INFINITY;
    const phaseMs = Math.floor((at * everyMs) / hosts / 1_000) * 1_000;
    return { uid, phaseMs, silentFromMs: at < share * hosts ? END_MS : Number.POSITIVE_INFINITY, returnsMs };
  });
  const untilMs = END_MS + silentMs + (backMs === undefined ? 0 : backMs + AFTER_MS);
  for (let nowMs = 1_000; nowMs <= untilMs; nowMs += 1_000) {
    for (const { uid, phaseMs, silentFromMs, returnsMs } of fleet) {
      if ((nowMs < silentFromMs || nowMs >= returnsMs) && nowMs % everyMs === phaseMs)
        watch.input(uid, { kind: 'heartbeat', atMs: nowMs, sid: 'one' });
    }
    watch.tick(nowMs);
  }
  return { offline: offline.length, troubled: troubled.size };
}

describe('hosts that fall silent together', () => {
  it.each([
    ['high', 24],
    ['standard', 24],
    ['economy', 48],
    ['high', 320],
    ['standard', 320],
    ['economy', 320],
  ] as const)(
    'no host is called offline, and each tenant learns that it is us (%s, %i hosts)',
    (profile, hosts) => {
      expect(lived({ profile, hosts, sites: 10, silentMs: 700_000 })).toEqual({ offline: 0, troubled: 4 });
    },
  );

  it.each([
    ['fewer than twenty are theirs', { hosts: 19, sites: 10 }],
    ['those of four sites are theirs', { hosts: 40, sites: 4 }],
  ])('%s', (_, fleet) => {
    const { hosts } = fleet;
    expect(lived({ profile: 'standard', silentMs: 300_000, ...fleet })).toEqual({
      offline: hosts,
      troubled: 0,
    });
  });

  it('a share that says nothing of us is theirs', () => {
    const few = { profile: 'standard', hosts: 1_280, sites: 200, silentMs: 300_000, share: 0.1 } as const;
    expect(lived(few)).toEqual({ offline: 128, troubled: 0 });
  });

  it.each([
    ['high', 100_000, 30_000],
    // Away for more than three minutes when most are back, of which they were called silent for less.
    ['high', 40_000, 180_000],
    ['standard', 200_000, 60_000],
    ['economy', 700_000, 120_000],
  ] as const)(
    'the last that come back are blamed no more than the first (%s)',
    (profile, silentMs, backMs) => {
      const fleet = { profile, hosts: 320, sites: 100, silentMs, backMs };
      expect(lived(fleet)).toEqual({ offline: 0, troubled: 4 });
      // Those that do not come are called offline when the others are there.
      expect(lived({ ...fleet, lost: 3 })).toEqual({ offline: 3, troubled: 4 });
    },
  );

  it.each(['high', 'standard', 'economy'] as const)('a short silence of all is nothing (%s)', (profile) => {
    const silentMs = 2 * HEARTBEAT_S[profile] * 1_000;
    expect(lived({ profile, hosts: 320, sites: 100, silentMs })).toEqual({ offline: 0, troubled: 0 });
  });
});

/**
 * Two silences of a fleet, and a minute less between them than a host needs to forget its back-off:
 *
 *     silent 150 s ── all back in 30 s ── 10 s ── silent 100 s ── most back in 10 s ── the last three
 */
function livedTwice(lastBackMs: number) {
  const everyMs = HEARTBEAT_S.high * 1_000;
  const offline: string[] = [];
  const watch = new Watch(0, {
    onEffect: (uid, { kind }) => {
      if (kind === 'raise') offline.push(uid);
    },
    onTransition: () => undefined,
    onPlatformTrouble: () => undefined,
  });
  for (const sh of SHARDS) watch.shard(sh, true, 0);
  const hosts = 320;
  const secondMs = END_MS + 190_000;
  const joinMs = secondMs + 100_000;
  const fleet = Array.from({ length: hosts }, (_, at) => {
    const uid = `host-${at}`;
    watch.put({
      place: { sh: SHARDS[at % 64] ?? '', tenant: 't', siteId: `s${at % 100}`, uid },
      hostId: uid,
      profile: 'high',
    });
    watch.input(uid, { kind: 'birth', atMs: 0, sid: 'one' });
    const firstBackMs = END_MS + 150_000 + (at * 30_000) / hosts;
    const isLast = at >= hosts - 3;
    const backMs = joinMs + (isLast ? lastBackMs : (at * 10_000) / hosts);
    const isThere = (nowMs: number): boolean =>
      nowMs < END_MS || (nowMs >= firstBackMs && nowMs < secondMs) || nowMs >= backMs;
    return { uid, isThere, phaseMs: Math.floor((at * everyMs) / hosts / 1_000) * 1_000 };
  });
  for (let nowMs = 1_000; nowMs <= joinMs + AFTER_MS; nowMs += 1_000) {
    for (const { uid, isThere, phaseMs } of fleet)
      if (isThere(nowMs) && nowMs % everyMs === phaseMs)
        watch.input(uid, { kind: 'heartbeat', atMs: nowMs, sid: 'one' });
    watch.tick(nowMs);
  }
  return offline.length;
}

describe('hosts that fall silent together, once more before they are there for a minute', () => {
  it('those that go on with the wait of the first silence are not called offline', () => {
    expect(livedTwice(60_000)).toBe(0);
  });

  it('those that do not come are', () => {
    expect(livedTwice(Number.POSITIVE_INFINITY)).toBe(3);
  });
});

it('a trouble that stands when a control plane starts is not over before its hosts may be judged', () => {
  const over: number[] = [];
  let nowMs = 0;
  const watch = new Watch(0, {
    onEffect: () => undefined,
    onTransition: () => undefined,
    onPlatformTrouble: (_, on) => {
      if (!on) over.push(nowMs);
    },
  });
  watch.judged(['t'], Number.NEGATIVE_INFINITY, { beganMs: -30_000, calmMs: null });
  const uids = Array.from({ length: 40 }, (_, at) => `host-${at}`);
  for (const [at, uid] of uids.entries()) {
    const sh = SHARDS[at] ?? '';
    watch.shard(sh, true, 0);
    watch.put(
      { place: { sh, tenant: 't', siteId: `s${at % 10}`, uid }, hostId: uid, profile: 'high' },
      { phase: 'online', lastSeenMs: -60_000, sid: 'one', raisedMs: undefined },
    );
  }
  const receivedMs = 40_000;
  for (nowMs = 1_000; nowMs <= 60_000; nowMs += 1_000) {
    if (nowMs >= receivedMs)
      for (const uid of uids) watch.input(uid, { kind: 'heartbeat', atMs: nowMs, sid: 'two' });
    watch.tick(nowMs);
  }
  expect(over).toEqual([receivedMs]);
});

describe('hosts that three owners watch and that fall silent together', () => {
  type Judge = (
    tallies: readonly ShardTally[][],
    nowMs: number,
  ) => readonly (readonly string[])[] | undefined;
  const apart: Judge = (tallies) => tallies.map((own) => massLoss(own));
  const together: Judge = (tallies) => tallies.map(() => massLoss(tallies.flat()));

  /** 45 hosts of 15 sites, 15 at each owner: fewer than the twenty that say something of the platform. */
  function owned(judge: Judge) {
    const everyMs = HEARTBEAT_S.high * 1_000;
    const calledOfflineMs: number[] = [];
    let now = 0;
    const seen: ShardTally[][] = [[], [], []];
    const watches = seen.map(
      (_, owner) =>
        new Watch(
          0,
          {
            onEffect: (_uid, { kind }) => {
              if (kind === 'raise') calledOfflineMs.push(now - END_MS);
            },
            onTransition: () => undefined,
            onPlatformTrouble: () => undefined,
            onTallies: (tallies) => {
              seen[owner] = [...tallies];
            },
          },
          () => false,
        ),
    );
    const fleet = Array.from({ length: 45 }, (_, at) => {
      const watch = watches[at % 3];
      if (watch === undefined) throw new Error('there are three');
      const uid = `host-${at}`;
      const place = { sh: SHARDS[at] ?? '', tenant: 't', siteId: `s${at % 15}`, uid };
      watch.shard(place.sh, true, 0);
      watch.put({ place, hostId: uid, profile: 'high' });
      watch.input(uid, { kind: 'birth', atMs: 0, sid: 'one' });
      return { watch, uid, phaseMs: (at % 10) * 1_000 };
    });
    for (now = 1_000; now <= END_MS + 300_000; now += 1_000) {
      for (const { watch, uid, phaseMs } of fleet)
        if (now < END_MS && now % everyMs === phaseMs)
          watch.input(uid, { kind: 'heartbeat', atMs: now, sid: 'one' });
      for (const watch of watches) watch.tick(now);
      const judged = judge(seen, now);
      for (const [owner, tenants] of (judged ?? []).entries()) watches[owner]?.judged(tenants, now);
    }
    return calledOfflineMs;
  }

  it('all are called offline when each owner judges its own, and none when one judges all', () => {
    expect(owned(apart)).toHaveLength(45);
    expect(owned(together)).toEqual([]);
  });

  it('none is called offline while the judge is away for 20 s', () => {
    const away: Judge = (tallies, nowMs) =>
      nowMs > END_MS + 20_000 && nowMs < END_MS + 40_000 ? undefined : together(tallies, nowMs);
    expect(owned(away)).toEqual([]);
  });

  it('no owner waits longer than half a minute for a judge that does not come back', () => {
    const missing: Judge = (tallies, nowMs) => (nowMs > END_MS ? undefined : together(tallies, nowMs));
    const calledMs = owned(missing);
    expect(calledMs).toHaveLength(45);
    // Three heartbeats and 5 s, two pings; half a minute counts from the last judgement on.
    expect(Math.max(...calledMs)).toBeLessThanOrEqual(60_000);
  });
});
