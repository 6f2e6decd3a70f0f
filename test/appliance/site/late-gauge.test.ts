import { describe, expect, it } from 'vitest';
import { judgeLate, stepGauge, wellGauge } from '#appliance/site/index.ts';

const EVERY_MS = 10_000;

/** Alarms of a watch that reads every ten seconds (seconds since the start). */
function story(readings: readonly (number | 'late')[]): readonly (readonly [second: number, kind: string])[] {
  let state = wellGauge;
  return readings.flatMap((each, at) => {
    const reading = each === 'late' ? { late: true, inTimeMs: 0 } : { late: false, inTimeMs: each };
    const stepped = stepGauge(state, judgeLate(reading), at * EVERY_MS);
    state = stepped.state;
    return stepped.effect === undefined ? [] : [[(at * EVERY_MS) / 1_000, stepped.effect.kind] as const];
  });
}
const late = (count: number) => Array.from({ length: count }, () => 'late' as const);

describe('audio that waits for the processor', () => {
  it('is no alarm in the first minute of a start, nor after any shorter stretch', () => {
    expect(story([...late(7)])).toEqual([]);
    expect(story([...late(12), 0, ...late(12), 0])).toEqual([]);
  });

  it('is one after two minutes without a break, and over after a minute in time', () => {
    expect(story([...late(14), 5_000, ...late(2), 10_000, 59_999, 60_000, 70_000])).toEqual([
      [120, 'raise'],
      [190, 'clear'],
    ]);
  });

  it('is a warning that says who takes the processor, and that no call is refused', () => {
    const judged = judgeLate({ late: true, inTimeMs: 0, use: { stolenPct: 31.4, ownPct: 7 } });
    expect(judged).toMatchObject({ kind: 'bad', level: 'warning' });
    const message = judged.kind === 'bad' ? judged.message : '';
    expect(message).toContain('31 % stolen');
    expect(message).toContain('7 % used by Carillon');
    expect(message).toContain('no call is refused');
  });
});
