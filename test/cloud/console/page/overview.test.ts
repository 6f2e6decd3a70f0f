import '../english.ts';
import { describe, expect, it } from 'vitest';
import { inPlace } from '#cloud/console/client/steady.ts';
import {
  endpointRows,
  type Figure,
  type Stuck,
  successOf,
} from '#cloud/console/page/delivery/endpoint-row.ts';
import { durationText, hourly, scaleEnd } from '#cloud/console/page/overview/hourly.ts';

const HOUR = 3_600_000;

describe('counts by hour', () => {
  it('have each hour, also without a session, and name failures', () => {
    const count = { kind: 'alarm', result: 'done', amount: 3 };
    const counts = [
      { ...count, hour: 9 * HOUR },
      { ...count, hour: 9 * HOUR, kind: 'mediaService', result: 'failed', amount: 2 },
      { ...count, hour: 7 * HOUR, kind: 'attempt', amount: 50 },
      { ...count, hour: 5 * HOUR },
    ];
    expect(hourly(counts, 4, 9.5 * HOUR)).toEqual([
      { hour: 6 * HOUR, alarms: 0, calls: 0, bad: 0 },
      { hour: 7 * HOUR, alarms: 0, calls: 0, bad: 0 },
      { hour: 8 * HOUR, alarms: 0, calls: 0, bad: 0 },
      { hour: 9 * HOUR, alarms: 3, calls: 2, bad: 2 },
    ]);
  });

  it('stand on a scale that ends at a round number', () => {
    expect([0, 1, 3, 7, 11, 501].map(scaleEnd)).toEqual([1, 1, 5, 10, 20, 1_000]);
    expect([310, 4_210, 180_000].map(durationText)).toEqual(['310 ms', '4.2 s', '3 min']);
  });
});

describe('a list under the pointer', () => {
  it('changes rows in place, keeps removed ones, and lets new ones wait', () => {
    const row = (id: string, text = '') => ({ id, text });
    const arranged = inPlace([row('a'), row('b')], [row('c'), row('b', 'now')], ({ id }) => id);
    expect(arranged).toEqual({ rows: [row('a'), row('b', 'now')], added: 1 });
  });
});

describe('rows of endpoints', () => {
  const stuck = (id: string, waiting: number, dead: number): Stuck => ({
    ...{ endpoint: `bridge ${id}`, kind: 'bridge', id, name: `Bridge ${id}`, waiting, dead },
    ...{ errors: [], callbacks: [] },
  });
  const figure = (receiver: string, sessions: number, failedSessions: number): Figure => ({
    ...{ receiver, kind: 'alarm', sessions, failedSessions, callbacks: sessions },
    ...{ latency: { amount: 0 }, histogram: [], reasons: [] },
  });

  it('join what waits with what was taken, those that need a person first', () => {
    const rows = endpointRows([stuck('a', 9, 0), stuck('b', 0, 1)], [figure('a', 10, 1), figure('c', 4, 4)]);
    expect(rows.map(({ name }) => name)).toEqual(['Bridge b', 'Bridge a', 'c']);
    expect(rows.map(({ figure: of }) => successOf(of))).toEqual([undefined, 0.9, 0]);
  });
});
