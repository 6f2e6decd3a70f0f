import { describe, expect, it } from 'vitest';
import { FRAME_SAMPLES, type RingMemory, RingReader, ringMemory } from '#appliance/media/audio/index.ts';
import { FRAMES_AHEAD, PlayQueue, StreamOutlet } from '#appliance/media/stream/index.ts';
import { seeded } from '#test/fuzz/http-input.ts';

/** Frames that the ring of a leg holds. */
const RING_FRAMES = 16;
const FRAME_MS = 20;

/** A program whose frames have their numbers as samples, from 1; its queue; and the legs that hear it. */
function stage(legs = 1) {
  const queue = new PlayQueue();
  const rings = Array.from({ length: legs }, () => ringMemory(RING_FRAMES));
  const outlet = new StreamOutlet(rings);
  const readers = rings.map((ring) => new RingReader(ring));
  let said = 0;
  return {
    outlet,
    queue,
    say(frames: number, atMs = 0): void {
      for (let n = 0; n < frames; n++) queue.push(new Int16Array(FRAME_SAMPLES).fill(++said), atMs);
    },
    fill: (atMs = 0) => outlet.fill(() => queue.pull(atMs)),
    /** Number of the frame that this leg takes in its turn; undefined: silence. */
    take: (leg = 0) => takeOf(readers[leg]),
  };
}

function takeOf(reader: RingReader | undefined): number | undefined {
  const frame = new Int16Array(FRAME_SAMPLES);
  return reader?.read(frame) === undefined ? undefined : frame[0];
}

