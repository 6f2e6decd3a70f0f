import { describe, expect, it } from 'vitest';
import { LateWatch } from '#appliance/media/engine/load/late-watch.ts';
import { Overload } from '#appliance/media/engine/load/overload.ts';
import { must, testMedia } from '#test/support/media.ts';
import { numbers } from '#test/support/numbers.ts';
import { caller } from './sound.ts';

describe('LateWatch', () => {
  it('begins with three late slices within a second and ends after ten seconds in time', () => {
    const watch = new LateWatch();
    expect([0, 500, 1_001].map((at) => watch.slice(at, 11))).toEqual([false, false, false]);
    expect(watch.slice(1_400, 11)).toBe(true);
    expect(watch.on).toBe(true);
    expect(watch.slice(1_500, 50)).toBe(false);
    expect(watch.slice(11_499, 9)).toBe(false);
    expect(watch.slice(11_500, 9)).toBe(true);
    expect(watch.on).toBe(false);
    expect(watch.slice(11_505, 11)).toBe(false);
  });

  it('is reported by the engine, and is no overload', async () => {
    const net = testMedia();
    await caller(net, 'a');
    for (let n = 0; n < 4; n++) net.engine.slice(net.nowMs, 30);
    expect(net.eventsOf('late')).toEqual([{ kind: 'late', worker: 0, on: true }]);
    expect(net.eventsOf('overload')).toEqual([]);
    expect(must(await net.media.stats('a')).sent).toMatchObject({ latenessMaxMs: 30, latenessP50Ms: 30 });
  });
});

describe('Overload', () => {
  /** Share and legs of each second, and whether it was overloaded then. */
  const story = (seconds: readonly (readonly [share: number, legs: number])[]): string => {
    const overload = new Overload();
    return seconds
      .map(([share, legs], second) => {
        overload.measured(second * 1_000, share, legs);
        return overload.on ? 'X' : '-';
      })
      .join('');
  };
  const of = (count: number, share: number, legs: number) =>
    Array.from({ length: count }, () => [share, legs] as const);

  it.each([
    ['three seconds of its own load', of(5, 0.85, 50), '---XX'],
    [
      'two of them, and a moment of less',
      [...of(3, 0.99, 400), ...of(1, 0.84, 400), ...of(3, 0.99, 400)],
      '-------',
    ],
    ['any load with few legs', of(8, 1, 49), '--------'],
    ['legs without load', of(8, 0.84, 800), '--------'],
    ['less load, but too little less', [...of(4, 0.9, 99), ...of(14, 0.71, 99)], `---X${'X'.repeat(14)}`],
    ['ten seconds of less load', [...of(4, 0.9, 99), ...of(12, 0.7, 99)], `---X${'X'.repeat(10)}--`],
    [
      'less load that comes back',
      [...of(4, 0.9, 99), ...of(6, 0.5, 99), ...of(1, 0.8, 99), ...of(9, 0.5, 99)],
      `---X${'X'.repeat(16)}`,
    ],
    ['few legs', [...of(4, 0.9, 50), ...of(1, 0.9, 49)], '---X-'],
  ])('%s', (_, seconds, expected) => {
    expect(story(seconds)).toBe(expected);
  });

  it('is never on below the sure legs or without three seconds of load, whatever comes (property)', () => {
    const next = numbers(7);
    for (let run = 0; run < 300; run++) {
      const overload = new Overload();
      let loadedSinceMs: number | undefined;
      let relievedSinceMs: number | undefined;
      for (let nowMs = 0; nowMs < 60_000; nowMs += 500 + (next() % 1_500)) {
        const [share, legs] = [(next() % 101) / 100, next() % 100];
        const before = overload.on;
        loadedSinceMs = legs >= 50 && share >= 0.85 ? (loadedSinceMs ?? nowMs) : undefined;
        relievedSinceMs = share <= 0.7 ? (relievedSinceMs ?? nowMs) : undefined;
        const changed = overload.measured(nowMs, share, legs);
        expect(changed).toBe(overload.on !== before);
        if (legs < 50) expect(overload.on).toBe(false);
        if (!before && overload.on) expect(nowMs - (loadedSinceMs ?? nowMs)).toBeGreaterThanOrEqual(3_000);
        if (before && !overload.on && legs >= 50)
          expect(nowMs - (relievedSinceMs ?? nowMs)).toBeGreaterThanOrEqual(10_000);
      }
    }
  });

  it('is reported by the engine, and is no lateness', async () => {
    const net = testMedia();
    for (let n = 0; n < 50; n++)
      must(await net.media.openLeg({ leg: `${n}`, profile: 'ordinary', family: 4 }));
    const { load } = net.engine;
    for (let second = 0; second < 4; second++)
      load.measured(net.nowMs + second * 1_000, 0.9, net.engine.legs);
    expect(net.events.filter(({ kind }) => kind === 'late' || kind === 'overload')).toEqual([
      { kind: 'overload', worker: 0, on: true },
    ]);
    expect(await net.media.openLeg({ leg: 'more', profile: 'ordinary', family: 4 })).toMatchObject({
      error: { code: 'Overload', retryAfterS: 10 },
    });
    must(await net.media.openLeg({ leg: 'alarm', profile: 'alarm', family: 4 }));
  });
});
