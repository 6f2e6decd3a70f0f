import { once } from 'node:events';
import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';

const entry = new URL('./thread-ahead.ts', import.meta.url);

it('one thread is put ahead of the others of its process, where the process may do so', async () => {
  const before = getPriority(process.pid);
  const worker = new Worker(entry);
  const [{ said, own }] = await once(worker, 'message');
  await worker.terminate();
  const mayRaise = process.getuid?.() === 0;
  expect(said).toBe(mayRaise ? before - 10 : undefined);
  // The kernel says the same of the task: field 19 of its stat file (proc(5)).
  expect(own).toBe(mayRaise ? before - 10 : before);
  expect(getPriority(process.pid)).toBe(before);
});
