import { expect, it } from 'vitest';
import { laneLimits, mayHoldBallast, reliefAt } from '#appliance/delivery/outbox/index.ts';

const MIB = 1_048_576;
const waiting = (alarm: number) => ({ alarm, svc: 0, audit: 0, usage: 0 });

it.each([
  [0, { svc: 300, audit: 100, usage: 100 }],
  [500, { svc: 300, audit: 100, usage: 100 }],
  [550, { svc: 300, audit: 100, usage: 50 }],
  [650, { svc: 300, audit: 50, usage: 0 }],
  [900, { svc: 100, audit: 0, usage: 0 }],
  [2_000, { svc: 0, audit: 0, usage: 0 }],
])('with %d of 1000 in alarms the other lanes may keep %j', (alarm, limits) => {
  expect(laneLimits(waiting(alarm), 1_000)).toEqual({ alarm: Number.POSITIVE_INFINITY, ...limits });
});

it('a disk that fills up loses what is missed least, first', () => {
  expect(reliefAt(89.9)).toEqual([]);
  expect(reliefAt(90)).toEqual(['deleteLogs', 'deleteSyncedRecordings']);
  expect(reliefAt(95)).toContain('freeBallast');
});

it('ballast is held only where there is room, and not again at the edge', () => {
  expect(mayHoldBallast(50, 4_096 * MIB, 128 * MIB)).toBe(true);
  expect(mayHoldBallast(81, 4_096 * MIB, 128 * MIB)).toBe(false);
  expect(mayHoldBallast(50, 1_024 * MIB, 128 * MIB)).toBe(false);
});
