import { expect, it } from 'vitest';
import {
  ConditionTable,
  type GaugeState,
  judgeClock,
  judgeDisk,
  judgeMemory,
  stepGauge,
  wellGauge,
} from '#appliance/site/index.ts';

const MIB = 1_048_576;
const HOUR_MS = 3_600_000;
const low = {
  error: 'lowMemory',
  service: '',
  severity: 'major',
  message: '5 % are free',
  since: 1,
} as const;

it('a condition is reported once, repeated every six hours, and its end reported', () => {
  const table = new ConditionTable();
  expect(table.raise(low, 0)?.status).toBe('raised');
  expect(table.raise(low, 1_000)).toBeUndefined();
  expect(table.due(6 * HOUR_MS - 1)).toEqual([]);
  expect(table.due(6 * HOUR_MS)).toHaveLength(1);
  expect(table.due(6 * HOUR_MS + 1)).toEqual([]);
  expect(table.holding).toEqual([low]);
  expect(table.clear('lowMemory', '', 7 * HOUR_MS)?.status).toBe('cleared');
  expect(table.clear('lowMemory', '', 7 * HOUR_MS)).toBeUndefined();
  expect(table.holding).toEqual([]);
});

it('a condition is reported again when it has become worse', () => {
  const table = new ConditionTable();
  table.raise({ ...low, severity: 'warning' }, 0);
  expect(table.raise({ ...low, severity: 'critical' }, 1)?.severity).toBe('critical');
});

it('keeps quiet about one that flaps, counts it, and still reports one that stays', () => {
  const table = new ConditionTable();
  const reported: string[] = [];
  for (let second = 0; second < 10; second++) {
    if (table.raise(low, second * 2_000)) reported.push('raised');
    if (table.clear('lowMemory', '', second * 2_000 + 1_000)) reported.push('cleared');
  }
  expect(reported).toEqual(['raised', 'cleared', 'raised', 'cleared', 'raised', 'cleared']);
  table.raise(low, 30_000);
  expect(table.due(30_000 + 299_999)).toEqual([]);
  const [unbroken] = table.due(30_000 + 300_000);
  expect(unbroken).toMatchObject({ status: 'raised', suppressed: 15 });
  expect(table.clear('lowMemory', '', 400_000)?.status).toBe('cleared');
  // An hour later all is forgotten.
  expect(table.raise(low, 4_000_000)?.status).toBe('raised');
});

it('keeps errors and services apart', () => {
  const table = new ConditionTable();
  for (const service of ['sip', 'media']) {
    expect(table.raise({ ...low, error: 'serviceFailure', service }, 0)).toBeDefined();
  }
  expect(table.holding).toHaveLength(2);
});

it.each([
  ['9 % free', { availableBytes: 900 * MIB, totalBytes: 10_000 * MIB, stallPct: 0 }, 'bad', 60_000],
  [
    '255 MiB free of little',
    { availableBytes: 255 * MIB, totalBytes: 1_000 * MIB, stallPct: 0 },
    'bad',
    60_000,
  ],
  ['stalled', { availableBytes: 9_000 * MIB, totalBytes: 10_000 * MIB, stallPct: 21 }, 'bad', 0],
  [
    '12 % free',
    { availableBytes: 1_200 * MIB, totalBytes: 10_000 * MIB, stallPct: 20 },
    'between',
    undefined,
  ],
  [
    '15 % free',
    { availableBytes: 1_500 * MIB, totalBytes: 10_000 * MIB, stallPct: undefined },
    'good',
    undefined,
  ],
] as const)('memory: %s', (_, reading, kind, holdMs) => {
  const judged = judgeMemory(reading);
  expect(judged.kind).toBe(kind);
  if (judged.kind === 'bad') expect(judged.holdMs).toBe(holdMs);
});

it.each([
  [77, 'good', undefined],
  [79, 'between', undefined],
  [80, 'bad', 'warning'],
  [90, 'bad', 'major'],
  [95, 'bad', 'critical'],
] as const)('a disk %d %% full is %s', (full, kind, level) => {
  const judged = judgeDisk({ freeBytes: 100 - full, totalBytes: 100 });
  expect(judged.kind).toBe(kind);
  if (judged.kind === 'bad') expect(judged.level).toBe(level);
});

it('a gauge holds on before it raises, reports worse and not milder, and has two ends', () => {
  let state: GaugeState = wellGauge;
  const reported: string[] = [];
  const read = (judged: Parameters<typeof stepGauge>[1], nowMs: number): void => {
    const step = stepGauge(state, judged, nowMs);
    state = step.state;
    if (step.effect !== undefined) reported.push(`${step.effect.kind} at ${nowMs}`);
  };
  const bad = (level: 'warning' | 'major') => ({ kind: 'bad', level, message: '', holdMs: 60 }) as const;
  read(bad('warning'), 0);
  read({ kind: 'between' }, 30);
  read(bad('warning'), 40);
  read(bad('warning'), 99);
  read(bad('warning'), 100);
  read(bad('major'), 110);
  read(bad('warning'), 120);
  read({ kind: 'between' }, 130);
  read({ kind: 'good' }, 140);
  read({ kind: 'good' }, 150);
  expect(reported).toEqual(['raise at 100', 'raise at 110', 'clear at 140']);
});

it('a clock without a source is an alarm after ten minutes', () => {
  const judged = judgeClock(false);
  expect(stepGauge(wellGauge, judged, 5).effect).toBeUndefined();
  const doubtful = stepGauge(wellGauge, judged, 5).state;
  expect(stepGauge(doubtful, judged, 600_005).effect?.kind).toBe('raise');
});
