import { Worker } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { AskedThread } from '#appliance/io/thread/index.ts';

type Command = 'echo' | 'last' | 'fall';

/** Answers each question; ends behind the last one, or without an answer. */
const PROGRAM = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', ({ id, command }) => {
    if (command === 'fall') process.exit(3);
    parentPort.postMessage({ kind: 'answer', id, answer: command });
    if (command === 'last') parentPort.close();
  });
`;

const reasons: string[] = [];
afterEach(() => reasons.splice(0));

const thread = () =>
  new AskedThread<Command, string, never>({
    start: () => new Worker(PROGRAM, { eval: true }),
    event: () => undefined,
    died: (reason) => reasons.push(reason),
  });

it('answers, and ends behind its last question', async () => {
  const asked = thread();
  expect(await asked.ask('echo')).toBe('echo');
  await asked.end('last');
  expect(await asked.ask('echo')).toBeUndefined();
  expect(reasons).toEqual([]);
});

it('says when it ended by itself, and answers what was open with nothing', async () => {
  const asked = thread();
  expect(await asked.ask('fall')).toBeUndefined();
  expect(reasons).toEqual(['its thread ended']);
  expect(await asked.ask('echo')).toBe('echo');
  await asked.end('last');
});

it('has not ended by itself when its answer and its end come together', async () => {
  const asked = thread();
  await asked.ask('echo');
  const ending = asked.end('last');
  // The question was sent: the answer and the end of the thread come at once behind this.
  setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300));
  await ending;
  expect(reasons).toEqual([]);
});
