import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  cpStateShard,
  cpStateTopic,
  laneOf,
  parseTopic,
  SHARDS,
  shardOf,
  topicOf,
} from '#shared/contract/feed/index.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const place = { sh: '2a', tenant: '01jtenant', siteId: 'north-1', uid: '01juid' };

describe('topics', () => {
  it('are built and taken apart alike, for every leaf', () => {
    for (const leaf of [
      'up/state',
      'up/hb',
      'up/cfg',
      'up/res',
      'up/ev/alarm',
      'dn/twin',
      'dn/req',
    ] as const) {
      expect(parseTopic(topicOf(place, leaf))).toEqual({ ...place, leaf });
    }
    expect(topicOf(place, 'up/ev/audit')).toBe('carillon/1/2a/01jtenant/north-1/01juid/up/ev/audit');
    expect(laneOf('up/ev/audit')).toBe('audit');
    expect(laneOf('up/hb')).toBeUndefined();
  });

  it.each([
    'carillon/1/2a/+/north-1/01juid/up/hb',
    'carillon/1/2a/01jtenant/north-1/01juid/up/#',
    'carillon/2/2a/01jtenant/north-1/01juid/up/hb',
    'carillon/1/40/01jtenant/north-1/01juid/up/hb',
    'carillon/1/2a/01jtenant/north-1/01juid/up/secret',
    'carillon/1/2a/01jtenant/north-1/01juid/dn/hb',
    'carillon/1/2a/cp/state',
    '$SYS/broker',
  ])('does not take %s for a topic of a host', (topic) => {
    expect(parseTopic(topic)).toBeUndefined();
  });

  it('knows the owner by its topic', () => {
    expect(cpStateShard(cpStateTopic('3f'))).toBe('3f');
    expect(cpStateShard('carillon/1/3f/x/cp/state')).toBeUndefined();
  });

  it('puts a host into the shard of the first 6 bits of its SHA-256', () => {
    // SHA-256("abc") = ba7816bf… (FIPS 180-2 B.1): 0xba >> 2 = 0x2e.
    expect(shardOf('abc', sha256)).toBe('2e');
    expect(SHARDS).toHaveLength(64);
    expect([SHARDS[0], SHARDS[63]]).toEqual(['00', '3f']);
  });
});