function allOf(ring: RingMemory): readonly number[] {
  const reader = new RingReader(ring);
  const all: number[] = [];
  for (let frame = takeOf(reader); frame !== undefined; frame = takeOf(reader)) all.push(frame);
  return all;
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

interface Life {
  readonly frames: number;
  /** When frame n of the program comes, ms; never before the one before it. */
  readonly comesMs: (n: number) => number;
  /** When the thread of streams looks. */
  readonly turnsMs: readonly number[];
  /** When the call takes a frame. */
  readonly takesMs: readonly number[];
}

/** Frames of a program as a leg hears them, turn by turn: their numbers, undefined for silence. */
function live({ frames, comesMs, turnsMs, takesMs }: Life): readonly (number | undefined)[] {
  const { say, fill, take } = stage();
  const detected: (number | undefined)[] = [];
  const steps = [
    ...numbers(0, frames - 1).map((n) => ({
      atMs: comesMs(n),
      order: 0,
      do: (atMs: number) => say(1, atMs),
    })),
    ...turnsMs.map((atMs) => ({ atMs, order: 1, do: fill })),
    ...takesMs.map((atMs) => ({ atMs, order: 2, do: () => void detected.push(take()) })),
  ];
  for (const step of steps.toSorted((a, b) => a.atMs - b.atMs || a.order - b.order)) step.do(step.atMs);
  return detected;
}

const every = (ms: number, count: number, fromMs = 0) => numbers(0, count - 1).map((n) => fromMs + n * ms);
const ascending = (times: readonly number[]): readonly number[] => {
  let latest = 0;
  return times.map((ms) => (latest = Math.max(latest, ms)));
};
/** From the first frame to the last one. */
const spokenOf = (detected: readonly (number | undefined)[]) =>
  detected.slice(
    detected.findIndex((each) => each !== undefined),
    detected.findLastIndex((each) => each !== undefined) + 1,
  );

const FRAMES = 500;
const SEEDS = numbers(1, 20);

describe('a program that sends on time is played without a pause', () => {
  it.each([1, 2, 4])('with %i frames sent before, each later one late by less than those', (lead) => {
    for (const seed of SEEDS) {
      const random = seeded(seed);
      // The thread of streams looks every 10 ms: that much less may a frame be late.
      const mostMs = lead * FRAME_MS - 10;
      const times = ascending(
        numbers(0, FRAMES - 1).map((n) => (n <= lead ? 0 : (n - lead) * FRAME_MS + random() * mostMs)),
      );
      const fromMs = 10 + random() * 10;
      const detected = live({
        frames: FRAMES,
        comesMs: (n) => times[n] ?? 0,
        turnsMs: every(10, FRAMES * 2 + 50, random() * 10),
        takesMs: every(FRAME_MS, FRAMES + 20, fromMs),
      });
      expect(spokenOf(detected)).toEqual(numbers(1, FRAMES));
    }
  });

  it('that sends faster than real time, while the thread of streams is late by up to 100 ms', () => {
    for (const seed of SEEDS) {
      const random = seeded(seed);
      const turnsMs: number[] = [];
      for (let atMs = 0; atMs < FRAMES * FRAME_MS + 500; atMs += random() < 0.1 ? 100 : 10)
        turnsMs.push(atMs);
      const takesMs = every(FRAME_MS, FRAMES + 20, 10);
      const detected = live({ frames: FRAMES, comesMs: () => 0, turnsMs, takesMs });
      expect(spokenOf(detected)).toEqual(numbers(1, FRAMES));
    }
  });

  it('that sends faster than real time, when the call catches up five turns in a row', () => {
    const takesMs = every(FRAME_MS, FRAMES, 5).map((ms) => Math.ceil(ms / 100) * 100 + 5);
    const detected = live({ frames: FRAMES, comesMs: () => 0, turnsMs: every(10, FRAMES * 2 + 50), takesMs });
    expect(spokenOf(detected)).toEqual(numbers(1, FRAMES));
  });
});

it('a program that says back what it hears loses nothing: what comes late is a pause, and each pause is time that later frames may be late', () => {
  for (const seed of SEEDS) {
    const random = seeded(seed);
    const times = ascending(numbers(0, FRAMES - 1).map((n) => n * FRAME_MS + random() * 45));
    const detected = spokenOf(
      live({
        frames: FRAMES,
        comesMs: (n) => times[n] ?? 0,
        turnsMs: every(10, FRAMES * 2 + 50),
        takesMs: every(FRAME_MS, FRAMES + 20, 7),
      }),
    );
    expect(detected.filter((each) => each !== undefined)).toEqual(numbers(1, FRAMES));
    // 45 ms of its own, 10 ms until the thread of streams looks: three frames of time.
    expect(detected.length - FRAMES).toBeLessThanOrEqual(3);
  }
});

it('has six frames ahead, and no more', () => {
  const { outlet, say, fill, take, queue } = stage();
  say(10);
  fill();
  expect(queue.waitingMs).toBe((10 - FRAMES_AHEAD) * FRAME_MS);
  expect([outlet.playedFrames, take(), take(), outlet.playedFrames]).toEqual([0, 1, 2, 2]);
  fill();
  expect(queue.waitingMs).toBe((10 - FRAMES_AHEAD - 2) * FRAME_MS);
});

it('is cleared: no leg plays what lay ahead, all of it counts as played, and what follows is whole', () => {
  const { outlet, say, fill, take, queue } = stage(2);
  say(10);
  fill();
  expect([take(0), take(1)]).toEqual([1, 1]);
  queue.clear();
  outlet.clear();
  expect(outlet.playedFrames).toBe(FRAMES_AHEAD);
  expect(take(0)).toBeUndefined();
  // The second leg has not had its turn since: the ring still has room for what follows.
  say(FRAMES_AHEAD);
  fill();
  for (const leg of [0, 1])
    expect(numbers(11, 11 + FRAMES_AHEAD).map(() => take(leg))).toEqual([...numbers(11, 16), undefined]);
});

it('is cleared again and again before a leg has its turn: nothing that is said afterwards is lost', () => {
  const { outlet, say, fill, take, queue } = stage();
  for (let round = 0; round < 5; round++) {
    say(10);
    fill();
    queue.clear();
    outlet.clear();
  }
  say(10);
  const detected: (number | undefined)[] = [];
  for (let turn = 0; turn < 12; turn++) {
    fill();
    detected.push(take());
  }
  expect(detected.filter((each) => each !== undefined)).toEqual(numbers(51, 60));
});

it('goes on before other legs with the frame that the first one has not played', () => {
  const { outlet, say, fill, take } = stage();
  say(10);
  fill();
  for (let n = 1; n <= 3; n++) expect(take()).toBe(n);
  const rings = [ringMemory(RING_FRAMES), ringMemory(RING_FRAMES)];
  outlet.speakTo(rings);
  expect(take()).toBeUndefined();
  fill();
  for (const ring of rings) expect(allOf(ring)).toEqual(numbers(4, 9));
  expect(outlet.playedFrames).toBe(9);
});

it('keeps what lies ahead while no leg hears it', () => {
  const { outlet, say, fill } = stage();
  say(4);
  fill();
  outlet.speakTo([]);
  fill();
  const ring = ringMemory(RING_FRAMES);
  outlet.speakTo([ring]);
  expect(allOf(ring)).toEqual(numbers(1, 4));
});
