import { describe, expect, it } from 'vitest';
import { placeLeg } from '#appliance/io/media-worker/placement.ts';

const place = (legs: number, { ready = true, overloaded = false } = {}) => ({ legs, ready, overloaded });

describe('placeLeg', () => {
  it('takes the worker with the fewest legs', () => {
    const places = [place(7), place(3), place(5)];
    expect(placeLeg(places, 'ordinary', undefined)).toEqual({ ok: true, value: places[1] });
  });

  it('lets the first leg in where nothing runs yet, however late the machine is', () => {
    const places = [place(0, { overloaded: true }), place(3, { overloaded: true })];
    expect(placeLeg(places, 'ordinary', undefined)).toEqual({ ok: true, value: places[0] });
  });

  it('takes the one that is near, whatever it carries', () => {
    const places = [place(400), place(3)];
    expect(placeLeg(places, 'ordinary', places[0])).toEqual({ ok: true, value: places[0] });
  });

  it('takes another when the near one is full, for rings join what is on two workers', () => {
    const places = [place(800), place(790)];
    expect(placeLeg(places, 'ordinary', places[0])).toEqual({ ok: true, value: places[1] });
    expect(placeLeg([place(800), place(800)], 'ordinary', places[0])).toMatchObject({
      error: { code: 'Overload' },
    });
  });

  it.each([
    ['ordinary', 499, true],
    ['ordinary', 500, false],
    ['alarm', 500, true],
    ['alarm', 799, true],
    ['alarm', 800, false],
  ] as const)('%s with %i legs there: %s', (profile, legs, fits) => {
    expect(placeLeg([place(legs)], profile, undefined).ok).toBe(fits);
  });

  it.each([['ready', place(0, { ready: false })]])('takes none that is not %s', (_, one) => {
    expect(placeLeg([one], 'alarm', undefined)).toMatchObject({ error: { code: 'Overload' } });
    expect(placeLeg([one, place(1)], 'alarm', one)).toMatchObject({ error: { code: 'Overload' } });
  });

  it('takes no new call on a worker that is late, but alarms and the other side of a call that runs', () => {
    const late = place(10, { overloaded: true });
    expect(placeLeg([late], 'ordinary', undefined)).toMatchObject({ ok: false, error: { code: 'Overload' } });
    expect(placeLeg([late], 'alarm', undefined).ok).toBe(true);
    expect(placeLeg([late], 'ordinary', late).ok).toBe(true);
  });
});
