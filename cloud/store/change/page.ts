/** One page of a list; `next` is the id after which the next page begins, absent on the last one. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next?: string;
}

/** Cuts a page out of rows that were asked for with `limit + 1`. */
export function pageOf<R, T>(
  rows: readonly R[],
  limit: number,
  idOf: (row: R) => string,
  show: (row: R) => T,
): Page<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const items = shown.map(show);
  return rows.length > limit && last !== undefined ? { items, next: idOf(last) } : { items };
}
