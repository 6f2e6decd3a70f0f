import type { Line } from '../../appliance/media/dtmf/digit-signal.ts';

/** One row of the table: a kind of line with 400 digits, and what must come of them. */
export interface Row {
  readonly name: string;
  readonly line: Line;
  /** `accept`: all heard. `reject`: none. `inform`: as good as it gets. */
  readonly must: 'accept' | 'reject' | 'inform';
  /** Speech under the digits, dB below them. */
  readonly speechDb?: number;
  /** Share of frames lost, concealed by repetition. */
  readonly loss?: number;
}

const accept = (name: string, line: Line): Row => ({ name, line, must: 'accept' });
const reject = (name: string, line: Line): Row => ({ name, line, must: 'reject' });
const off = (lowDeviation: number, highDeviation: number): Line => ({
  onMs: 80,
  ...(lowDeviation === 0 ? {} : { lowDeviation }),
  ...(highDeviation === 0 ? {} : { highDeviation }),
});

/** Levels of each tone; twist is the high group over the low one. Digits 50/50 ms where nothing else is said. */
export const ROWS: readonly Row[] = [
  accept('40/40 ms, -20 dBm0', { onMs: 40, offMs: 40, lowDbm0: -20, highDbm0: -20 }),
  accept('50/50 ms, -20 dBm0', { lowDbm0: -20, highDbm0: -20 }),
  accept('70/40 ms, -20 dBm0', { onMs: 70, offMs: 40, lowDbm0: -20, highDbm0: -20 }),
  accept('-30 dBm0', { lowDbm0: -30, highDbm0: -30 }),
  accept('twist +4 dB', { lowDbm0: -14 }),
  accept('twist -4 dB', { highDbm0: -14 }),
  accept('twist +8 dB', { lowDbm0: -18 }),
  accept('twist -8 dB', { highDbm0: -18 }),
  ...[24, 20, 15, 12, 10].map((snrDb) => accept(`noise ${snrDb} dB below`, { snrDb })),
  accept('noise 15 dB below, twist +6 dB', { snrDb: 15, lowDbm0: -16 }),
  accept('+1.5 % both', { lowDeviation: 0.015, highDeviation: 0.015 }),
  accept('-1.5 % both', { lowDeviation: -0.015, highDeviation: -0.015 }),
  accept('+1.5 / -1.5 %, noise 20 dB below', { lowDeviation: 0.015, highDeviation: -0.015, snrDb: 20 }),
  accept('-1.5 / +1.5 %, twist +4 dB', { lowDeviation: -0.015, highDeviation: 0.015, lowDbm0: -14 }),
  reject('23 ms', { onMs: 23 }),
  reject('20 ms', { onMs: 20 }),
  reject('+3.5 % both', off(0.035, 0.035)),
  reject('-3.5 % both', off(-0.035, -0.035)),
  reject('+3.5 / -3.5 %', off(0.035, -0.035)),
  reject('-3.5 / +3.5 %', off(-0.035, 0.035)),
  reject('low group +3.5 %', off(0.035, 0)),
  reject('high group -3.5 %', off(0, -0.035)),
  { name: '35/35 ms', line: { onMs: 35, offMs: 35 }, must: 'inform' },
  { name: 'tone of 30 ms', line: { onMs: 30 }, must: 'inform' },
  { name: 'pause of 25 ms', line: { offMs: 25 }, must: 'inform' },
  { name: 'speech 12 dB below', line: {}, must: 'inform', speechDb: 12 },
  { name: 'speech 9 dB below', line: {}, must: 'inform', speechDb: 9 },
  { name: '1 % lost, 50/50 ms', line: {}, must: 'inform', loss: 0.01 },
  { name: '2 % lost, 50/50 ms', line: {}, must: 'inform', loss: 0.02 },
  { name: '2 % lost, 100/100 ms', line: { onMs: 100, offMs: 100 }, must: 'inform', loss: 0.02 },
];
