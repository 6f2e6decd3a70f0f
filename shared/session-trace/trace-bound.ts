import type { TraceStep } from '../contract/session-record/index.ts';

/** Chosen: a reader of a trace gets 60,000 steps of a host at most. A call of a day with all its digits has fewer. */
export const TRACE_MOST_STEPS = 60_000;
/** Chosen: and 32 MiB of them as JSON, half of what the control plane unpacks. */
export const TRACE_MOST_BYTES = 32 * 1_048_576;
/** Kind of the step that stands for those that were left out; its detail has their number. */
export const LEFT_OUT = 'leftOut';

/** Size of a page of a trace. */
export interface PageSize {
  readonly steps: number;
  readonly bytes: number;
}

/** Pages that a reader gets: so many from the begin and so many from the end. `leftOut`: steps between them. */
export interface KeptPages {
  readonly first: number;
  readonly last: number;
  readonly leftOut: number;
}

/** `Chosen:` a trace that is too long loses its middle: the begin says what came, the end says what came of it. */
export function keptPages(pages: readonly PageSize[]): KeptPages {
  const all = sumOf(pages);
  if (all.steps <= TRACE_MOST_STEPS && all.bytes <= TRACE_MOST_BYTES)
    return { first: pages.length, last: 0, leftOut: 0 };
  const [first, last] = [fitting(pages), fitting(pages.toReversed())];
  return { first, last, leftOut: sumOf(pages.slice(first, pages.length - last)).steps };
}

/** Number of pages that fit into half of the limits. */
function fitting(pages: readonly PageSize[]): number {
  let [steps, bytes] = [0, 0];
  const end = pages.findIndex((page) => {
    steps += page.steps;
    bytes += page.bytes;
    return steps > TRACE_MOST_STEPS / 2 || bytes > TRACE_MOST_BYTES / 2;
  });
  return end === -1 ? pages.length : end;
}

const sumOf = (pages: readonly PageSize[]): PageSize =>
  pages.reduce((sum, { steps, bytes }) => ({ steps: sum.steps + steps, bytes: sum.bytes + bytes }), {
    steps: 0,
    bytes: 0,
  });

/** The page that stands for the pages that were left out, as JSON. */
export const leftOutPage = (atMs: number, steps: number): string =>
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
