import { Plural, Trans } from '@lingui/react/macro';
import { type ReactNode, useMemo } from 'react';
import './list.css';
import type { Topic } from '../../client/change.ts';
import { ErrorNotice } from '../error-notice.tsx';
import { Freshness } from '../freshness.tsx';
import { ColumnChoice } from './column-choice.tsx';
import { Export } from './export.tsx';
import { FilterBar } from './filter-bar.tsx';
import { Grid } from './grid.tsx';
import { type ListColumn, type ListFilter, shownColumns } from './list-column.ts';
import type { ListState } from './list-state.ts';
import { useNarrow } from './narrow.ts';
import { SavedViews } from './saved-views.tsx';
import { stacked, stackedHeight } from './stacked.tsx';
import { useListAddress } from './use-list-address.ts';
import { type ReadPage, useWindow } from './use-window.ts';

/** Pixels. The style of `list.css` has the same. */
const ROW = 44;
const HEADING = 36;

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
  const address = useListAddress(filters.map((each) => each.name));
  const { state } = address;
  const read: ReadPage<Row> = (token) => props.read(state, token);
  const { columns: named, ...asked } = state;
  const question = JSON.stringify(asked);
  const list = useWindow(question, read, keyOf, topics);
  const isNarrow = useNarrow();
  // The same array as long as the columns are the same: a row that has been drawn is kept for it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address gives the same names in another array each time
  const chosen = useMemo(() => shownColumns(columns, named), [columns, named?.join()]);
  const shown = useMemo(() => (isNarrow ? [stacked(chosen)] : chosen), [isNarrow, chosen]);
  const rowHeight = isNarrow ? stackedHeight(chosen) : ROW;
  const isFiltered = question !== JSON.stringify({ filters: {} });
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
        <Grid
          key={question}
          {...{ name, keyOf, linkOf, rowHeight }}
          headingHeight={isNarrow ? 0 : HEADING}
          columns={shown}
          isStacked={isNarrow}
          rows={list.rows}
          more={list.more}
          hasEarlier={list.earlier !== undefined}
        />
      )}
    </section>
  );
}

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
