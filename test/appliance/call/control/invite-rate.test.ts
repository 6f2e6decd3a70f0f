import { describe, expect, it } from 'vitest';
import { InviteRate } from '#appliance/call/control/index.ts';

const taken = (rate: InviteRate, source: string, count: number, nowMs: number): number => {
  let allowed = 0;
  for (let each = 0; each < count; each++) if (rate.refuses(source, nowMs) === undefined) allowed++;
  return allowed;
};

describe('how many calls may begin', () => {
  it('of one source: five hundred at once, then a hundred a second', () => {
    const rate = new InviteRate();
    expect(taken(rate, 'a', 900, 1_000)).toBe(500);
    expect(rate.refuses('a', 1_000)).toBe(5);
    expect(taken(rate, 'b', 10, 1_000)).toBe(10);
    expect(taken(rate, 'a', 400, 2_000)).toBe(100);
    expect(taken(rate, 'a', 900, 60_000)).toBe(500);
  });

  it('of everybody together: a thousand at once, then 250 a second', () => {
    const rate = new InviteRate();
    let allowed = 0;
    for (let source = 0; source < 20; source++) allowed += taken(rate, `s${source}`, 90, 1_000);
    expect(allowed).toBe(1_000);
    allowed = 0;
    for (let source = 0; source < 20; source++) allowed += taken(rate, `t${source}`, 50, 2_000);
    expect(allowed).toBe(250);
  });

  it('as the settings say, or as many as come', () => {
    const rate = new InviteRate({ source: { perS: 1, burst: 2 }, tenant: { perS: 1, burst: 3 } });
    expect(taken(rate, 'a', 5, 1_000)).toBe(2);
    expect(taken(rate, 'b', 5, 1_000)).toBe(1);
    expect(taken(rate, 'a', 5, 2_000)).toBe(1);
    expect(taken(new InviteRate('off'), 'a', 5_000, 1_000)).toBe(5_000);
  });
});
