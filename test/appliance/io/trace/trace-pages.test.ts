import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { JournalWrite } from '#appliance/delivery/outbox/index.ts';
import { type OpenJournal, openJournal } from '#appliance/io/sqlite/index.ts';
import { boundedPages } from '#appliance/io/trace/index.ts';
import { stepsOf, TRACE_MOST_BYTES, TRACE_MOST_STEPS } from '#shared/session-trace/index.ts';
import { tempFolders } from '../sqlite/temp-folder.ts';

const folder = tempFolders();
const open: OpenJournal[] = [];
afterEach(async () => {
  for (const journal of open.splice(0)) await journal.close();
});

const BEGAN_MS = 1_770_000_000_000;
const STEPS_OF_A_PAGE = 20;

/** A journal with one trace of so many steps, each with this text. */
async function journalWith(steps: number, text: string): Promise<OpenJournal> {
  const journal = await openJournal({ file: join(folder(), 'journal.db'), bootId: 'boot-a' });
  open.push(journal);
  const pages = Array.from({ length: steps / STEPS_OF_A_PAGE }, (_, page): JournalWrite => {
    const entries = Array.from({ length: STEPS_OF_A_PAGE }, (__, at) => ({
      ...{ atMs: BEGAN_MS + page * STEPS_OF_A_PAGE + at, kind: 'note' },
      detail: { text, number: page * STEPS_OF_A_PAGE + at },
    }));
    const row = { traceId: 'a', sessionId: null, ordinal: page, atMs: BEGAN_MS + page * STEPS_OF_A_PAGE };
    return { kind: 'trace', row: { ...row, kind: 'page', body: JSON.stringify(entries) } };
  });
  await journal.commit(pages);
  return journal;
}

/** The steps that a reader gets, in the order of the pages. */
async function readOf(journal: OpenJournal) {
  const json = `{"v":1,"pages":[${(await boundedPages(journal, 'a')).join(',')}]}`;
  return { bytes: json.length, steps: stepsOf(json, 'gw-1') ?? [] };
}

it('a trace of as many steps as a reader gets is whole', async () => {
  const { steps } = await readOf(await journalWith(TRACE_MOST_STEPS, 'the person said something'));
  expect(steps.map(({ detail }) => detail.number)).toEqual(
    Array.from({ length: TRACE_MOST_STEPS }, (_, at) => at),
  );
});

it.each([
  ['steps', 3 * TRACE_MOST_STEPS, 'x'],
  ['bytes', 2_000, 'x'.repeat(40_000)],
])(
  'a trace of too many %s keeps its begin and its end, and says how many steps are missing',
  async (_, made, text) => {
    const { steps, bytes } = await readOf(await journalWith(made, text));
    expect(bytes).toBeLessThan(TRACE_MOST_BYTES + 1_000);
    expect(steps.length).toBeLessThanOrEqual(TRACE_MOST_STEPS + 1);
    const gap = steps.findIndex(({ kind }) => kind === 'leftOut');
    const missing = Number(steps[gap]?.detail.steps);
    expect(missing).toBe(made - (steps.length - 1));
    expect(steps.at(0)?.detail.number).toBe(0);
    expect(steps.at(-1)?.detail.number).toBe(made - 1);
    expect(steps[gap + 1]?.detail.number).toBe(Number(steps[gap - 1]?.detail.number) + missing + 1);
    expect(steps.map(({ at }) => at)).toEqual(steps.map(({ at }) => at).toSorted((a, b) => a - b));
  },
);

it('a trace that is not there has no page', async () => {
  expect(await boundedPages(await journalWith(STEPS_OF_A_PAGE, 'x'), 'b')).toEqual([]);
});
