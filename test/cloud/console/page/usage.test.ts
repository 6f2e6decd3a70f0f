import { describe, expect, it } from 'vitest';
import { largest, stacked } from '#cloud/console/component/chart/series.ts';
import {
  alarmSeries,
  beginOf,
  isUnused,
  type UsageEntry,
  usageAsCsv,
} from '#cloud/console/page/usage/usage-series.ts';

const entry = (from: string, to: string, more: Partial<UsageEntry> = {}): UsageEntry => ({
  ...{
    from: Date.parse(from),
    to: Date.parse(to),
    calls: 0,
    minutes: 0,
    alarms: [],
    recordings: 0,
    callbacks: 0,
  },
  ...more,
});
const ENTRIES = [
  entry('2026-10-01', '2026-11-01', {
    alarms: [
      { protocol: 'scaip', result: 'handled', count: 3 },
      { protocol: 'dc09', result: 'failed', count: 1 },
    ],
  }),
  entry('2026-11-01', '2026-12-01', {
    ...{ calls: 2, minutes: 1.5, callbacks: 7 },
    alarms: [
      { protocol: 'scaip', result: 'failed', count: 2 },
      { protocol: 'scaip', result: 'handled', count: 5 },
    ],
  }),
];

describe('usage', () => {
  it('begins with a whole day or month of UTC, over the end of a year too', () => {
    const now = Date.parse('2026-03-02T23:30:00Z');
    expect(new Date(beginOf('days', now)).toISOString()).toBe('2026-01-31T00:00:00.000Z');
    expect(new Date(beginOf('year', now)).toISOString()).toBe('2025-04-01T00:00:00.000Z');
    expect(new Date(beginOf('years', now)).toISOString()).toBe('2023-04-01T00:00:00.000Z');
  });

  it('counts alarms by protocol and by result', () => {
    expect(alarmSeries(ENTRIES, 'protocol', (word) => word.toUpperCase())).toEqual([
      { name: 'SCAIP', values: [3, 7] },
      { name: 'DC09', values: [1, 0] },
    ]);
    expect(alarmSeries(ENTRIES, 'result', (word) => word)).toEqual([
      { name: 'handled', values: [3, 5] },
      { name: 'failed', values: [1, 2] },
    ]);
  });

  it('is exported with each protocol and result in a column', () => {
    expect(usageAsCsv(ENTRIES).replaceAll('"', '').trim().split('\r\n')).toEqual([
      'from,to,calls,minutes,recordings,callbacks,alarms,alarms dc09 failed,alarms scaip failed,alarms scaip handled',
      '2026-10-01T00:00:00.000Z,2026-11-01T00:00:00.000Z,0,0,0,0,4,1,0,3',
      '2026-11-01T00:00:00.000Z,2026-12-01T00:00:00.000Z,2,1.5,0,7,7,0,2,5',
    ]);
  });

  it('is none where every count is zero', () => {
    expect(isUnused([entry('2026-10-01', '2026-11-01')])).toBe(true);
    expect(isUnused(ENTRIES)).toBe(false);
  });
});

describe('a chart', () => {
  it('stacks each series on those below it', () => {
    const series = [
      { name: 'a', values: [1, 2] },
      { name: 'b', values: [10, 0] },
      { name: 'c', values: [0, 5] },
    ];
    expect(stacked(series)).toEqual([
      [1, 2],
      [11, 2],
      [11, 7],
    ]);
  });

  it('shows the largest series, and the sum of the others as one', () => {
    const series = ['a', 'b', 'c', 'd'].map((name, index) => ({ name, values: [index, 1] }));
    expect(largest(series, 3, 'others')).toEqual([
      { name: 'd', values: [3, 1] },
      { name: 'c', values: [2, 1] },
      { name: 'others', values: [1, 2] },
    ]);
    expect(largest(series, 4, 'others')).toHaveLength(4);
  });
});
