import { BoundedPages } from '#shared/session-trace/index.ts';
import { Slices } from '../slice/index.ts';
import type { OpenJournal } from '../sqlite/index.ts';

/** Read from the journal at once; a long page has about as much. */
const PART_BYTES = 64 * 1024;

/** An entry of a trace. */
interface TraceLine {
  readonly atMs: number;
  readonly kind: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface TracePage {
  /** JSON as it stands in the journal. */
  readonly text: string;
  /** Undefined: the page is damaged, and its steps are lost. */
  readonly lines: readonly TraceLine[] | undefined;
}

/** Pages of a trace in the order of their writing, in slices: however long the trace is, the loop has its turn. */
export async function* tracePages(
  journal: Pick<OpenJournal, 'tracePart'>,
  traceId: string,
): AsyncGenerator<TracePage> {
  const slices = new Slices();
  let afterRow: number | undefined = 0;
  while (afterRow !== undefined) {
    const { pages, nextRow } = journal.tracePart(traceId, afterRow, PART_BYTES);
    for (const text of pages) {
      yield { text, lines: linesOf(text) };
      if (slices.isOver) await slices.pause();
    }
    afterRow = nextRow;
  }
}

/** Pages of a trace for a reader, JSON as they stand: the begin and the end of one that is too long. */
export async function boundedPages(
  journal: Pick<OpenJournal, 'tracePart'>,
  traceId: string,
): Promise<readonly string[]> {
  const bounded = new BoundedPages();
  let atMs = 0;
  for await (const { text, lines } of tracePages(journal, traceId)) {
    // A damaged page stays behind the one before it.
    atMs = lines?.[0]?.atMs ?? atMs;
    bounded.add({ text, atMs, steps: lines?.length ?? 0 });
  }
  return bounded.pages;
}

function linesOf(page: string): TracePage['lines'] {
  try {
    const lines: unknown = JSON.parse(page);
    return Array.isArray(lines) ? (lines as TraceLine[]) : undefined;
  } catch {
    return undefined;
  }
}
