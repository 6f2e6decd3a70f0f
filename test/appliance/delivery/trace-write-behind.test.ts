import { beforeEach, expect, it } from 'vitest';
import type { JournalWrite } from '#appliance/delivery/outbox/index.ts';
import { TraceWriteBehind } from '#appliance/delivery/trace-write-behind.ts';
import { EngineTimers } from '#appliance/kernel/engine-timers.ts';

/** Each commit of the journal: the pages in it, and its end, which the test chooses. */
interface Commit {
  readonly pages: readonly number[];
  readonly end: (error?: Error) => void;
}

let commits: Commit[];
let failed: unknown[];
let timers: EngineTimers;
let behind: TraceWriteBehind;

beforeEach(() => {
  [commits, failed] = [[], []];
  const clock = { monoMs: () => 0, wallMs: () => 0 };
  timers = new EngineTimers({ clock, wakeBy: () => undefined }, (cause) => failed.push(cause));
  const journal = {
    commit: (writes: readonly JournalWrite[]) =>
      new Promise<void>((resolve, reject) =>
        commits.push({
          pages: writes.map((write) => (write.kind === 'trace' ? write.row.ordinal : -1)),
          end: (error) => (error === undefined ? resolve() : reject(error)),
        }),
      ),
  };
  const run = (work: Promise<unknown>): void => void work.catch((cause: unknown) => failed.push(cause));
  behind = new TraceWriteBehind({ clock, timers, run, journal });
});

const page = (ordinal: number, signs: number): JournalWrite => ({
  kind: 'trace',
  row: { traceId: 't', sessionId: 's', ordinal, atMs: 0, kind: 'page', body: 'x'.repeat(signs) },
});
const pagesFrom = (first: number, count: number, signs: number): JournalWrite[] =>
  Array.from({ length: count }, (_, at) => page(first + at, signs));
/** Ends the commit under way; what follows it has begun then. */
async function ends(error?: Error): Promise<void> {
  commits.at(-1)?.end(error);
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
}

it('writes what gathered in a quarter of a second together', async () => {
  behind.add(pagesFrom(0, 3, 100));
  behind.add(pagesFrom(3, 2, 100));
  timers.advance(249);
  expect(commits).toEqual([]);
  timers.advance(251);
  expect(commits.map(({ pages }) => pages)).toEqual([[0, 1, 2, 3, 4]]);
  await ends();
  await behind.flush();
  expect(commits).toHaveLength(1);
});

it('hands the pages of a long call over in steps, in their order, and a page that is longer by itself', async () => {
  behind.add([...pagesFrom(0, 400, 26_000), page(400, 3_000_000), page(401, 10)]);
  const written = behind.flush();
  for (let before = 0; before < commits.length; ) {
    before = commits.length;
    await ends();
  }
  await written;
  expect(commits.flatMap(({ pages }) => pages)).toEqual(Array.from({ length: 402 }, (_, at) => at));
  expect(Math.max(...commits.map(({ pages }) => pages.length))).toBe(10);
  expect(commits.at(-2)?.pages).toEqual([400]);
});

it('has written everything before it when a flush ends, as before the journal closes', async () => {
  behind.add(pagesFrom(0, 12, 26_000));
  timers.advance(1_000);
  expect(commits).toHaveLength(1);
  behind.add(pagesFrom(12, 1, 10));
  let isFlushed = false;
  const flushed = behind.flush().then(() => {
    isFlushed = true;
  });
  await ends();
  expect(commits.map(({ pages }) => pages.length)).toEqual([10, 2]);
  expect(isFlushed).toBe(false);
  await ends();
  await ends();
  await flushed;
  expect(commits.map(({ pages }) => pages.length)).toEqual([10, 2, 1]);
});

it('reports a commit that fails, and goes on with what comes later', async () => {
  behind.add(pagesFrom(0, 1, 10));
  timers.advance(1_000);
  await ends(new Error('the disk is full'));
  expect(failed.map(String)).toEqual(['Error: the disk is full']);
  behind.add(pagesFrom(1, 1, 10));
  timers.advance(2_000);
  expect(commits.map(({ pages }) => pages)).toEqual([[0], [1]]);
  await ends();
  await behind.flush();
  expect(failed).toHaveLength(1);
});
