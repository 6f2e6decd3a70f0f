import { describe, expect, it } from 'vitest';
import { freeLegs, LEG_LIMITS, placeLeg } from '#appliance/io/media-worker/placement.ts';
import { numbers } from '#test/support/numbers.ts';

const place = (legs: number, { ready = true, overloaded = false, late = false } = {}) => ({
  ...{ legs, ready, overloaded, late },
});
const ORDINARY = { profile: 'ordinary' } as const;
const ALARM = { profile: 'alarm' } as const;
/** A call to an emergency number. */
const URGENT = { profile: 'ordinary', urgent: true } as const;
const ASKED = { ordinary: ORDINARY, alarm: ALARM, urgent: URGENT };
const PORTS = { ordinary: 1_700, alarm: 1_750 };

describe('placeLeg', () => {
  it('takes the worker with the fewest legs', () => {
    const places = [place(7), place(3), place(5)];
    expect(placeLeg(places, ORDINARY, undefined)).toEqual({ ok: true, value: places[1] });
  });

  it('takes one that is in time, if there is one', () => {
    const places = [place(3, { late: true }), place(7), place(9)];
    expect(placeLeg(places, ORDINARY, undefined)).toEqual({ ok: true, value: places[1] });
  });

  it('takes the one that is near, whatever it carries', () => {
    const places = [place(400), place(3)];
    expect(placeLeg(places, ORDINARY, places[0])).toEqual({ ok: true, value: places[0] });
  });

  it('takes another when the near one is full, for rings join what is on two workers', () => {
    const places = [place(800), place(740)];
    expect(placeLeg(places, ORDINARY, places[0])).toEqual({ ok: true, value: places[1] });
    expect(placeLeg([place(800), place(800)], ALARM, places[0])).toMatchObject({
      error: { code: 'Overload' },
    });
  });

  it.each([
    ['ordinary', 499, false, true],
    ['ordinary', 500, false, false],
    ['ordinary', 749, true, true],
    ['ordinary', 750, true, false],
    ['alarm', 500, false, true],
    ['alarm', 799, false, true],
    ['alarm', 799, true, true],
    ['alarm', 800, false, false],
    ['urgent', 500, false, true],
    ['urgent', 799, true, true],
    ['urgent', 800, false, false],
  ] as const)('%s with %i legs there, near: %s: %s', (asked, legs, isNear, fits) => {
    const one = place(legs);
    expect(placeLeg([one], ASKED[asked], isNear ? one : undefined).ok).toBe(fits);
  });

  it.each([['ready', place(0, { ready: false })]])('takes none that is not %s', (_, one) => {
    expect(placeLeg([one], ALARM, undefined)).toMatchObject({ error: { code: 'Overload' } });
    expect(placeLeg([one, place(1)], ALARM, one)).toMatchObject({ error: { code: 'Overload' } });
  });

  it('refuses no call because a worker is late', () => {
    for (const legs of [0, 1, 5, 50, 499])
      expect(placeLeg([place(legs, { late: true })], ORDINARY, undefined).ok).toBe(true);
  });

  it('takes no new call on a worker that is overloaded, but alarms, emergency calls and the other side of a call that runs', () => {
    const loaded = place(60, { overloaded: true });
    expect(placeLeg([loaded], ORDINARY, undefined)).toMatchObject({
      error: { code: 'Overload', retryAfterS: 10 },
    });
    expect(placeLeg([loaded], ALARM, undefined).ok).toBe(true);
    expect(placeLeg([loaded], URGENT, undefined).ok).toBe(true);
    expect(placeLeg([loaded], ORDINARY, loaded).ok).toBe(true);
  });

  it('refuses for its own legs and its own load only; whatever an ordinary call gets an alarm gets (property)', () => {
    const next = numbers(11);
    const flag = () => next() % 2 === 0;
    const anyPlace = () => place(next() % 850, { ready: next() % 8 > 0, overloaded: flag(), late: flag() });
    for (let run = 0; run < 5_000; run++) {
      const places = Array.from({ length: 1 + (next() % 4) }, anyPlace);
      const isLateAlone = places.map((each) => ({ ...each, late: !each.late }));
      const ordinary = placeLeg(places, ORDINARY, undefined);
      expect(placeLeg(isLateAlone, ORDINARY, undefined).ok).toBe(ordinary.ok);
      if (ordinary.ok) expect(placeLeg(places, ALARM, undefined).ok).toBe(true);
      const hasFew = places.some(({ ready, legs }) => ready && legs < LEG_LIMITS.sure);
      if (hasFew) expect(ordinary.ok).toBe(true);
      const free = freeLegs(places, PORTS);
      expect(free.ordinary > 0).toBe(ordinary.ok);
      expect(free.alarm > 0).toBe(placeLeg(places, ALARM, undefined).ok);
      expect(placeLeg(places, URGENT, undefined)).toEqual(placeLeg(places, ALARM, undefined));
      expect(free.alarm).toBeGreaterThanOrEqual(free.ordinary);
    }
  });
});

describe('freeLegs', () => {
  it('are those of all workers, of one that is overloaded the sure ones, and no more than there are ports', () => {
    const places = [place(100, { late: true }), place(30, { overloaded: true }), place(9, { ready: false })];
    expect(freeLegs(places, PORTS)).toEqual({ ordinary: 420, alarm: 1_470 });
    expect(freeLegs(places, { ordinary: 7, alarm: 9 })).toEqual({ ordinary: 7, alarm: 9 });
  });
});
