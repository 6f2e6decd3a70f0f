import { describe, expect, it } from 'vitest';
import { MOVE_MS } from '#cloud/monitoring/presence/profile.ts';
import { Watch } from '#cloud/monitoring/presence/watch.ts';
import { HEARTBEAT_S, OWNER_KEEPALIVE_S, PROFILES, type Profile } from '#shared/contract/feed/index.ts';

/* The owner of a shard loses one of two brokers without a word: the last heartbeats of its hosts came just before. */

const [CUT_MS, END_MS, S] = [600_000, 1_800_000, 1_000];
/** The wire is found dead one keepalive and a half after the last answer at the latest. */
const FOUND_MS = CUT_MS + 1.5 * OWNER_KEEPALIVE_S * S;

/** When the host is called offline, ms after the cut; undefined: never. */
function calledOffline({ profile, whole, backMs }: { profile: Profile; whole: boolean; backMs?: number }) {
  let at: number | undefined;
  const watch = new Watch(0, {
    onEffect: (_, { kind }) => {
      if (kind === 'raise') at ??= nowMs - CUT_MS;
    },
    onTransition: () => undefined,
    onPlatformTrouble: () => undefined,
  });
  const everyMs = HEARTBEAT_S[profile] * S;
  const place = { sh: '00', tenant: 't', siteId: 's', uid: 'u' };
  let nowMs = 0;
  watch.shard('00', true, 0);
  watch.put({ place, hostId: 'h', profile });
  watch.input('u', { kind: 'birth', atMs: 0, sid: 'one' });
  for (nowMs = S; nowMs <= END_MS; nowMs += S) {
    if (nowMs === Math.ceil(FOUND_MS / S) * S) watch.shard('00', true, nowMs, whole);
    const isReceived = nowMs < CUT_MS || (backMs !== undefined && nowMs >= CUT_MS + backMs);
    if (isReceived && nowMs % everyMs === 0) watch.input('u', { kind: 'heartbeat', atMs: nowMs, sid: 'one' });
    watch.tick(nowMs);
  }
  return at;
}

describe.each(PROFILES)(
  'a host of profile %s at a broker that its owner does not reach any more',
  (profile) => {
    it('has the time to hear of it and to go to another broker', () =>
      expect(calledOffline({ profile, whole: false, backMs: MOVE_MS })).toBeUndefined());

    it('is called offline in the end when it does not come', () => {
      const at = calledOffline({ profile, whole: false });
      expect(at).toBeGreaterThan(MOVE_MS);
      expect(at).toBeLessThan(MOVE_MS + 60_000 + 4 * HEARTBEAT_S[profile] * S);
    });
  },
);

it('without that time a host of the shortest profile would be called offline in between', () => {
  const at = calledOffline({ profile: 'high', whole: true });
  expect(at).toBeLessThan(MOVE_MS);
});

it('a dead wire is found before the first host behind it would be called offline', () => {
  // Two more intervals: a host that was last heard one before the cut, and the two pings of five seconds.
  expect(1.5 * OWNER_KEEPALIVE_S * S).toBeLessThan((3 * HEARTBEAT_S.high + 5 - HEARTBEAT_S.high) * S);
});
