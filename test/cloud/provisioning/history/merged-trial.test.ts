import { describe, expect, test } from 'vitest';
import { mergedTrial } from '#cloud/provisioning/history/merged-trial.ts';
import type { HistoryDifference, HistoryTrialData } from '#shared/contract/history/index.ts';

const mark = (n: number): string => `mark${String(n).padStart(4, '0')}`;
const lost: HistoryDifference = {
  ...{ effect: 'receiver', before: { id: 'day', name: 'Day' }, after: { id: 'night', name: 'Night' } },
  ...{ fields: [], alarms: 2, examples: [{ traceId: 't1', at: 5 }] },
};
const refused: HistoryDifference = {
  ...{ effect: 'refused', before: { id: 'day', name: 'Day' } },
  ...{ fields: [], alarms: 1, examples: [{ traceId: 't9', at: 9 }] },
};
const part = (given: Partial<HistoryTrialData>): HistoryTrialData => ({
  ...{ revision: 1, from: 0, tried: 0, untried: 0, cut: false, differences: [], others: 0, alarms: [] },
  ...given,
});

describe('the trials of several hosts', () => {
  test('are added up, and an alarm that both hosts of a pair have is counted once', () => {
    const one = part({
      ...{ tried: 3, differences: [lost] },
      alarms: [`${mark(1)}0`, `${mark(2)}0`, mark(3)],
    });
    const other = part({
      ...{ tried: 4, differences: [refused, { ...lost, examples: [{ traceId: 't2', at: 7 }] }] },
      // The second one has taken over alarms 2 and 3, and has two of its own.
      alarms: [`${mark(2)}1`, mark(3), `${mark(4)}1`, `${mark(5)}0`],
    });
    const merged = mergedTrial([one, other]);
    expect(merged.tried).toBe(5);
    expect(merged.differences).toMatchObject([
      { effect: 'refused', alarms: 1 },
      {
        ...{ effect: 'receiver', alarms: 3 },
        examples: [
          { traceId: 't2', at: 7 },
          { traceId: 't1', at: 5 },
        ],
      },
    ]);
    expect(mergedTrial([other, one]).differences.map(({ alarms }) => alarms)).toEqual([1, 3]);
  });

  test('are, for one host alone, its own sums, without marks', () => {
    expect(mergedTrial([part({ tried: 7, untried: 1, others: 2, cut: true, differences: [lost] })])).toEqual({
      ...{ tried: 7, untried: 1, others: 2, cut: true, differences: [lost] },
    });
  });

  test('keep apart what differs in other members', () => {
    const reported = (field: string): HistoryDifference => ({ ...lost, effect: 'changed', fields: [field] });
    const merged = mergedTrial([
      part({ tried: 1, differences: [reported('path')], alarms: [`${mark(1)}0`] }),
      part({ tried: 1, differences: [reported('body.x')], alarms: [`${mark(2)}0`] }),
    ]);
    expect(merged.differences.map(({ fields, alarms }) => [fields, alarms])).toEqual([
      [['path'], 1],
      [['body.x'], 1],
    ]);
  });

  test('leave out a difference whose alarms another host has counted already', () => {
    const both = [
      part({ tried: 1, alarms: [mark(1)] }),
      part({ tried: 1, differences: [lost], alarms: [`${mark(1)}0`] }),
    ];
    expect(mergedTrial(both)).toMatchObject({ tried: 1, differences: [] });
  });
});
