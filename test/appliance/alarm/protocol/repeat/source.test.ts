import { describe, expect, it } from 'vitest';
import {
  isSameSource,
  judgeRepeat,
  MOST_POSSIBLE,
  type Origin,
  type Remembered,
  RepeatMemory,
  sourceName,
} from '#appliance/alarm/protocol/repeat/index.ts';

const at = (address: string, proof?: string): Origin => ({ address, ...(proof !== undefined && { proof }) });

describe('two sources', () => {
  it.each([
    { one: at('127.0.0.1'), other: at('127.0.0.1'), same: true },
    { one: at('127.0.0.1'), other: at('127.0.0.2'), same: false },
    { one: at('127.0.0.1', 'unit'), other: at('127.0.0.2', 'unit'), same: true },
    { one: at('127.0.0.1', 'unit'), other: at('127.0.0.1', 'other'), same: false },
    { one: at('127.0.0.1', 'unit'), other: at('127.0.0.1'), same: false },
    { one: at('unit'), other: at('x', 'unit'), same: false },
  ])('$one and $other: $same', ({ one, other, same }) => {
    expect(isSameSource(one, other)).toBe(same);
    expect(isSameSource(other, one)).toBe(same);
    expect(sourceName(one) === sourceName(other)).toBe(same);
  });
});

describe('memory of earlier events', () => {
  const reported = (...origins: Origin[]) => origins.map((origin, place) => ({ origin, place }));
  const four = reported(at('a'), at('b'), at('c'), at('d'));
  it.each([
    { title: 'nothing', before: [], from: at('a'), kind: 'new', place: undefined },
    { title: 'by its own address', before: four, from: at('c'), kind: 'repeat', place: 2 },
    {
      title: 'by its own identity',
      before: reported(at('a', 'u'), at('b')),
      from: at('z', 'u'),
      kind: 'repeat',
      place: 0,
    },
    { title: 'by another address', before: reported(at('a')), from: at('b'), kind: 'possible', place: 0 },
    { title: 'by three others', before: four.slice(0, 3), from: at('e'), kind: 'possible', place: 0 },
    { title: 'by four others', before: four, from: at('e'), kind: 'counted', place: 3 },
    { title: 'by four others, proven', before: four, from: at('e', 'u'), kind: 'possible', place: 0 },
    {
      title: 'unproven from its address',
      before: reported(at('a')),
      from: at('a', 'u'),
      kind: 'possible',
      place: 0,
    },
    {
      title: 'proven from the same address',
      before: reported(at('a', 'u')),
      from: at('a'),
      kind: 'possible',
      place: 0,
    },
  ])('$title: $kind', ({ before, from, kind, place }) => {
    const verdict = judgeRepeat(before, from);
    expect(verdict.kind).toBe(kind);
    expect(verdict.kind === 'new' ? undefined : verdict.of.place).toBe(place);
  });
});

/** Numbers below `below`, the same for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

it('twice is allowed, never is not: 300 stories of senders who say the same', () => {
  const WINDOW_MS = 1_000;
  for (let seed = 1; seed <= 300; seed++) {
    const pick = numbers(seed);
    const sources = Array.from({ length: 2 + pick(9) }, (_, n) =>
      at(`192.0.2.${pick(8)}`, pick(4) === 0 ? `unit-${n % 3}` : undefined),
    );
    const memory = new RepeatMemory<Remembered>(8);
    const reported: { readonly mark: string; readonly origin: Origin; readonly at: number }[] = [];
    let now = 0;
    for (let n = 0; n < 60; n++) {
      now += pick(300);
      const mark = `m${pick(3)}`;
      const origin = sources[pick(sources.length)] ?? at('');
      const recent = reported.filter((one) => one.mark === mark && one.at + WINDOW_MS > now);
      const own = recent.some((one) => isSameSource(one.origin, origin));
      const verdict = memory.judge(mark, origin, now);
      // Silence needs the source's own report, or as many reports of others as the row counts.
      if (verdict.kind === 'repeat') expect(own).toBe(true);
      else expect(own).toBe(false);
      if (verdict.kind === 'counted') {
        expect(origin.proof).toBeUndefined();
        expect(recent.length).toBeGreaterThan(MOST_POSSIBLE);
      }
      if (verdict.kind === 'new' || verdict.kind === 'possible') {
        const conversation = verdict.kind === 'new' ? mark : `${mark} ${sourceName(origin)}`;
        memory.add({ mark, conversation, origin, repeatMs: WINDOW_MS, stored: true }, now);
        reported.push({ mark, origin, at: now });
      }
      const unproven = reported.filter(
        (one) => one.mark === mark && one.at + WINDOW_MS > now && one.origin.proof === undefined,
      );
      expect(unproven.length).toBeLessThanOrEqual(1 + MOST_POSSIBLE);
    }
  }
});

it('a memory forgets the oldest and the unstored, and keeps those that are being stored', () => {
  const memory = new RepeatMemory<Remembered>(2);
  const add = (mark: string, stored: boolean) =>
    memory.add({ mark, conversation: mark, origin: at('a'), repeatMs: 10, stored }, 0);
  add('one', false);
  expect(memory.judge('one', at('a'), 1_000).kind).toBe('repeat');
  memory.stored('one', 1_000);
  expect(memory.judge('one', at('a'), 1_009).kind).toBe('repeat');
  expect(memory.judge('one', at('a'), 1_010).kind).toBe('new');
  add('two', false);
  memory.drop('two');
  expect(memory.judge('two', at('a'), 1).kind).toBe('new');
  for (const mark of ['three', 'four', 'five', 'six']) add(mark, true);
  expect(memory.size).toBeLessThanOrEqual(3);
});
