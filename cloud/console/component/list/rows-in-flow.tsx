import { type ComponentProps, Fragment, type ReactNode, useContext, useMemo } from 'react';
import { type CollectionRenderer, CollectionRendererContext, TableStateContext } from 'react-aria-components';
import type { ListColumn } from './list-column.ts';

type Branch = CollectionRenderer['CollectionBranch'];
type BranchProps = ComponentProps<Branch>;

/**
 * Stands between a virtualizer and its table: rows are placed by the virtualizer, and the cells of a row by the grid of the row. The
 * virtualizer would place each cell by itself, two hundred boxes once more with each step of a scroll.
 */
export function RowsInFlow({ children }: { readonly children: ReactNode }) {
  const placing = useContext(CollectionRendererContext);
  const flowing = useMemo(
    () => ({ ...placing, CollectionBranch: branchOf(placing.CollectionBranch) }),
    [placing],
  );
  return <CollectionRendererContext.Provider value={flowing}>{children}</CollectionRendererContext.Provider>;
}

const branchOf = (Placed: Branch): Branch =>
  function Flowing(props: BranchProps) {
    return props.parent.type === 'item' ? <Cells {...props} /> : <Placed {...props} />;
  };

type Cell = BranchProps['parent'];

/** A cell is drawn again when it is another one, or by what it reads itself. */
const drawn: WeakMap<Cell, ReactNode> = new WeakMap();

function Cells({ collection, parent }: BranchProps) {
  const cells = [...(collection.getChildren?.(parent.key) ?? [])];
  return (
    <TableStateContext.Provider value={useStateOfRow(parent)}>
      {cells.map((cell) => (
        <Fragment key={cell.key}>{drawnOf(cell)}</Fragment>
      ))}
    </TableStateContext.Provider>
  );
}

/**
 * The state of the table as it was when the row, the columns or the focus changed last. Every cell reads it, and would be drawn again for
 * rows that come at the end of the list.
 */
function useStateOfRow(row: Cell) {
  const state = useContext(TableStateContext);
  const { focusedKey, isFocused } = state?.selectionManager ?? {};
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the state alone what changes a cell
  return useMemo(() => state, [row, state?.collection.columns, focusedKey, isFocused]);
}

function drawnOf(cell: Cell): ReactNode {
  const known = drawn.get(cell);
  if (known !== undefined) return known;
  const made = cell.render?.(cell);
  drawn.set(cell, made);
  return made;
}

/** Pixels that a column has at least. */
export const LEAST_WIDTH = 96;

/** The widths of columns as the grid of a row has them; the virtualizer gives the headings the same. */
export const widthsOf = <Row,>(columns: readonly ListColumn<Row>[]): string =>
  columns
    .map(({ width = '1fr', minWidth = LEAST_WIDTH }) =>
      typeof width === 'number' ? `${Math.max(width, minWidth)}px` : `minmax(${minWidth}px, ${width})`,
    )
    .join(' ');
