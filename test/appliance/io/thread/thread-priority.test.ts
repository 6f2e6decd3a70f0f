import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { promisify } from 'node:util';
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

it('the threads that compile and collect go behind all others of the process', async () => {
  const program = new URL('./v8-behind.ts', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [program], { env: {} });
  const { said, levels } = JSON.parse(stdout) as {
    readonly said: number;
    readonly levels: readonly { readonly name: string; readonly before: number; readonly after: number }[];
  };
  const ofV8 = levels.filter(({ name }) => name === 'V8Worker');
  expect(ofV8.length).toBeGreaterThan(0);
  expect(said).toBe(ofV8.length);
  for (const { before, after } of ofV8) expect(after).toBe(Math.min(before + 10, 19));
  const others = levels.filter(({ name }) => name !== 'V8Worker');
  expect(others.length).toBeGreaterThan(0);
  for (const { before, after } of others) expect(after).toBe(before);
});
