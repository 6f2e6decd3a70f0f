import { describe, expect, it } from 'vitest';
import { curveOf, MEASURES, type MediaCurve, rangeOf } from '#cloud/console/component/trace/curve.ts';
import { hourBars } from '#cloud/console/component/trace/hour-bar.ts';

const point = (at: number, more: Partial<MediaCurve['points'][number]> = {}) => ({
  ...{ at, forMs: 5_000, received: 250, sent: 250, lost: 0, late: 0, concealedMs: 0, jitterMs: 10 },
  ...{ latenessMs: 0, levelDbm0: -35, sentLevelDbm0: null },
  ...more,
});
const measure = (name: string) => MEASURES.find((each) => each.name === name) ?? MEASURES[0];
const BOX = { width: 100, height: 10 };

describe('the audio of a party over time', () => {
  const points = [
    point(0),
    point(5_000, { jitterMs: 40, levelDbm0: null }),
    point(10_000, { levelDbm0: -70 }),
  ];

  it('is a step for each window, and has a gap where nothing was measured', () => {
    expect(curveOf(points, measure('levelDbm0'), [0, 15_000], BOX)).toEqual({
      ...{ path: 'M0 5L33.3 5M66.7 10L100 10', top: 0, least: -70, most: -35 },
    });
    expect(curveOf(points, measure('sentLevelDbm0'), [0, 15_000], BOX)).toMatchObject({
      ...{ path: '', least: undefined },
    });
  });

  it('lets its scale grow where a value exceeds it', () => {
    expect(curveOf(points, measure('jitterMs'), [0, 15_000], BOX)).toMatchObject({
      ...{ path: 'M0 7.5L33.3 7.5L33.3 0L66.7 0L66.7 7.5L100 7.5', top: 40 },
    });
  });

  it('shares one range of time between all parties', () => {
    expect(rangeOf([])).toEqual([0, 1]);
    expect(
      rangeOf([
        { hostId: 'a', leg: '1', points },
        { hostId: 'a', leg: '2', points: [point(-1)] },
      ]),
    ).toEqual([-1, 15_000]);
  });
});

describe('the bars above the list', () => {
  const HOUR = 3_600_000;

  it('has a bar for each hour, also for an empty one, and sums well and not well', () => {
    const count = (hour: number, result: 'done' | 'failed' | 'unanswered', amount: number) => ({
      ...{ hour: hour * HOUR, kind: 'alarm' as const, result, amount },
    });
    const bars = hourBars(
      [count(1, 'done', 3), count(1, 'failed', 1), count(3, 'unanswered', 2)],
      HOUR + 5,
      4 * HOUR,
    );
    expect(
      bars.map(({ hour, good, bad, goodShare, badShare }) => [hour / HOUR, good, bad, goodShare, badShare]),
    ).toEqual([
      [1, 3, 1, 0.75, 0.25],
      [2, 0, 0, 0, 0],
      [3, 0, 2, 0, 0.5],
    ]);
  });

  it('shows the last 30 days of a longer range', () => {
    const bars = hourBars([], 0, 10_000 * HOUR);
    expect([bars.length, bars.at(-1)?.hour]).toEqual([720, 9_999 * HOUR]);
  });
});
