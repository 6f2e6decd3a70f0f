/** One page of a list that is read by keys. */
export interface Page<Row> {
  readonly items: readonly Row[];
  /** Where the next page begins; absent: this is the last one. */
  readonly nextToken?: string | undefined;
}

/** A page that is held, with the token by which it is read again. */
export interface HeldPage<Row> extends Page<Row> {
  /** Absent: the first page. */
  readonly token?: string | undefined;
}

/** More rows than that leave a browser slow and tell a person nothing. */
const MOST_ROWS = 5_000;

/**
 * The pages that a list holds: neighbours, the newest rows first. Rows of one end are given up when the other end grows, and
 * read again when a person goes back there, so that a list of a million rows costs what its window costs.
 */
export interface Window<Row> {
  readonly pages: readonly HeldPage<Row>[];
  /** Tokens of the pages before those that are held, the nearest one last; `undefined` is the first page. */
  readonly before: readonly (string | undefined)[];
}

export const emptyWindow = <Row>(): Window<Row> => ({ pages: [], before: [] });

export const rowsOf = <Row>({ pages }: Window<Row>): Row[] => pages.flatMap(({ items }) => [...items]);

const count = <Row>(pages: readonly HeldPage<Row>[]): number =>
  pages.reduce((sum, { items }) => sum + items.length, 0);

/** The window with the page behind its last one; pages at its beginning are given up until it holds `most` rows. */
export function withNext<Row>(
  { pages, before }: Window<Row>,
  page: HeldPage<Row>,
  most = MOST_ROWS,
): Window<Row> {
  const held = [...pages, page];
  const left: (string | undefined)[] = [...before];
  while (held.length > 1 && count(held) > most) left.push(held.shift()?.token);
  return { pages: held, before: left };
}

/** The window with the page before its first one; pages at its end are given up until it holds `most` rows. */
export function withPrevious<Row>(
  { pages, before }: Window<Row>,
  page: HeldPage<Row>,
  most = MOST_ROWS,
): Window<Row> {
  const held = [page, ...pages];
  while (held.length > 1 && count(held) > most) held.pop();
  return { pages: held, before: before.slice(0, -1) };
}

/**
 * The window after a new look at its first page: rows that are shown take their new state and keep their place, and rows that
 * are new wait until the person wants them. Nothing moves under the pointer.
 */
export function withFresh<Row>(
  window: Window<Row>,
  fresh: readonly Row[],
  keyOf: (row: Row) => string,
): { readonly window: Window<Row>; readonly added: number } {
  if (window.before.length > 0) return { window, added: 0 };
  const byKey = new Map(fresh.map((row) => [keyOf(row), row]));
  const shown = new Set(rowsOf(window).map(keyOf));
  const pages = window.pages.map((page) => ({
    ...page,
    items: page.items.map((row) => byKey.get(keyOf(row)) ?? row),
  }));
  return {
    window: { ...window, pages },
    added: [...byKey.keys()].filter((key) => !shown.has(key)).length,
  };
}
