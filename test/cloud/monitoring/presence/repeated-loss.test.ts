import { describe, expect, it } from 'vitest';
import { initialUplink, stepUplink, type UplinkInput, type UplinkState } from '#appliance/site/uplink.ts';
import { Watch } from '#cloud/monitoring/presence/watch.ts';
import { SHARDS } from '#shared/contract/feed/index.ts';
import { seeded } from '#test/campaign/campaign.ts';

/*
 * Two brokers, of which one is away for a moment again and again. Hosts are the machine of the product, and go on with the back-off of the
 * loss before where they were back for less than a minute: in the end some wait for a minute.
 */

const S = 1_000;
const [STEP_MS, CALM_MS, AFTER_MS] = [100, 600 * S, 400 * S];
/** So few at once say nothing of the platform. */
const [HOSTS, SITES] = [40, 20];
/** Heartbeats of the shortest profile. */
const BEAT_MS = 10 * S;
/** From the last word of a host to the verdict on it, in quiet times: 3 T and 5 s, two pings, and the seconds of the wheel. */
const VERDICT_MS = 48 * S;

interface Loss {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly broker: number;
}

/** Losses of one broker after the other, 6 s long. */
const losses = (count: number, everyMs: number): Loss[] =>
  Array.from({ length: count }, (_, n) => {
    const fromMs = CALM_MS + n * everyMs;
    return { fromMs, untilMs: fromMs + 6 * S, broker: n % 2 };
  });

interface Host {
  readonly uid: string;
  readonly sh: string;
  readonly beatAtMs: number;
  state: UplinkState;
  timerMs: number;
  connectMs: number;
}

