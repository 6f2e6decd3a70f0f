import { expect, it } from 'vitest';
import type { TraceStep } from '#shared/contract/session-record/index.ts';
import { mediaCurves } from '#shared/session-trace/index.ts';

const step = (
  at: number,
  hostId: string,
  detail: TraceStep['detail'],
  kind = 'mediaMeasured',
): TraceStep => ({
  ...{ at, hostId, party: 'host', direction: 'own', kind, detail },
});
const windows = (leg: string, lost: readonly number[], lastMs = 5_000) => {
  const zero = lost.map(() => 0);
  return {
    ...{ leg, everyMs: 5_000, lastMs, lost, received: lost.map((count) => 250 - count), sent: zero },
    ...{ late: zero, concealedMs: zero, jitterMs: zero, latenessMs: zero },
    ...{ levelDbm0: lost.map(() => null), sentLevelDbm0: lost.map(() => -20.5) },
  };
};

it('a curve per host and leg has every window with its own begin, and the last one with its length', () => {
  const curves = mediaCurves([
    step(60_000, 'gw-1', windows('call.1', [0, 3])),
    step(61_000, 'gw-1', windows('call.2', [1])),
    step(62_000, 'gw-1', windows('call.1', [7], 2_000)),
    step(63_000, 'gw-2', windows('call.1', [9])),
  ]);
  expect(
    curves.map(({ hostId, leg, points }) => [hostId, leg, points.map((p) => [p.at, p.forMs, p.lost])]),
  ).toEqual([
    [
      'gw-1',
      '1',
      [
        [50_000, 5_000, 0],
        [55_000, 5_000, 3],
        [60_000, 2_000, 7],
      ],
    ],
    ['gw-1', '2', [[56_000, 5_000, 1]]],
    ['gw-2', '1', [[58_000, 5_000, 9]]],
  ]);
  expect(curves[0]?.points[1]).toMatchObject({ received: 247, levelDbm0: null, sentLevelDbm0: -20.5 });
});

it('steps of other kinds, and windows that cannot be read, are in no curve', () => {
  expect(
    mediaCurves([step(1, 'gw-1', windows('a.1', [1]), 'mediaEnded'), step(2, 'gw-1', { leg: 'a.1' })]),
  ).toEqual([]);
});
