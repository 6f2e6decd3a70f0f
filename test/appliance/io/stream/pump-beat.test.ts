import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PumpBeat } from '#appliance/io/stream/pump-beat.ts';
import type { RunningStream } from '#appliance/io/stream/stream.ts';

let beat: PumpBeat;
/** Turns, by their time. */
let turns: Map<number, number[]>;

beforeEach(() => {
  vi.useFakeTimers();
  [beat, turns] = [new PumpBeat(), new Map()];
});
afterEach(() => vi.useRealTimers());

function streams(count: number): RunningStream[] {
  return Array.from({ length: count }, (_, n) => {
    const stream = {
      connect: () => undefined,
      stop: () => undefined,
      pump() {
        const atMs = performance.now();
        turns.set(atMs, [...(turns.get(atMs) ?? []), n]);
      },
    };
    beat.add(stream);
    return stream;
  });
}
const turnsOf = (n: number): number[] =>
  [...turns].flatMap(([atMs, who]) => who.filter((each) => each === n).map(() => atMs));

describe('the turns of streams', () => {
  it('come together for a few streams, every 10 ms', () => {
    streams(3);
    vi.advanceTimersByTime(50);
    expect([...turns.values()]).toEqual(Array(5).fill([0, 1, 2]));
  });

  it('are spread for many: each has one in 10 ms, and no more than a fifth of them at once', () => {
    streams(100);
    vi.advanceTimersByTime(100);
    expect(Math.max(...[...turns.values()].map(({ length }) => length))).toBe(20);
    for (let n = 0; n < 100; n++) {
      const at = turnsOf(n);
      expect(at).toHaveLength(10);
      expect(new Set(at.slice(1).map((ms, index) => Math.round(ms - (at[index] ?? 0))))).toEqual(
        new Set([10]),
      );
    }
  });

  it('that a late thread has missed are made up for, each once', () => {
    streams(20);
    vi.advanceTimersByTime(10);
    turns.clear();
    // The clock goes on while the thread does something else.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 50);
    vi.advanceTimersByTime(2);
    const all = [...turns.values()].flat();
    expect(all.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n));
    vi.restoreAllMocks();
  });

  it('end with the streams, also where one ends in its turn', () => {
    const [one, ...rest] = streams(2);
    const ends: RunningStream = {
      connect: () => undefined,
      stop: () => undefined,
      pump: () => beat.remove(ends),
    };
    beat.add(ends);
    vi.advanceTimersByTime(20);
    for (const stream of [one, ...rest]) if (stream !== undefined) beat.remove(stream);
    expect(vi.getTimerCount()).toBe(0);
  });
});
