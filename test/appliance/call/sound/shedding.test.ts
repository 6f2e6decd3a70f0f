import { describe, expect, it } from 'vitest';
import { nothingShed, type SheddingInput, stepShedding } from '#appliance/call/sound/shedding.ts';
import { numbers } from '#test/support/numbers.ts';

type TimedInput = readonly [second: number, input: SheddingInput];
const late = (on: boolean, worker = 0): SheddingInput => ({ kind: 'late', worker, on });
const overload = (on: boolean, worker = 0): SheddingInput => ({ kind: 'overload', worker, on });
const lost: SheddingInput = { kind: 'lost', worker: 0, legs: [] };

/** Plays inputs, and fires the timer when it is due: what goes, and at which second. */
function story(reported: readonly TimedInput[], untilS = 300): readonly string[] {
  const missing: string[] = [];
  let state = nothingShed;
  let dueMs: number | undefined;
  const step = (input: SheddingInput, nowMs: number): void => {
    const stepped = stepShedding(state, input, nowMs);
    ({ state, dueMs } = stepped);
    missing.push(...stepped.effects.map((what) => `${what} ${nowMs / 1_000}`));
  };
  const pass = (toMs: number): void => {
    while (dueMs !== undefined && dueMs <= toMs) step({ kind: 'due' }, dueMs);
  };
  for (const [second, input] of reported) {
    pass(second * 1_000);
    step(input, second * 1_000);
  }
  pass(untilS * 1_000);
  return missing;
}

describe('shedding', () => {
  it.each<readonly [string, readonly TimedInput[], readonly string[]]>([
    ['a late processor sheds nothing', [[0, late(true)]], []],
    ['own load that serves everybody in time sheds nothing', [[0, overload(true)]], []],
    [
      'the one worker late and another loaded: nothing',
      [
        [0, late(true, 0)],
        [0, overload(true, 1)],
      ],
      [],
    ],
    [
      'both: streams, then recordings, and programs that speak last',
      [
        [0, late(true)],
        [5, overload(true)],
      ],
      ['streams 7', 'recordings 65', 'speakingStreams 125'],
    ],
    [
      'in time again before a minute: recordings go on',
      [
        [0, overload(true)],
        [0, late(true)],
        [59, late(false)],
      ],
      ['streams 2'],
    ],
    [
      'relieved at once: nothing goes',
      [
        [0, overload(true)],
        [0, late(true)],
        [1, overload(false)],
      ],
      [],
    ],
    [
      'a second time begins again',
      [
        [0, overload(true)],
        [0, late(true)],
        [30, late(false)],
        [40, late(true)],
      ],
      ['streams 2', 'streams 42', 'recordings 100', 'speakingStreams 160'],
    ],
    [
      'a worker that died takes its load with it',
      [
        [0, overload(true)],
        [0, late(true)],
        [30, lost],
      ],
      ['streams 2'],
    ],
  ])('%s', (_, reported, expected) => {
    expect(story(reported)).toEqual(expected);
  });

  it('gives recordings up last, and never for a late processor alone (property)', () => {
    const next = numbers(3);
    for (let run = 0; run < 2_000; run++) {
      let second = 0;
      const reported: TimedInput[] = Array.from({ length: 12 }, () => {
        second += next() % 40;
        const kind = next() % 2 === 0 ? 'late' : 'overload';
        return [second, { kind, worker: next() % 2, on: next() % 3 > 0 }];
      });
      const missing = story(reported, second + 200).map((each) => each.split(' '));
      for (const [at, [what, when]] of missing.entries()) {
        if (what !== 'recordings') continue;
        const [before, since] = missing[at - 1] ?? [];
        expect([before, Number(when) - Number(since)]).toEqual(['streams', 58]);
      }
      const withoutLoad = reported.filter(([, { kind }]) => kind !== 'overload');
      expect(story(withoutLoad, second + 200)).toEqual([]);
    }
  });
});
