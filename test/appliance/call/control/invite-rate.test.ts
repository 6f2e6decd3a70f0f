import { describe, expect, it } from 'vitest';
import { type AlarmCallerOf, InviteRate } from '#appliance/call/control/index.ts';

const taken = (rate: InviteRate, source: string, count: number, nowMs: number): number => {
  let allowed = 0;
  for (let each = 0; each < count; each++) if (rate.refuses(source, nowMs) === undefined) allowed++;
  return allowed;
};

describe('how many calls may begin', () => {
  it('is, from one source, five hundred at once, then a hundred a second', () => {
    const rate = new InviteRate();
    expect(taken(rate, 'a', 900, 1_000)).toBe(500);
    expect(rate.refuses('a', 1_000)).toBe(5);
    expect(taken(rate, 'b', 10, 1_000)).toBe(10);
    expect(taken(rate, 'a', 400, 2_000)).toBe(100);
    expect(taken(rate, 'a', 900, 60_000)).toBe(500);
  });

  it('is, from all together, a thousand at once, then 250 a second, of callers that were let in', () => {
    const rate = new InviteRate();
    const letIn = (nowMs: number) =>
      Array.from({ length: 1_800 }, () => rate.refusesKnown(nowMs)).filter((waitS) => waitS === undefined)
        .length;
    expect(letIn(1_000)).toBe(1_000);
    expect(letIn(2_000)).toBe(250);
    expect(rate.refusesKnown(2_000)).toBe(5);
  });

  it('is the same whatever unknown callers send', () => {
    const rate = new InviteRate();
    for (let source = 0; source < 200; source++) taken(rate, `s${source}`, 90, 1_000);
    expect(rate.refusesKnown(1_000)).toBeUndefined();
  });

  it('has a budget for alarms that ordinary calls do not touch, asked for only beyond the rate of all calls', () => {
    const rate = new InviteRate({ source: { perS: 1, burst: 2 }, tenant: { perS: 1, burst: 100 } });
    let asked = 0;
    const alarm = () => {
      asked++;
      return { deviceId: undefined };
    };
    expect(taken(rate, 'trunk', 9, 1_000)).toBe(2);
    expect([1, 2, 3].map(() => rate.refuses('trunk', 1_000, alarm))).toEqual([undefined, undefined, 5]);
    expect(asked).toBe(3);
    expect(rate.refuses('trunk', 1_000, () => undefined)).toBe(5);
    expect(rate.refuses('other', 1_000, alarm)).toBeUndefined();
    expect(asked).toBe(3);
  });

  it('is, for a known device, five at once and one in five seconds, whatever a flood of alarms has used up', () => {
    const rate = new InviteRate({ source: { perS: 1, burst: 2 }, tenant: { perS: 1, burst: 2 } });
    const unknown = () => ({ deviceId: undefined });
    const known = () => ({ deviceId: 'unit' });
    for (const refuses of [
      (caller: AlarmCallerOf) => rate.refuses('s', 1_000, caller),
      (caller: AlarmCallerOf) => rate.refusesKnown(1_000, caller),
    ]) {
      for (let each = 0; each < 20; each++) refuses(unknown);
      expect(refuses(unknown)).toBe(5);
      let through = 0;
      for (let each = 0; each < 9; each++) if (refuses(known) === undefined) through++;
      expect(through).toBe(5);
      expect(refuses(() => ({ deviceId: 'other' }))).toBeUndefined();
    }
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
