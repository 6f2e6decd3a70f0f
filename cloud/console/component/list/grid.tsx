// biome-ignore-all lint/a11y/useSemanticElements: a row of a table cannot stand at a place of its own
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus goes from row to row, and not to the heading or to cells
import { Trans } from '@lingui/react/macro';
import { useEffect, useId, useRef } from 'react';
import { GridRow } from './grid-row.tsx';
import { type ListColumn, leastWidthOf, widthsOf } from './list-column.ts';
import { type Places, placesOf } from './place.ts';
import { useRowFocus } from './use-row-focus.ts';
import { type Heights, useViewport } from './use-viewport.ts';
import { drawnRows, isNearEnd } from './viewport.ts';

/** Lines above and below the rows, in pixels. */
const FRAME = 2;

interface GridProps<Row> extends Heights {
  readonly name: string;
  readonly columns: readonly ListColumn<Row>[];
  /** The columns stand below each other, in one. */
  readonly isStacked: boolean;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly linkOf: ((row: Row) => { readonly page: string; readonly rest?: string }) | undefined;
  /** Reads the rows behind the last one; undefined: there are none. */
  readonly more: (() => void) | undefined;
  /** Rows stood before the first one. */
  readonly hasEarlier: boolean;
}

/**
 * The rows of a list, drawn as far as they are seen. Rows have one height, so that their places follow from their number: a step of a
 * scroll draws the rows that come in and touches no other.
 */
export function Grid<Row>(props: GridProps<Row>) {
  const { name, columns, rows, keyOf, linkOf, more, rowHeight, headingHeight, hasEarlier } = props;
  const box = useRef<HTMLDivElement>(null);
  const { viewport, look } = useViewport(box, rows, keyOf, props);
  const { kept, keptKey, end, enter, handlers } = useRowFocus(box, rows, keyOf, props);
  const isNear = more !== undefined && isNearEnd(viewport, rows.length);
  // Not with each drawing: a page that could not be read is asked for once more when a person comes back to the end.
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that came can end near again
  useEffect(() => {
    if (isNear) more?.();
  }, [isNear, rows]);
  const id = useId();
  const drawn = drawnRows(viewport, rows.length, kept).flatMap((index) => {
    const row = rows[index];
    return row === undefined ? [] : { index, row, key: keyOf(row) };
  });
  const before = useRef<Places>(new Map());
  const places = placesOf(
    before.current,
    drawn.map(({ key }) => key),
    keptKey,
  );
  before.current = places;
  const placed = drawn
    .map((each) => ({ ...each, place: places.get(each.key) ?? 0 }))
    .toSorted((a, b) => a.place - b.place);
  const isWhole = more === undefined && rows.length > 0;
  const content = (rows.length + (isWhole ? 0 : 1)) * rowHeight;
  return (
    <>
      <div
        ref={box}
        role="grid"
        aria-label={name}
        aria-rowcount={isWhole && !hasEarlier ? rows.length + 1 : -1}
        tabIndex={0}
        className={props.isStacked ? 'grid is-stacked' : 'grid'}
        style={{
          ...{
            '--columns': widthsOf(columns),
            '--least': `${leastWidthOf(columns)}px`,
            '--row': `${rowHeight}px`,
          },
          ...(isWhole ? heightOf(content + headingHeight) : {}),
        }}
        onScroll={look}
        {...handlers}
      >
        <div role="rowgroup" className="heading">
          <div role="row" className="row" aria-rowindex={1}>
            {columns.map(({ id, title }) => (
              <div key={id} role="columnheader">
                {title}
              </div>
            ))}
          </div>
        </div>
        {/* A reader of the screen has the rows in their order, whatever their places in the page. */}
        <div
          role="rowgroup"
          className="rows"
          style={{ height: content }}
          aria-owns={[
            ...drawn.map(({ key }) => `${id}${places.get(key)}`),
            ...(isWhole ? [] : [`${id}wait`]),
          ].join(' ')}
        >
          {placed.map(({ index, row, key, place }) => {
            const { page, rest } = linkOf?.(row) ?? {};
            const at = { id: `${id}${place}`, of: key, index, top: index * rowHeight };
            return <GridRow key={place} {...{ row, columns, page, rest }} {...at} />;
          })}
          {!isWhole && (
            <div
              id={`${id}wait`}
              role="row"
              className="row"
              aria-rowindex={rows.length + 2}
              style={{ top: rows.length * rowHeight }}
            >
              <div role="gridcell" className="cell wait dim" aria-colspan={columns.length}>
                <Trans>One moment…</Trans>
              </div>
            </div>
          )}
        </div>
      </div>
      {/* Tab leaves from here and comes back to here: before the rows stands the grid itself. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it hands the focus on */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it hands the focus on */}
      <span ref={end} tabIndex={0} onFocus={enter} />
    </>
  );
}

/** As high as its rows, so that no empty frame stands below few of them; `content`: pixels. */
const heightOf = (content: number) => ({
  height: `min(${content + FRAME}px, calc(100vh - 12rem))`,
  minHeight: 0,
});
