// biome-ignore-all lint/a11y/useSemanticElements: a row of a table cannot stand at a place of its own
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus goes from row to row, and not to cells
import { Fragment, memo, type ReactNode } from 'react';
import { linkTo } from '../../client/route.ts';
import { openInPlace } from '../page-link.tsx';
import type { ListColumn } from './list-column.ts';

interface CellsProps<Row> {
  readonly row: Row;
  /** Key of the row. */
  readonly of: string;
  readonly columns: readonly ListColumn<Row>[];
  /** The page of the row; undefined: it has none. */
  readonly page: string | undefined;
  readonly rest: string | undefined;
}

/**
 * A row at its place in the page, which has other rows in the course of a scroll. It is drawn again when it is another object, has other
 * columns or another number.
 */
export const GridRow = memo(Placed) as typeof Placed;

function Placed<Row>(
  props: CellsProps<Row> & { readonly id: string; readonly index: number; readonly top: number },
) {
  const { id, index, top, ...cells } = props;
  const { page, rest } = cells;
  return (
    <div
      id={id}
      role="row"
      className="row"
      tabIndex={-1}
      aria-rowindex={index + 2}
      data-index={index}
      data-href={page === undefined ? undefined : linkTo(page, rest)}
      style={{ top }}
    >
      <Cells {...cells} />
    </div>
  );
}

/** A row that moves because others were given up before it has the same cells. */
const Cells = memo(CellsOf) as <Row>(props: CellsProps<Row>) => ReactNode;

function CellsOf<Row>({ row, of, columns, page, rest }: CellsProps<Row>) {
  return columns.map(({ id, cell, isPlain }, at) => (
    <div key={id} role={at === 0 ? 'rowheader' : 'gridcell'} className="cell">
      {at === 0 && page !== undefined && rowLink(page, rest)}
      {/* An open question of one row is not for another one. */}
      {isPlain === true ? cell(row) : <Fragment key={of}>{cell(row)}</Fragment>}
    </div>
  ));
}

/**
 * A link that lies behind the whole row, for the pointer: opened in place or elsewhere as any link of a page. Keyboard and readers of the
 * screen have the row itself.
 */
const rowLink = (page: string, rest: string | undefined) => (
  // biome-ignore lint/a11y/useAnchorContent: the row says what it is
  <a
    className="row-link"
    href={linkTo(page, rest)}
    tabIndex={-1}
    aria-hidden="true"
    onClick={(event) => openInPlace(event, page, rest)}
  />
);
