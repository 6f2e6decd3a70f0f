import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RequestThread } from '#appliance/io/sqlite/request-thread.ts';

/** A thread that does what it is asked: answers, says news first, refuses, dies. It counts the requests that it had. */
const ENTRY = `
import { parentPort, workerData } from 'node:worker_threads';
if (workerData.isBroken) throw new Error('no file');
let had = 0;
parentPort.on('message', (request) => {
  had++;
  if (request.kind === 'die') process.exit(7);
  if (request.kind === 'throw') throw new Error('a defect');
  if (request.kind === 'refuse') return parentPort.postMessage({ kind: 'failed', reason: 'not today' });
  if (request.kind === 'event') parentPort.postMessage({ kind: 'event', text: 'another file' });
  parentPort.postMessage({ kind: 'done', of: request.n ?? request.kind, had });
  if (request.kind === 'close') parentPort.close();
});
parentPort.postMessage({ kind: 'ready', name: workerData.name });
`;

type Said =
  | { readonly kind: 'ready'; readonly name: string }
  | { readonly kind: 'event'; readonly text: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'done'; readonly of: unknown; readonly had: number };
type Done = Extract<Said, { kind: 'done' }>;
interface Request {
  readonly kind: 'echo' | 'event' | 'refuse' | 'die' | 'throw';
  readonly n?: number;
}

let folder: string;
let received: string[];
const threads: RequestThread<Request, Said, string, Done>[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-request-thread-'));
  writeFileSync(join(folder, 'entry.mjs'), ENTRY);
  received = [];
});
afterEach(async () => {
  for (const thread of threads.splice(0)) await thread.stop().catch(() => undefined);
  rmSync(folder, { recursive: true });
});

function thread(more: { readonly idleMs?: number; readonly data?: object } = {}) {
  const { data = { name: 'a' }, ...setting } = more;
  const made = new RequestThread<Request, Said, string, Done>({
    begin: () => new Worker(pathToFileURL(join(folder, 'entry.mjs')), { workerData: data }),
    closed: 'it is closed',
    ...setting,
    hear: (said) => {
      received.push(said.kind);
      switch (said.kind) {
        case 'ready':
          return { kind: 'ready', ready: said.name };
        case 'done':
          return { kind: 'reply', reply: said };
        case 'failed':
          return said;
        case 'event':
          return { kind: 'event' };
      }
    },
  });
  threads.push(made);
  return made;
}

describe('a thread that is asked', () => {
  it('is a function from request to reply, one after the other', async () => {
    const asked = thread();
    expect(await asked.start()).toBe('a');
    const replies = await Promise.all([1, 2, 3].map((n) => asked.request({ kind: 'echo', n })));
    expect(replies.map(({ of, had }) => [of, had])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
  });

  it('is started by the first request', async () => {
    const asked = thread();
    expect(asked.isRunning).toBe(false);
    expect(await asked.request({ kind: 'echo', n: 1 })).toMatchObject({ of: 1 });
    expect(received).toEqual(['ready', 'done']);
  });

  it('passes an event before the reply', async () => {
    const asked = thread();
    expect(await asked.request({ kind: 'event', n: 4 })).toMatchObject({ of: 4 });
    expect(received).toEqual(['ready', 'event', 'done']);
  });

  it('that refuses a request goes on', async () => {
    const asked = thread();
    const refused = asked.request({ kind: 'refuse' });
    const next = asked.request({ kind: 'echo', n: 2 });
    await expect(refused).rejects.toMatchObject({
      code: 'storageFailed',
      message: expect.stringMatching(/not today/),
    });
    expect(await next).toMatchObject({ of: 2, had: 2 });
    expect(received).toEqual(['ready', 'failed', 'done']);
  });
});

describe('a thread that dies', () => {
  it.each([
    ['die', /ended with code 7/],
    ['throw', /a defect/],
  ] as const)('by %s rejects that request, and the next one has a new thread', async (kind, reason) => {
    const asked = thread();
    await asked.request({ kind: 'echo', n: 1 });
    const lost = asked.request({ kind });
    const next = asked.request({ kind: 'echo', n: 2 });
    await expect(lost).rejects.toMatchObject({
      code: 'storageFailed',
      message: expect.stringMatching(reason),
    });
    expect(await next).toMatchObject({ of: 2, had: 1 });
  });

  it('at its start rejects the start and each request', async () => {
    const asked = thread({ data: { isBroken: true } });
    await expect(asked.start()).rejects.toMatchObject({ message: expect.stringMatching(/no file/) });
    await expect(asked.request({ kind: 'echo' })).rejects.toMatchObject({ code: 'storageFailed' });
    expect(asked.isRunning).toBe(false);
    await asked.stop();
  });

  it('that is crashed for a test rejects its requests in progress', async () => {
    const asked = thread();
    await asked.start();
    const crashed = asked.crash();
    await expect(asked.request({ kind: 'echo' })).rejects.toMatchObject({ code: 'storageFailed' });
    await crashed;
    expect(await asked.request({ kind: 'echo', n: 5 })).toMatchObject({ of: 5 });
  });
});

describe('a thread without work', () => {
  it('ends, and is started again by the next request', async () => {
    const asked = thread({ idleMs: 20 });
    await asked.start();
    await expect.poll(() => asked.isRunning).toBe(false);
    expect(await asked.request({ kind: 'echo', n: 1 })).toMatchObject({ of: 1, had: 1 });
    await expect.poll(() => asked.isRunning).toBe(false);
    expect(received.filter((kind) => kind === 'ready')).toHaveLength(2);
  });

  it('ends after a request that was refused, too', async () => {
    const asked = thread({ idleMs: 20 });
    await asked.start();
    await expect(asked.request({ kind: 'refuse' })).rejects.toThrow();
    expect(asked.isRunning).toBe(true);
    await expect.poll(() => asked.isRunning).toBe(false);
  });

  it('stays where no time is set', async () => {
    const [stays, ends] = [thread(), thread({ idleMs: 1 })];
    await Promise.all([stays.start(), ends.start()]);
    await expect.poll(() => ends.isRunning).toBe(false);
    expect(stays.isRunning).toBe(true);
  });
});

describe('the end', () => {
  it('comes behind the requests before, closes the file, and refuses what comes after it', async () => {
    const asked = thread();
    const before = asked.request({ kind: 'echo', n: 1 });
    const stopped = asked.stop();
    const after = asked.request({ kind: 'echo', n: 2 });
    expect(await before).toMatchObject({ of: 1 });
    await stopped;
    await expect(after).rejects.toMatchObject({ message: expect.stringMatching(/it is closed/) });
    expect(asked.isRunning).toBe(false);
    expect(received).toEqual(['ready', 'done', 'done']);
  });

  it.each(['never started', 'rested'])('has nothing to close for a thread that has %s', async (how) => {
    const asked = thread({ idleMs: 5 });
    if (how === 'rested') {
      await asked.start();
      await expect.poll(() => asked.isRunning).toBe(false);
    }
    await asked.stop();
    await expect(asked.request({ kind: 'echo' })).rejects.toMatchObject({ code: 'storageFailed' });
    expect(received).toEqual(how === 'rested' ? ['ready', 'done'] : []);
  });
});
