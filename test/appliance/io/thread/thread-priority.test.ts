import { once } from 'node:events';
import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';

const entry = new URL('./thread-behind.ts', import.meta.url);

it('one thread is put behind the others of its process', async () => {
  const before = getPriority(process.pid);
  const worker = new Worker(entry);
  const [{ said, own }] = await once(worker, 'message');
  await worker.terminate();
  expect(said).toBe(Math.min(before + 7, 19));
  // The kernel says the same of the task: field 19 of its stat file (proc(5)).
  expect(own).toBe(said);
  expect(getPriority(process.pid)).toBe(before);
});
