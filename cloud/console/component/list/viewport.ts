/** The part in sight of a list whose rows have one height, in whole rows. */
export interface Viewport {
  /** Index of the first row of which a part is in sight. */
  readonly first: number;
  /** So many rows are in sight at most. */
  readonly fits: number;
}

/** Pixels. `height`: of the place for rows, without the heading. */
interface Measures {
  readonly scrollTop: number;
  readonly height: number;
  readonly rowHeight: number;
}

/** Rows beyond each edge that are drawn too: a fast scroll comes upon them before the next frame. */
const BEYOND = 4;

export const viewportOf = ({ scrollTop, height, rowHeight }: Measures): Viewport => ({
  first: Math.max(0, Math.floor(scrollTop / rowHeight)),
  // One more than that: the first and the last one are in sight in part.
  fits: Math.ceil(Math.max(0, height) / rowHeight) + 1,
});

/** Indexes of the rows that are drawn of `count`: those in sight, some beyond, and `kept` wherever it is; in their order. */
export function drawnRows({ first, fits }: Viewport, count: number, kept = -1): readonly number[] {
  const from = Math.max(0, Math.min(first, count - fits) - BEYOND);
  const to = Math.min(count, first + fits + BEYOND);
  const rows = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
  if (kept < 0 || kept >= count || (kept >= from && kept < to)) return rows;
  return kept < from ? [kept, ...rows] : [...rows, kept];
}

/** The end of `count` rows is near: what is behind them is to be read before a person is there. */
export const isNearEnd = ({ first, fits }: Viewport, count: number): boolean => first + 2 * fits >= count;

/** Where a list is scrolled to so that the whole of a row is in sight; the same place when it is already. */
export function scrollTopFor(index: number, { scrollTop, height, rowHeight }: Measures): number {
  const top = index * rowHeight;
  return top < scrollTop ? top : Math.max(scrollTop, Math.min(top, top + rowHeight - height));
}

/** The row that a key leads to from the row `at`; undefined: the key is none that moves. `page`: rows of a step of a page. */
export function rowOfKey(key: string, at: number, count: number, page: number): number | undefined {
  const steps = new Map([
    ['ArrowDown', at + 1],
    ['ArrowUp', at - 1],
    ['PageDown', at + page],
    ['PageUp', at - page],
    ['Home', 0],
    ['End', count - 1],
  ]);
  const to = steps.get(key);
  return to === undefined || count === 0 ? undefined : Math.min(Math.max(0, to), count - 1);
}

/** So many rows of `before` stood in front of the first one of `after`; undefined: it was none of them. */
export function rowsGivenUp<Row>(
  before: readonly Row[],
  after: readonly Row[],
  keyOf: (row: Row) => string,
): number | undefined {
  const [first] = after;
  if (first === undefined) return undefined;
  const key = keyOf(first);
  const found = before.findIndex((row) => keyOf(row) === key);
  return found === -1 ? undefined : found;
}
