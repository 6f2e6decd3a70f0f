import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useMemo } from 'react';
import {
  Cell,
  Collection,
  Column,
  Table,
  TableBody,
  TableHeader,
  TableLayout,
  TableLoadMoreItem,
  Row as TableRow,
  Virtualizer,
} from 'react-aria-components';
import './list.css';
import type { Topic } from '../../client/change.ts';
import { linkTo } from '../../client/route.ts';
import { ErrorNotice } from '../error-notice.tsx';
import { Freshness } from '../freshness.tsx';
import { ColumnChoice } from './column-choice.tsx';
import { Export } from './export.tsx';
import { FilterBar } from './filter-bar.tsx';
import { type ListColumn, type ListFilter, shownColumns } from './list-column.ts';
import type { ListState } from './list-state.ts';
import { useNarrow } from './narrow.ts';
import { LEAST_WIDTH, RowsInFlow, widthsOf } from './rows-in-flow.tsx';
import { SavedViews } from './saved-views.tsx';
import { stacked, stackedHeight } from './stacked.tsx';
import { useListAddress } from './use-list-address.ts';
import { type ReadPage, useWindow } from './use-window.ts';

/** Pixels. The style of `list.css` has the same. */
const ROW = 44;
const HEADING = 36;
/** Lines above and below the rows. */
const FRAME = 2;

export interface ListProps<Row extends object> {
  /** Names the list for its saved views, in each language alike. */
  readonly id: string;
  /** For a person who hears the page, and for the name of an export. */
  readonly name: string;
  readonly columns: readonly ListColumn<Row>[];
  readonly filters?: readonly ListFilter[];
  /** The list is one of moments. */
  readonly hasTime?: boolean;
  /** Reads one page of what the state asks for. */
  readonly read: (state: ListState, token: string | undefined) => ReturnType<ReadPage<Row>>;
  readonly keyOf: (row: Row) => string;
  /** The page of a row: its name and the rest of its address. */
  readonly linkOf?: (row: Row) => { readonly page: string; readonly rest?: string };
  /** Topics of the stream that tell of new rows. */
  readonly topics?: readonly Topic[];
  /** In place of an empty list: what it is, why it is empty, and what fills it. */
  readonly empty: ReactNode;
}

/**
 * A list of any length: read by keys, drawn as far as it is seen, with its whole state in the address. New rows wait behind a
 * button ("3 new") until the person wants them.
 */
export function List<Row extends object>(props: ListProps<Row>) {
  const { name, columns, filters = [], hasTime = false, keyOf, linkOf, topics = [], empty } = props;
  const { t } = useLingui();
  const address = useListAddress(filters.map((each) => each.name));
  const { state } = address;
  const read: ReadPage<Row> = (token) => props.read(state, token);
  const { columns: named, ...asked } = state;
  const list = useWindow(JSON.stringify(asked), read, keyOf, topics);
  const isNarrow = useNarrow();
  // The same array as long as the columns are the same: a row that has been drawn is kept for it.
  const chosen = useMemo(() => shownColumns(columns, named), [columns, named]);
  const shown = useMemo(() => (isNarrow ? [stacked(chosen)] : chosen), [isNarrow, chosen]);
  const rowHeight = isNarrow ? stackedHeight(chosen) : ROW;
  const headingHeight = isNarrow ? 0 : HEADING;
  const isWhole = list.more === undefined && list.rows.length > 0;
  const isFiltered = JSON.stringify(asked) !== JSON.stringify({ filters: {} });
  return (
    <section className="list" aria-label={name}>
      <div className="list-bar">
        <FilterBar filters={filters} address={address} hasTime={hasTime} />
        <span className="list-tools">
          {list.at > 0 && <Freshness at={list.at} isLive={topics.length > 0} />}
          <SavedViews list={props.id} />
          {list.rows.length > 0 && (
            <>
              <ColumnChoice columns={columns} named={named} onChange={address.show} />
              <Export name={name.toLowerCase()} columns={chosen} read={read} />
            </>
          )}
        </span>
      </div>
      <ErrorNotice failure={list.failure} at={list.at} again={list.again} />
      <div className="list-news" aria-live="polite">
        {list.added > 0 && (
          <button type="button" onClick={list.showAdded}>
            <Plural value={list.added} one="# new" other="# new" />
          </button>
        )}
        {list.earlier !== undefined && (
          <button type="button" className="plain" onClick={list.earlier}>
            <Trans>Show earlier rows</Trans>
          </button>
        )}
      </div>
      {!list.isLoading && list.rows.length === 0 && list.failure === undefined ? (
        isFiltered ? (
          <NoMatch clear={address.clear} />
        ) : (
          empty
        )
      ) : (
        <Virtualizer key={rowHeight} layout={TableLayout} layoutOptions={{ rowHeight, headingHeight }}>
          <RowsInFlow>
            <Table
              aria-label={name}
              className={isNarrow ? 'grid is-stacked' : 'grid'}
              style={{
                ...{ '--columns': widthsOf(shown) },
                ...(isWhole ? heightOf(list.rows.length * rowHeight + headingHeight) : {}),
              }}
            >
              <TableHeader columns={[...shown]} dependencies={[shown]}>
                {(column) => (
                  <Column
                    id={column.id}
                    isRowHeader={column.id === shown[0]?.id}
                    width={column.width ?? '1fr'}
                    minWidth={column.minWidth ?? LEAST_WIDTH}
                  >
                    {column.title}
                  </Column>
                )}
              </TableHeader>
              <TableBody
                dependencies={[shown]}
                renderEmptyState={() => <p className="dim">{t`One moment…`}</p>}
              >
                {/* Rows that stay are not made again when a page comes: of 5,000 rows that takes seconds. */}
                <Collection items={list.rows} dependencies={[shown]}>
                  {(row) => {
                    const link = linkOf?.(row);
                    return (
                      <TableRow
                        id={keyOf(row)}
                        className="row"
                        {...(link === undefined ? {} : { href: linkTo(link.page, link.rest) })}
                      >
                        {shown.map((column) => (
                          <Cell key={column.id}>
                            <div className="cell">{column.cell(row)}</div>
                          </Cell>
                        ))}
                      </TableRow>
                    );
                  }}
                </Collection>
                {list.more !== undefined && (
                  <TableLoadMoreItem onLoadMore={list.more} isLoading>
                    <span className="dim">{t`One moment…`}</span>
                  </TableLoadMoreItem>
                )}
              </TableBody>
            </Table>
          </RowsInFlow>
        </Virtualizer>
      )}
    </section>
  );
}

/** As high as its rows, so that no empty frame stands below few of them; `content`: pixels. */
const heightOf = (content: number) => ({
  height: `min(${content + FRAME}px, calc(100vh - 12rem))`,
  minHeight: 0,
});

function NoMatch({ clear }: { readonly clear: () => void }) {
  return (
    <div className="empty">
      <h2>
        <Trans>No row matches the filters</Trans>
      </h2>
      <button type="button" className="plain" onClick={clear}>
        <Trans>Clear all</Trans>
      </button>
    </div>
  );
}
