import type { ReactNode } from 'react';

/** One column of a list. */
export interface ListColumn<Row> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** The value in an export; a time as ISO 8601. */
  readonly text: (row: Row) => string;
  /** Pixels, or a share (`2fr`); absent: one share. */
  readonly width?: number | `${number}fr`;
  /** Pixels that it needs at least. */
  readonly minWidth?: number;
  /** Its text may have two lines at the width of a telephone. */
  readonly isLong?: boolean;
  /** Its cells keep nothing in mind: the elements of one row show another one when a person scrolls. */
  readonly isPlain?: boolean;
  /** Shown only when a person asks for it. */
  readonly isExtra?: boolean;
}

/** A choice of a filter; `count`: so many rows have it (a facet). */
export interface FilterChoice {
  readonly value: string;
  readonly title: string;
  readonly count?: number;
}

/** One filter of a list. `name` stands in the address and is handed to the question. */
export interface ListFilter {
  readonly name: string;
  readonly title: string;
  /** Absent: a person types the value. */
  readonly choices?: readonly FilterChoice[];
  readonly placeholder?: string;
}

/** The columns that are shown: those that the address names, else all but the extra ones. */
export function shownColumns<Row>(
  columns: readonly ListColumn<Row>[],
  named: readonly string[] | undefined,
): readonly ListColumn<Row>[] {
  const found = (named ?? []).flatMap((id) => columns.find((column) => column.id === id) ?? []);
  return found.length > 0 ? found : columns.filter(({ isExtra }) => isExtra !== true);
}

/** Pixels that a column has at least. */
const LEAST_WIDTH = 96;

/** The widths of columns as the grids of the heading and of each row have them. */
export const widthsOf = <Row>(columns: readonly ListColumn<Row>[]): string =>
  columns
    .map(({ width = '1fr', minWidth = LEAST_WIDTH }) =>
      typeof width === 'number' ? `${Math.max(width, minWidth)}px` : `minmax(${minWidth}px, ${width})`,
    )
    .join(' ');

/** Pixels that these columns have together at least; a narrower list scrolls to the side. */
export const leastWidthOf = <Row>(columns: readonly ListColumn<Row>[]): number =>
  columns.reduce(
    (sum, { width, minWidth = LEAST_WIDTH }) =>
      sum + Math.max(typeof width === 'number' ? width : 0, minWidth),
    0,
  );
