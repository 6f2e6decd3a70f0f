import { describe, expect, it } from 'vitest';
import { randomPool } from '#appliance/io/crypto/index.ts';

describe('randomPool', () => {
  it('hands out every byte once, also across refills and for requests larger than the pool', () => {
    const random = randomPool();
    const seen = new Set<string>();
    for (let i = 0; i < 5_000; i++) seen.add(Buffer.from(random(16)).toString('hex'));
    expect(seen.size).toBe(5_000);
    expect(random(0)).toHaveLength(0);
    const large = random(40_000);
    expect(large).toHaveLength(40_000);
    expect(new Set(large).size).toBe(256);
  });

  it('gives copies: what a caller does to its bytes changes no other', () => {
    const random = randomPool();
    const first = random(8);
    const second = random(8);
    const before = Buffer.from(second).toString('hex');
    first.fill(0);
    expect(Buffer.from(second).toString('hex')).toBe(before);
  });
});
