import type { ListColumn } from './list-column.ts';

/** Pixels. The style of `list.css` has the same. */
const LINE = 32;
const AROUND = 18;

/** Height of a row whose columns stand below each other, in pixels. */
export const stackedHeight = <Row,>(columns: readonly ListColumn<Row>[]): number =>
  columns.reduce((sum, { isLong }) => sum + (isLong === true ? 2 : 1) * LINE, AROUND);

/**
 * All columns as one, for the width of a telephone: each value stands on a line of its own behind the title of its column, so
 * that none is cut.
 */
export const stacked = <Row,>(columns: readonly ListColumn<Row>[]): ListColumn<Row> => ({
  id: columns[0]?.id ?? 'row',
  title: columns.map(({ title }) => title).join(', '),
  cell: (row) => (
    <dl className="stacked">
      {columns.map(({ id, title, cell, isLong }) => (
        <div key={id} className={isLong === true ? 'is-long' : undefined}>
          <dt>{title}</dt>
          <dd>
            <div className="cell">{cell(row)}</div>
          </dd>
        </div>
      ))}
    </dl>
  ),
  text: () => '',
  minWidth: 0,
  isPlain: columns.every(({ isPlain }) => isPlain === true),
});
