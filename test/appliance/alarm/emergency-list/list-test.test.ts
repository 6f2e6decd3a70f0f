import { describe, expect, it } from 'vitest';
import {
  beginTest,
  type CallPlan,
  type ListTest,
  stepTest,
  type TestEffect,
  type TestInput,
  YIELD_MS,
} from '#appliance/alarm/emergency-list/index.ts';

/* The test call of a list: every input in every state, and the ways through a whole test. */

const entry = (destination: string, more: object = {}) => ({
  ...{ destination, ringMs: 25_000, accept: 'key' as const },
  ...more,
});
const PLAN: CallPlan = {
  steps: [
    [entry('a'), entry('b', { accept: 'answer', language: 'sv' })],
    [entry('a'), entry('c')],
  ],
  ...{ rounds: 3, pauseMs: 60_000, longestMs: 1_800_000 },
};

const words = (effects: readonly TestEffect[]): string =>
  effects
    .map((effect) => {
      switch (effect.type) {
        case 'dial':
          return `dial ${effect.attempt} ${effect.entry.destination}`;
        case 'hangUp':
          return `hangUp ${effect.attempt}`;
        case 'say':
          return `${effect.isLast ? 'last' : 'say'} ${effect.attempt} ${effect.sentence}`;
        case 'progress':
          return `(${effect.step} ${effect.destination})`;
        case 'wake':
          return `wake ${effect.ms}`;
        default:
          return effect.type;
      }
    })
    .join(', ');

type Said = TestInput extends infer Each ? (Each extends TestInput ? Omit<Each, 'at'> : never) : never;

/** A test after these inputs, and the words of the last one. */
function testAfter(...said: readonly (Said & { readonly at?: number })[]): { test: ListTest; words: string } {
  const first = beginTest(PLAN, 0);
  let test = first.state;
  let last = words(first.effects);
  for (const each of said) {
    const { state, effects } = stepTest(test, { at: 1_000, ...each } as TestInput);
    test = state;
    last = words(effects);
  }
  return { test, words: last };
}

const ANSWERS = { type: 'answered', attempt: 1 } as const;
const PRESSES = (key: string) => ({ type: 'key', attempt: 1, key }) as const;
const OVER = { type: 'over', attempt: 1, reason: '486 Busy Here' } as const;
const YIELDS = { type: 'giveWay' } as const;
const TIMER = (at: number) => ({ type: 'timer', at }) as const;

describe('a test call', () => {
  it('calls each destination once, the first one at once', () => {
    expect(testAfter().words).toBe('dial 1 a, (ringing a), wake 25000');
    expect(testAfter().test.entries.map(({ destination }) => destination)).toEqual(['a', 'b', 'c']);
  });

  it.each([
    ['a busy line', [OVER], '(notReached a), dial 2 b, (ringing b), wake 25000'],
    ['no answer', [TIMER(25_000)], '(notReached a), hangUp 1, dial 2 b, (ringing b), wake 25000'],
    ['a ring time that runs', [TIMER(24_999)], ''],
    ['a key before the answer', [PRESSES('1')], ''],
    ['a key of another call', [ANSWERS, { type: 'key', attempt: 7, key: '1' }], ''],
    ['an answer', [ANSWERS], '(answered a), say 1 test, wake 20000'],
    [
      'the key 1',
      [ANSWERS, PRESSES('1')],
      '(accepted a), last 1 testThanks, dial 2 b, (ringing b), wake 25000',
    ],
    ['the key 9', [ANSWERS, PRESSES('9')], '(refused a), hangUp 1, dial 2 b, (ringing b), wake 25000'],
    ['another key', [ANSWERS, PRESSES('5')], 'say 1 testHow'],
    ['a hang-up', [ANSWERS, OVER], '(notAccepted a), dial 2 b, (ringing b), wake 25000'],
    ['a greeting', [ANSWERS, { type: 'evidence', attempt: 1, evidence: 'machine' }], ''],
    [
      'a mailbox',
      [ANSWERS, { type: 'evidence', attempt: 1, evidence: 'ended' }],
      '(notAccepted a), hangUp 1, dial 2 b, (ringing b), wake 25000',
    ],
    ['the end of a window', [ANSWERS, TIMER(21_000)], 'say 1 testHow, wake 20000'],
    [
      'the end of the last window',
      [ANSWERS, TIMER(21_000), TIMER(41_000), TIMER(61_000)],
      '(notAccepted a), hangUp 1, dial 2 b, (ringing b), wake 25000',
    ],
    ['an alarm', [YIELDS], `hangUp 1, wake ${YIELD_MS}`],
    ['an alarm in a call', [ANSWERS, YIELDS], `hangUp 1, wake ${YIELD_MS}`],
    ['another alarm in the wait', [YIELDS, YIELDS], `wake ${YIELD_MS}`],
    ['the end of the wait', [YIELDS, TIMER(1_000 + YIELD_MS)], 'dial 2 a, (ringing a), wake 25000'],
    ['a wait that runs', [YIELDS, TIMER(2_000)], ''],
    ['the end of a call that gave way', [YIELDS, OVER], ''],
  ] as const)('knows %s', (_, said, expected) => {
    expect(testAfter(...(said as readonly Said[])).words).toBe(expected);
  });

  it('takes the answer of an entry that accepts by it, and ends with its sum', () => {
    const { test, words: last } = testAfter(
      ANSWERS,
      PRESSES('1'),
      { type: 'answered', attempt: 2 },
      { type: 'over', attempt: 3, reason: '404 Not Found' },
    );
    expect(last).toBe('(notReached c), ended');
    expect(test).toMatchObject({ phase: 'ended', confirmed: ['a', 'b'], unconfirmed: ['c'] });
    expect(stepTest(test, { type: 'timer', at: 9e9 }).effects).toEqual([]);
    expect(stepTest(test, { type: 'giveWay', at: 9e9 }).effects).toEqual([]);
  });
});
