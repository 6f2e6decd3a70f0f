import { describe, expect, it } from 'vitest';
import { ReceptionStatistics } from '#appliance/media/rtp/index.ts';

/** Feeds sequence numbers, 20 ms apart both in time and timestamp. */
function fed(sequences: readonly number[]) {
  const statistics = new ReceptionStatistics();
  const arrivals = sequences.map((sequence, i) => statistics.push(sequence, (160 * i) >>> 0, 20 * i));
  return { statistics, arrivals };
}

describe('ReceptionStatistics', () => {
  it('names each arrival', () => {
    const { statistics, arrivals } = fed([10, 11, 14, 12, 12, 15]);
    expect(arrivals).toEqual(['next', 'next', 'gap', 'reordered', 'duplicate', 'next']);
    expect(statistics).toMatchObject({ received: 5, lost: 1, duplicates: 1, reordered: 1 });
  });

  it('counts over the wrap and from before the first', () => {
    const { statistics, arrivals } = fed([65_534, 65_533, 65_535, 0, 2]);
    expect(arrivals).toEqual(['next', 'reordered', 'next', 'next', 'gap']);
    expect(statistics).toMatchObject({ received: 5, lost: 1 });
    expect(statistics.report().highestSequence % 65_536).toBe(2);
  });

  it('reports the loss of each interval and of all (RFC 3550, A.3)', () => {
    const statistics = new ReceptionStatistics();
    for (let i = 0; i < 100; i++) if (i % 4 !== 1) statistics.push(i, i * 160, i * 20);
    expect(statistics.report()).toMatchObject({ fractionLost: 64, cumulativeLost: 25 });
    for (let i = 100; i < 200; i++) statistics.push(i, i * 160, i * 20);
    expect(statistics.report()).toMatchObject({ fractionLost: 0, cumulativeLost: 25 });
    expect(statistics.report().fractionLost).toBe(0);
  });

  it('follows a sender that starts again, after two packets that agree', () => {
    const { statistics, arrivals } = fed([100, 101, 40_000, 102, 50_000, 50_001, 50_002]);
    expect(arrivals).toEqual(['next', 'next', 'doubtful', 'next', 'doubtful', 'restarted', 'next']);
    expect(statistics).toMatchObject({ received: 6, lost: 0, restarts: 1 });
  });

  it('measures jitter as RFC 3550 A.8 does: none on time, 1/16 of each change', () => {
    const onTime = fed(Array.from({ length: 50 }, (_, i) => i)).statistics;
    expect(onTime.jitterMs).toBe(0);
    const statistics = new ReceptionStatistics();
    let expected = 0;
    let before = 0;
    for (let i = 0; i < 200; i++) {
      const delay = (i * 7) % 31;
      if (i > 0) expected += (Math.abs(delay - before) - expected) / 16;
      before = delay;
      statistics.push(i, (i * 160) >>> 0, i * 20 + delay);
    }
    expect(statistics.jitterMs).toBeCloseTo(expected, 6);
    expect(statistics.report().jitter).toBe(Math.floor(expected * 8));
  });

  it('is not shaken by the wrap of the timestamp', () => {
    const statistics = new ReceptionStatistics();
    for (let i = 0; i < 20; i++) statistics.push(i, (0xffff_fc00 + i * 160) >>> 0, i * 20);
    expect(statistics.jitterMs).toBe(0);
  });

  it('keeps the longest gap', () => {
    const statistics = new ReceptionStatistics();
    for (const [i, nowMs] of [0, 20, 40, 340, 360].entries()) statistics.push(i, i * 160, nowMs);
    expect(statistics.longestGapMs).toBe(300);
  });
});
