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

  it('of everybody together: a thousand at once, then 250 a second, of callers that were let in', () => {
    const rate = new InviteRate();
    const letIn = (nowMs: number) =>
      Array.from({ length: 1_800 }, () => rate.refusesKnown(nowMs)).filter((waitS) => waitS === undefined)
        .length;
    expect(letIn(1_000)).toBe(1_000);
    expect(letIn(2_000)).toBe(250);
    expect(rate.refusesKnown(2_000)).toBe(5);
  });

  it('of strangers use up nothing of that', () => {
    const rate = new InviteRate();
    for (let source = 0; source < 200; source++) taken(rate, `s${source}`, 90, 1_000);
    expect(rate.refusesKnown(1_000)).toBeUndefined();
  });

  it('as the settings say, or as many as come', () => {
    const rate = new InviteRate({ source: { perS: 1, burst: 2 }, tenant: { perS: 1, burst: 3 } });
    expect(taken(rate, 'a', 5, 1_000)).toBe(2);
    expect(taken(rate, 'b', 5, 1_000)).toBe(2);
    expect(taken(rate, 'a', 5, 2_000)).toBe(1);
    const off = new InviteRate('off');
    expect(taken(off, 'a', 5_000, 1_000)).toBe(5_000);
    for (let call = 0; call < 5_000; call++) expect(off.refusesKnown(1_000)).toBeUndefined();
  });
});
