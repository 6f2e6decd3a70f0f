import type { TraceStep } from '../contract/session-record/index.ts';

/** Chosen: a reader of a trace gets 60,000 steps of a host at most. A call of a day with all its digits has fewer. */
export const TRACE_MOST_STEPS = 60_000;
/** Chosen: and 32 MiB of them as JSON, half of what the control plane unpacks. */
export const TRACE_MOST_BYTES = 32 * 1_048_576;
/** Kind of the step that stands for those that were left out; its detail has their number. */
export const LEFT_OUT = 'leftOut';

/** A page of a trace: its JSON, the time of its first step, and the number of its steps. */
interface Page {
  readonly text: string;
  readonly atMs: number;
  readonly steps: number;
}

interface Size {
  steps: number;
  bytes: number;
}

/**
 * Takes the pages of a trace one after the other, and holds those that a reader gets. `Chosen:` a trace that is too long loses its
 * middle: the begin says what came, the end says what came of it.
 */
export class BoundedPages {
  readonly #first: Page[] = [];
  readonly #last: Page[] = [];
  readonly #firstSize: Size = { steps: 0, bytes: 0 };
  readonly #lastSize: Size = { steps: 0, bytes: 0 };
  /** Steps that were left out. */
  #gap: { readonly atMs: number; steps: number } | undefined;

  add(page: Page): void {
    if (this.#last.length === 0 && this.#gap === undefined && isWithin(this.#firstSize, page, 2)) {
      this.#first.push(page);
      count(this.#firstSize, page, 1);
      return;
    }
    this.#last.push(page);
    count(this.#lastSize, page, 1);
    const { steps, bytes } = this.#firstSize;
    if (this.#gap === undefined && isWithin(this.#lastSize, { steps, text: { length: bytes } }, 1)) return;
    while (this.#last.length > 0 && !isWithin(this.#lastSize, { steps: 0, text: '' }, 2)) this.#leaveOut();
  }

  /** In the order of time; a page that stands for those that were left out lies where they were. */
  get pages(): readonly string[] {
    const gap = this.#gap;
    const inOrder = (pages: readonly Page[]): string[] =>
      pages.toSorted((a, b) => a.atMs - b.atMs).map(({ text }) => text);
    return gap === undefined
      ? inOrder([...this.#first, ...this.#last])
      : [...inOrder(this.#first), leftOutPage(gap.atMs, gap.steps), ...inOrder(this.#last)];
  }

  #leaveOut(): void {
    const page = this.#last.shift();
    if (page === undefined) return;
    count(this.#lastSize, page, -1);
    this.#gap ??= { atMs: page.atMs, steps: 0 };
    this.#gap.steps += page.steps;
  }
}

/** Whether as much as both fits into this part of the limits. */
const isWithin = (
  size: Size,
  page: { readonly steps: number; readonly text: { readonly length: number } },
  part: number,
): boolean =>
  size.steps + page.steps <= TRACE_MOST_STEPS / part &&
  size.bytes + page.text.length <= TRACE_MOST_BYTES / part;

function count(size: Size, { steps, text }: Page, sign: 1 | -1): void {
  size.steps += sign * steps;
  size.bytes += sign * text.length;
}

/** The page that stands for the pages that were left out, as JSON. */
const leftOutPage = (atMs: number, steps: number): string =>
  JSON.stringify([{ atMs, kind: LEFT_OUT, detail: { steps } }]);

/** The steps of several hosts together within the same limit; those that a host has left out itself are counted, too. */
export function boundedSteps(steps: readonly TraceStep[]): readonly TraceStep[] {
  if (steps.length <= TRACE_MOST_STEPS) return steps;
  const half = TRACE_MOST_STEPS / 2;
  const middle = steps.slice(half, steps.length - half);
  const [begin] = middle;
  if (begin === undefined) return steps;
  const count = middle.reduce((sum, step) => sum + weightOf(step), 0);
  const mark: TraceStep = {
    ...{ at: begin.at, hostId: begin.hostId, party: 'host', direction: 'own', kind: LEFT_OUT },
    detail: { steps: count },
  };
  return [...steps.slice(0, half), mark, ...steps.slice(-half)];
}

const weightOf = ({ kind, detail }: TraceStep): number =>
  kind === LEFT_OUT && typeof detail.steps === 'number' ? detail.steps : 1;
