import { beforeEach, describe, expect, it } from 'vitest';
import { AnnouncementQueue, type Notice, type SetNotice, type Step } from '#cloud/feed/announcement-queue.ts';

const NOW = 1_770_000_000_000;
const GATHER_MS = 50;

let queue: AnnouncementQueue;
let nowMs: number;

beforeEach(() => {
  queue = new AnnouncementQueue();
  nowMs = NOW;
});

const scope = (owner: string, isOwn = false): SetNotice => ({ kind: 'scope', scope: 'tenant', owner, isOwn });
const host = (uid: string, isOnly = true): Notice => ({ kind: 'host', uid, isOnly });
const shard = (sh: string, isEmpty = true): SetNotice => ({ kind: 'shard', sh, isEmpty });
const uidsOf = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n}`);

const notice = (...notices: readonly Notice[]): void => {
  for (const each of notices) queue.notice(each, nowMs);
};
const next = (): Step | undefined => queue.next(nowMs);
const nameOf = (step: Step | undefined): string | undefined => {
  if (step === undefined) return undefined;
  if (step.kind === 'host') return step.uid;
  return step.kind === 'shard'
    ? `shard ${step.sh}`
    : `${step.kind} ${step.kind === 'scope' ? step.owner : step.tenant}`;
};

/** Takes the next step and ends it: a set has these hosts, and each step takes `costMs`. */
function take(hostsOf: Readonly<Record<string, readonly string[]>> = {}, costMs = 0): string | undefined {
  const step = next();
  if (step === undefined) return undefined;
  nowMs += costMs;
  if (step.kind === 'host') queue.done(step, costMs, nowMs);
  else queue.spread(step, hostsOf[nameOf(step) ?? ''] ?? [], costMs, nowMs);
  return nameOf(step);
}

function takeAll(hostsOf: Readonly<Record<string, readonly string[]>> = {}, costMs = 0): string[] {
  const names: string[] = [];
  for (let name = take(hostsOf, costMs); name !== undefined; name = take(hostsOf, costMs)) names.push(name);
  return names;
}

describe('a notice', () => {
  it('waits 50 ms for others of its kind, and is done once for all of them with their marks', () => {
    notice(scope('care', true), scope('care'), host('a'), host('a', false), shard('00', false), shard('00'));
    expect(next()).toBeUndefined();
    expect(queue.nextMs).toBe(NOW + GATHER_MS);
    nowMs += GATHER_MS;
    expect(next()).toEqual(scope('care', true));
    expect(next()).toMatchObject({ kind: 'host', uid: 'a', isOnly: true });
    expect(next()).toEqual(shard('00', true));
    expect(next()).toBeUndefined();
    expect(queue.nextMs).toBe(Number.POSITIVE_INFINITY);
  });

  it('that comes during its announcement waits for the end', () => {
    notice(scope('care'));
    nowMs += GATHER_MS;
    expect(take({ 'scope care': ['a', 'b'] })).toBe('scope care');
    notice(scope('care'));
    nowMs += GATHER_MS;
    expect([take(), queue.nextMs]).toEqual(['a', Number.NEGATIVE_INFINITY]);
    expect(take()).toBe('b');
    expect(take()).toBeUndefined();
    nowMs += GATHER_MS;
    expect(take()).toBe('scope care');
  });

  it('is done with the set that has its host', () => {
    notice(scope('care'), host('b'));
    nowMs += GATHER_MS;
    expect(takeAll({ 'scope care': ['a', 'b'] })).toEqual(['scope care', 'b', 'a']);
  });

  it('is there again at once when others fail, too, together with one that came meanwhile', () => {
    notice(scope('care', true), host('a'));
    nowMs += GATHER_MS;
    const failed = next();
    notice(scope('care'));
    if (failed !== undefined) queue.failed(failed, nowMs, true);
    expect(next()).toEqual(scope('care', true));
    const lost = next();
    expect(next()).toBeUndefined();
    if (lost !== undefined) queue.failed(lost, nowMs, true);
    expect(next()).toEqual(lost);
  });

  it('is not held back by a clock that is set back', () => {
    notice(scope('care'));
    nowMs -= 3_600_000;
    expect(take({ 'scope care': ['a'] })).toBe('scope care');
    expect(take({}, 1_000)).toBe('a');
    notice(scope('care'));
    nowMs += GATHER_MS;
    expect(take({ 'scope care': ['a'] })).toBe('scope care');
    expect(take({}, 1_000)).toBe('a');
    nowMs -= 3_600_000;
    notice(scope('care'));
    expect(queue.nextMs).toBe(nowMs + GATHER_MS);
  });
});

describe('a step that fails alone', () => {
  /** The step of this name fails; how often in a row, and how long it waits then. */
  function failing(name: string): readonly [times: number, waitMs: number] {
    const step = next();
    expect(nameOf(step)).toBe(name);
    const times = step === undefined ? 0 : queue.failed(step, nowMs, false);
    return [times, queue.nextMs - nowMs];
  }

  it.each([
    ['a', host('a')],
    ['care', scope('care')],
  ])('waits longer each time (%s), and not at all behind a success', (owner, noticed) => {
    const name = noticed.kind === 'host' ? owner : `scope ${owner}`;
    notice(noticed);
    nowMs += GATHER_MS;
    const waits = Array.from({ length: 6 }, () => {
      const waited = failing(name);
      expect(next()).toBeUndefined();
      nowMs += waited[1];
      return waited;
    });
    expect(waits.map(([times]) => times)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(waits.map(([, waitMs]) => waitMs)).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
    expect(take()).toBe(name);
    nowMs += 60_000;
    notice(noticed);
    nowMs += GATHER_MS;
    expect(failing(name)).toEqual([1, 1_000]);
  });

  it('holds up neither another host nor the end of its scope', () => {
    notice(scope('care'));
    nowMs += GATHER_MS;
    expect(take({ 'scope care': ['a', 'b'] })).toBe('scope care');
    failing('a');
    expect([take(), take()]).toEqual(['b', undefined]);
    notice(scope('care'));
    nowMs += GATHER_MS;
    expect(takeAll({ 'scope care': ['b'] })).toEqual(['scope care', 'b']);
    nowMs += 1_000;
    expect(take()).toBe('a');
  });

  it('is made again at once behind a change, which may be its cure', () => {
    notice(host('a'));
    nowMs += GATHER_MS;
    for (let times = 0; times < 4; times++) nowMs += failing('a')[1];
    failing('a');
    notice(host('a'));
    expect(queue.nextMs).toBe(nowMs + GATHER_MS);
  });
});

describe('a small scope', () => {
  const hosts = {
    'scope large': uidsOf('l', 101),
    'scope small': uidsOf('s', 100),
    'shard 00': uidsOf('h', 3),
    'shard 01': uidsOf('i', 3),
  };

  it('goes before a large one that has begun, which goes on behind each of its hosts', () => {
    notice(scope('large'));
    nowMs += GATHER_MS;
    expect([take(hosts), take(hosts)]).toEqual(['scope large', 'l0']);
    notice(scope('small'));
    nowMs += GATHER_MS;
    const names = takeAll(hosts);
    expect(names.slice(0, 6)).toEqual(['scope small', 's0', 'l1', 's1', 'l2', 's2']);
    expect(names).toHaveLength(1 + 100 + 100);
    expect(names.filter((name) => name.startsWith('s'))).toHaveLength(101);
  });

  it('does not wait for the hosts of all shards that come up together', () => {
    notice(shard('00'), shard('01'));
    nowMs += GATHER_MS;
    expect([take(hosts), take(hosts)]).toEqual(['shard 00', 'h0']);
    notice(host('s0'));
    nowMs += GATHER_MS;
    expect(takeAll(hosts)).toEqual(['s0', 'h1', 'h2', 'shard 01', 'i0', 'i1', 'i2']);
  });

  it('does not keep a shard waiting for as long as there are small ones', () => {
    notice(shard('00'), ...uidsOf('s', 4).map((uid) => host(uid)));
    nowMs += GATHER_MS;
    expect(takeAll(hosts)).toEqual(['s0', 'shard 00', 's1', 'h0', 's2', 'h1', 's3', 'h2']);
  });

  it('takes a host of a large scope with it, which is done once', () => {
    notice(scope('large'), host('l50'));
    nowMs += GATHER_MS;
    const names = takeAll(hosts);
    expect(names.slice(0, 3)).toEqual(['scope large', 'l50', 'l0']);
    expect(names.filter((name) => name === 'l50')).toHaveLength(1);
  });
});

describe('the rest of a scope', () => {
  /** Announces the owner's scope of one host, which takes so long: the time until a change behind it is announced. */
  const restBehind = (owner: string, costMs: number): number => {
    notice(scope(owner));
    nowMs = Math.max(nowMs, queue.nextMs);
    take({ [`scope ${owner}`]: ['a'] });
    expect(take({}, costMs)).toBe('a');
    notice(scope(owner));
    return queue.nextMs - nowMs;
  };

  it('doubles while changes come faster, up to twenty times the cheaper one of two announcements and ten seconds', () => {
    const costs = [100, 100, 100, 100, 100, 100, 100, 100, 3_000, 3_000, 20];
    expect(costs.map((costMs) => restBehind('care', costMs))).toEqual([
      50, 100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000, 10_000, 400,
    ]);
  });

  it('is as long as the announcement for one who makes a change behind the end of each', () => {
    for (let change = 0; change < 20; change++) {
      expect(restBehind('care', 40)).toBe(GATHER_MS);
      nowMs += GATHER_MS;
      expect(takeAll({ 'scope care': ['a'] }, 40)).toEqual(['scope care', 'a']);
      nowMs += 400;
    }
  });

  it('holds back no other scope', () => {
    expect([3_000, 3_000].map((costMs) => restBehind('care', costMs))).toEqual([GATHER_MS, 3_000]);
    notice(scope('other'));
    expect(queue.nextMs).toBe(nowMs + GATHER_MS);
    nowMs += GATHER_MS;
    expect(take()).toBe('scope other');
    expect(take()).toBeUndefined();
    nowMs += 3_000;
    expect(take()).toBe('scope care');
  });

  it('counts the time of its own hosts, and not of those between them', () => {
    notice(scope('large'));
    nowMs += GATHER_MS;
    take({ 'scope large': uidsOf('l', 200) });
    for (const _ of [1, 2]) {
      notice(scope('care'));
      nowMs = Math.max(nowMs, NOW) + 10_000;
      for (let name = take({ 'scope care': ['a', 'b'] }); name !== 'b'; )
        name = take({}, name?.startsWith('l') === true ? 7 : 10);
    }
    notice(scope('care'));
    // Two hosts of 10 ms or less.
    expect(queue.nextMs).toBeLessThanOrEqual(nowMs + 400);
    expect(take()).toMatch(/^l/);
  });

  it('is forgotten some time behind its end', () => {
    for (const costMs of [3_000, 3_000]) restBehind('care', costMs);
    nowMs += 10_000;
    expect(takeAll({ 'scope care': ['a'] })).toEqual(['scope care', 'a']);
    nowMs += 60_000;
    expect(restBehind('care', 3_000)).toBe(GATHER_MS);
  });
});

it('ends with every host looked at that was noticed, whatever fails, and asks for no time when nothing waits', () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const sets = Object.fromEntries(
    uidsOf('t', 6).map((owner, n) => [`scope ${owner}`, uidsOf(owner, [1, 3, 99, 100, 101, 150][n] ?? 0)]),
  );
  /** Hosts with a notice that no look has followed. */
  const owed = new Set<string>();
  for (let round = 0; round < 3_000 || queue.nextMs < Number.POSITIVE_INFINITY; round++) {
    if (round < 3_000 && random(10) === 0) {
      const owner = `t${random(6)}`;
      const noticed: Notice = random(3) === 0 ? host(`${owner}0`) : scope(owner);
      notice(noticed);
      for (const uid of noticed.kind === 'host' ? [noticed.uid] : (sets[`scope ${owner}`] ?? []))
        owed.add(uid);
    }
    const step = next();
    if (step === undefined) {
      expect(queue.nextMs).toBeGreaterThan(nowMs);
      nowMs = random(2) === 0 || queue.nextMs === Number.POSITIVE_INFINITY ? nowMs + 1 : queue.nextMs;
      continue;
    }
    if (random(8) === 0) {
      queue.failed(step, nowMs, random(2) === 0);
      continue;
    }
    const costMs = random(5);
    nowMs += costMs;
    if (step.kind === 'host') {
      owed.delete(step.uid);
      queue.done(step, costMs, nowMs);
    } else queue.spread(step, sets[nameOf(step) ?? ''] ?? [], costMs, nowMs);
    expect(round).toBeLessThan(100_000);
  }
  expect([...owed]).toEqual([]);
});
