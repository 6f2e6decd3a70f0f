import { expect, it } from 'vitest';
import { MOST_MARKS, PlayQueue } from '#appliance/media/stream/index.ts';

const samples = (count: number, value = 1_000) => new Int16Array(count).fill(value);

/** Pulls everything that is there. */
function pullAll(queue: PlayQueue, atMs: number): number {
  let frames = 0;
  while (queue.pull(atMs) !== undefined) frames++;
  return frames;
}

it('gives what was pushed in its order, frame by frame', () => {
  const queue = new PlayQueue();
  queue.push(
    Int16Array.from({ length: 100 }, (_, i) => i),
    0,
  );
  queue.push(
    Int16Array.from({ length: 220 }, (_, i) => 100 + i),
    0,
  );
  const first = queue.pull(0);
  const second = queue.pull(0);
  expect([...(first ?? []), ...(second ?? [])]).toEqual(Array.from({ length: 320 }, (_, i) => i));
  expect(queue.pull(0)).toBeUndefined();
});

it('waits with the rest of a frame for what follows it, 40 ms at most', () => {
  const queue = new PlayQueue();
  queue.push(samples(80), 0);
  expect(queue.pull(39)).toBeUndefined();
  expect([...(queue.pull(40) ?? [])]).toEqual([...samples(80), ...samples(80, 0)]);
});

it('does not wait when a mark stands behind it', () => {
  const queue = new PlayQueue();
  queue.push(samples(80), 0);
  expect(queue.mark('end', 0)).toBe(true);
  expect(queue.pull(0)).toBeDefined();
  expect(queue.reached(0)).toEqual([]);
  expect(queue.reached(1)).toEqual(['end']);
});

it('answers marks where their audio was played', () => {
  const queue = new PlayQueue();
  queue.push(samples(160), 0);
  queue.mark('a', 0);
  queue.push(samples(320), 0);
  queue.mark('b', 0);
  queue.mark('c', 0);
  expect(pullAll(queue, 0)).toBe(3);
  expect([0, 1, 2, 3].map((detected) => queue.reached(detected))).toEqual([[], ['a'], [], ['b', 'c']]);
});

it('answers a mark at once that nothing is before', () => {
  const queue = new PlayQueue();
  expect(queue.mark('a', 0)).toBe(false);
  queue.push(samples(160), 0);
  pullAll(queue, 0);
  expect(queue.mark('b', 0)).toBe(true);
  expect(queue.reached(1)).toEqual(['b']);
  expect(queue.mark('c', 1)).toBe(false);
});

it('answers all marks that are cleared, and plays nothing that was before', () => {
  const queue = new PlayQueue();
  queue.push(samples(1_600), 0);
  queue.mark('a', 0);
  expect(queue.clear()).toEqual(['a']);
  expect(queue.pull(1_000)).toBeUndefined();
  queue.push(samples(160, 7), 1_000);
  expect(queue.pull(1_000)?.[0]).toBe(7);
});

it('keeps 120 s and counts the rest', () => {
  const queue = new PlayQueue();
  for (let s = 0; s < 130; s++) queue.push(samples(8_000), 0);
  expect(queue.waitingMs).toBe(120_000);
  expect(queue.refusedMs).toBe(10_000);
  expect(pullAll(queue, 0)).toBe(6_000);
});

it('has no more than 10,000 marks waiting', () => {
  const queue = new PlayQueue();
  queue.push(samples(160), 0);
  for (let i = 0; i < MOST_MARKS; i++) expect(queue.mark(String(i), 0)).toBe(true);
  expect(queue.mark('one more', 0)).toBe(false);
  expect(queue.clear()).toHaveLength(MOST_MARKS);
});

it('changes the level of what is pushed', () => {
  const queue = new PlayQueue(-6.0206);
  queue.push(samples(160, 1_000), 0);
  expect(queue.pull(0)?.[0]).toBe(500);
});
