import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  AnsweredRequests,
  birthOf,
  type EnrolOutcome,
  heartbeatOf,
  nextAttemptMs,
  untilHeartbeatMs,
} from '#appliance/site/index.ts';
import { birthSchema, heartbeatSchema } from '#shared/contract/feed/index.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const SID = '01jc7z5t3k9q8w6m4n2p0r1s50';
const facts = {
  upS: 12.7,
  clk: { sync: true },
  sw: { agent: '1' },
  siteBaseUrl: 'https://h1',
  epoch: 3,
  m: { memFreeMb: 900, diskPct: 12 },
  svc: { sip: 'ok' },
  calls: 2,
  alarms1h: 4,
};
const configuration = {
  twinRev: 57,
  life: 'active',
  rev: { tenant: 412, site: 31, host: 9, platform: 77 },
  good: false,
} as const;

describe('the report of a host about itself', () => {
  it('is a birth and a heartbeat of the contract', () => {
    const birth = birthOf({ sid: SID, birthNo: 1, boot: 41, ts: 1 }, facts, configuration, { alarm: [1, 2] });
    expect(birthSchema.parse(birth)).toMatchObject({
      cfg: { tenant: 412, platform: 77, lkg: false },
      epoch: 3,
    });
    const heartbeat = heartbeatOf({ sid: SID, n: 1, ts: 1, certDays: 62 }, facts, configuration, {
      alarm: 0,
    });
    expect(heartbeatSchema.parse(heartbeat)).toMatchObject({
      cfg: [412, 31, 9, 77],
      lkg: 0,
      up: 12,
      calls: 2,
    });
    expect(JSON.stringify(heartbeat).length).toBeLessThan(400);
  });
});

describe('phase of the heartbeat', () => {
  it('is the same place in every interval, and spread over the fleet', () => {
    const at = (uid: string, now: number) => (now + untilHeartbeatMs(uid, 30, now, sha256)) % 30_000;
    for (const now of [0, 1, 29_999, 1_770_000_000_123]) expect(at('a', now)).toBe(at('a', 5));
    const slots = new Set(Array.from({ length: 300 }, (_, i) => Math.floor(at(`host${i}`, 7) / 1_000)));
    expect(slots.size).toBe(30);
  });

  it('is never less than half a second away, and at most half a second more than one interval', () => {
    for (let now = 0; now < 60_000; now += 25) {
      const ms = untilHeartbeatMs('a', 30, now, sha256);
      expect(ms >= 500 && ms < 30_500).toBe(true);
    }
  });

  it('says no heartbeat twice when its timer fires early', () => {
    const due = untilHeartbeatMs('a', 30, 5, sha256) + 5;
    for (const earlyMs of [0, 1, 2, 499])
      expect(untilHeartbeatMs('a', 30, due - earlyMs, sha256)).toBe(30_000 + earlyMs);
  });
});

describe('answers to requests', () => {
  const response = { v: 1, id: SID, ok: true, data: {}, part: 1, last: true } as const;

  it('are kept ten minutes, and a request in progress is not done twice', () => {
    const table = new AnsweredRequests();
    expect(table.open(SID, 0)).toBe('new');
    expect(table.open(SID, 1)).toBe('underWay');
    table.answer(response, 2);
    expect(table.open(SID, 599_000)).toBe(response);
    expect(table.open(SID, 601_000)).toBe('new');
  });

  it('are forgotten oldest first when there are too many', () => {
    const table = new AnsweredRequests();
    for (let i = 0; i < 1_500; i++) table.answer({ ...response, id: `${i}` }, i);
    table.open('x', 1_500);
    expect(table.open('0', 1_500)).toBe('new');
    expect(table.open('1499', 1_500)).toMatchObject({ id: '1499' });
  });
});

describe('next attempt to enrol', () => {
  it.each<[EnrolOutcome, number, number]>([
    [{ kind: 'unreachable', reason: '' }, 24_000, 36_000],
    [{ kind: 'waiting', siteId: 'north', hostId: 'h', retryAfterS: 10 }, 8_000, 12_000],
  ])('%j lies between %i and %i ms', (outcome, least, most) => {
    expect(nextAttemptMs(outcome, 0)).toBe(least);
    expect(nextAttemptMs(outcome, 0.999_999)).toBe(most);
  });

  it('is none after a refusal', () => {
    expect(nextAttemptMs({ kind: 'refused', reason: 'used up' }, 0)).toBeUndefined();
  });
});