/** A fleet through these losses. `dies`: the first host ends then. Gives when hosts were called offline, and the longest silence of one. */
function lived(all: readonly Loss[], { seed = 1, dies = Number.POSITIVE_INFINITY } = {}) {
  const chance = seeded(seed);
  const offline: { readonly uid: string; readonly atMs: number }[] = [];
  let nowMs = 0;
  const watch = new Watch(0, {
    onEffect: (uid, { kind }) => {
      if (kind === 'raise') offline.push({ uid, atMs: nowMs });
    },
    onTransition: () => undefined,
    onPlatformTrouble: () => undefined,
  });
  const hosts = Array.from({ length: HOSTS }, (_, n): Host => {
    const [uid, sh] = [`host-${n}`, SHARDS[n % SHARDS.length] ?? ''];
    watch.put({ place: { sh, tenant: 't', siteId: `s${n % SITES}`, uid }, hostId: uid, profile: 'high' });
    const beatAtMs = Math.floor(chance() * (BEAT_MS / S)) * S;
    const [timerMs, connectMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    return { uid, sh, beatAtMs, state: { ...initialUplink(), turn: n }, timerMs, connectMs };
  });
  const isUp = (at: number): boolean =>
    !all.some(({ fromMs, untilMs, broker }) => broker === at && fromMs <= nowMs && nowMs < untilMs);
  const decide = (host: Host, input: UplinkInput): void => {
    const { state, effects } = stepUplink(host.state, input);
    host.state = state;
    for (const effect of effects) {
      if (effect.kind === 'connect') host.connectMs = nowMs + STEP_MS;
      if (effect.kind === 'startTimer') host.timerMs = nowMs + effect.delayMs;
      if (effect.kind === 'greet') watch.input(host.uid, { kind: 'birth', atMs: nowMs, sid: 'one' });
    }
  };
  const step = (host: Host): void => {
    const isReached = isUp(host.state.turn % 2);
    if (host.state.at === 'connected' && !isReached)
      decide(host, { kind: 'lost', atMs: nowMs, random: chance() });
    if (host.connectMs <= nowMs) {
      host.connectMs = Number.POSITIVE_INFINITY;
      decide(
        host,
        isReached ? { kind: 'opened', atMs: nowMs } : { kind: 'failed', atMs: nowMs, random: chance() },
      );
    }
    if (host.timerMs <= nowMs) {
      host.timerMs = Number.POSITIVE_INFINITY;
      decide(host, { kind: 'retry', atMs: nowMs });
    }
    if (host.state.at === 'connected' && nowMs % BEAT_MS === host.beatAtMs)
      watch.input(host.uid, { kind: 'heartbeat', atMs: nowMs, sid: 'one' });
  };
  for (const sh of SHARDS) watch.shard(sh, true, 0);
  for (const host of hosts) decide(host, { kind: 'start', atMs: 0 });
  let wereUp = 2;
  let longestMs = 0;
  const untilMs = Math.max(CALM_MS, ...all.map((each) => each.untilMs)) + AFTER_MS;
  for (nowMs = STEP_MS; nowMs <= untilMs; nowMs += STEP_MS) {
    const up = [0, 1].filter(isUp).length;
    if (up !== wereUp) for (const sh of SHARDS) watch.shard(sh, up > 0, nowMs, up === 2, up < wereUp);
    wereUp = up;
    const [first] = hosts;
    for (const host of hosts) if (host !== first || nowMs < dies) step(host);
    if (nowMs % S === 0) watch.tick(nowMs);
    for (const { uid } of hosts.slice(1))
      longestMs = Math.max(longestMs, nowMs - (watch.presence(uid)?.lastSeenMs ?? nowMs));
  }
  return { offline, longestMs };
}

describe('a broker that is away for a moment again and again', () => {
  it.each([1, 2, 3, 4])('blames no host that still waits for its next try (seed %i)', (seed) => {
    const { offline, longestMs } = lived(losses(9, 30 * S), { seed });
    expect(offline).toEqual([]);
    // In quiet times a host is called offline before.
    expect(longestMs).toBeGreaterThan(VERDICT_MS);
  });

  it('blames one that does not come', () => {
    const all = losses(9, 30 * S);
    const lastMs = all.at(-1)?.untilMs ?? 0;
    const { offline } = lived(all, { dies: lastMs });
    expect(offline.map(({ uid }) => uid)).toEqual(['host-0']);
    expect(offline[0]?.atMs).toBeLessThan(lastMs + 60 * S + VERDICT_MS);
  });

  it('hides no host for longer where those between had time to forget', () => {
    const all = losses(9, 90 * S);
    const lastMs = all.at(-1)?.untilMs ?? 0;
    expect(lived(all, { dies: lastMs + 30 * S }).offline[0]?.atMs).toBeLessThan(lastMs + 30 * S + VERDICT_MS);
  });
});

it('a single connection of an owner that breaks again and again hides no host', () => {
  const [cut = '', other = ''] = SHARDS;
  let raisedMs: number | undefined;
  let nowMs = 0;
  const watch = new Watch(0, {
    onEffect: (_, { kind }) => {
      if (kind === 'raise') raisedMs ??= nowMs;
    },
    onTransition: () => undefined,
    onPlatformTrouble: () => undefined,
  });
  for (const sh of SHARDS) watch.shard(sh, true, 0);
  watch.put({
    place: { sh: other, tenant: 't', siteId: 's', uid: 'host' },
    hostId: 'host',
    profile: 'high',
  });
  for (nowMs = S; nowMs <= CALM_MS + AFTER_MS; nowMs += S) {
    if (nowMs % (20 * S) === 0) watch.shard(cut, true, nowMs, false, true);
    if (nowMs % (20 * S) === 2 * S) watch.shard(cut, true, nowMs);
    if (nowMs <= CALM_MS && nowMs % BEAT_MS === 0)
      watch.input('host', { kind: 'heartbeat', atMs: nowMs, sid: 'one' });
    watch.tick(nowMs);
  }
  expect(raisedMs).toBeLessThan(CALM_MS + VERDICT_MS);
});
