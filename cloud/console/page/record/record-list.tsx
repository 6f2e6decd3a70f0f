import { Trans, useLingui } from '@lingui/react/macro';
import { lazy, Suspense } from 'react';
import './record.css';
import type { Operations } from '#shared/client/index.ts';
import { api } from '../../client/api.ts';
import type { Topic } from '../../client/change.ts';
import { serverNow } from '../../client/clock.ts';
import { useLive } from '../../client/live.ts';
import { useRecordChanges } from '../../client/record-change.ts';
import { domain, mayHandle } from '../../client/session.ts';
import { EmptyState } from '../../component/empty-state.tsx';
import { List } from '../../component/list/list.tsx';
import type { FilterChoice, ListFilter } from '../../component/list/list-column.ts';
import { type ListState, momentsOf } from '../../component/list/list-state.ts';
import { useListAddress } from '../../component/list/use-list-address.ts';
import { Unsearched, useSearched } from '../../component/trace/unsearched.tsx';
import { protocolName } from '../../component/wording/protocol-name.ts';
import { useRecordColumns } from './record-column.tsx';
import { KINDS, RESULTS } from './record-words.ts';

/** The list does not wait for the chart. */
const HourChart = lazy(() =>
  import('./hour-chart.tsx').then(({ HourChart: loaded }) => ({ default: loaded })),
);

type Facets = Operations['getRecordByDomainFacet']['answer']['facet']['facets'];

const FILTERS = [
  ...(['kind', 'result', 'text', 'transcript', 'deviceId', 'number', 'siteId', 'hostId'] as const),
  ...(['bridge', 'protocol', 'warning', 'traceId'] as const),
];
const FACET_STEP_MS = 15_000;

/** Every session of the tenant: alarms, calls, messages and refused attempts, the newest first. */
export function RecordListPage() {
  const { t } = useLingui();
  useRecordChanges(domain.value);
  const { state, between } = useListAddress(FILTERS);
  const { transcript: _, ...others } = state.filters;
  const asked = questionOf({ ...state, filters: others });
  const { value } = useLive(
    // The values of the other filters alone: the hosts search no words for them.
    () => api.call('getRecordByDomainFacet', { ...asked, domain: domain.value }),
    [domain.value, JSON.stringify(state.filters), state.span, state.from, state.to],
    FACET_STEP_MS,
    ['record'],
  );
  const filters = useFilters(value?.facet.facets);
  const [search, searched] = useSearched();
  return (
    <>
      <header className="page">
        <h1>
          <Trans>Alarms and calls</Trans>
        </h1>
        <p className="dim flat">
          <Trans>Every session from the device to the answer; without a time the last 24 hours.</Trans>
        </p>
      </header>
      <Suspense fallback={<div className="hour-chart" aria-hidden="true" />}>
        <HourChart siteId={state.filters.siteId} from={asked.from} to={asked.to} choose={between} />
      </Suspense>
      <Unsearched search={search} isAsked={state.filters.transcript !== undefined} />
      <List
        id="record"
        name={t`Alarms and calls`}
        columns={useRecordColumns()}
        filters={filters}
        hasTime
        read={async (shown, token) => searched(await readPage(shown, token))}
        keyOf={({ recordId }) => recordId}
        linkOf={({ recordId }) => ({ page: 'record', rest: recordId })}
        topics={topicsOf(state)}
        empty={
          <EmptyState
            title={t`No alarm or call in the last 24 hours`}
            command="npx carillon simulate scaip --to HOST:5060"
          >
            <Trans>
              A host reports each alarm and each call here as it happens. Choose a longer time, or let a
              simulated device send an alarm:
            </Trans>
          </EmptyState>
        }
      />
    </>
  );
}

/** Chosen: each search in transcripts stands in the audit log, so it is made when a person asks, and not with each new record. */
const topicsOf = ({ filters }: ListState): readonly Topic[] =>
  filters.transcript === undefined ? ['record'] : [];

/** The conditions of the API for the state of the list. */
function questionOf(state: ListState) {
  const { from, to } = momentsOf(state, serverNow());
  return {
    ...(state.filters as Readonly<Record<string, never>>),
    ...(from === undefined ? {} : { from: String(from) }),
    ...(to === undefined ? {} : { to: String(to) }),
  };
}

async function readPage(state: ListState, nextToken: string | undefined) {
  const answer = await api.call('getRecordByDomain', {
    ...questionOf(state),
    domain: domain.value,
    // The first rows soon; those that a person scrolls to in larger pages, each of which costs the list a drawing.
    limit: nextToken === undefined ? '50' : '100',
    ...(nextToken === undefined ? {} : { nextToken }),
  });
  if (!answer.ok) return answer;
  const { records: items, nextToken: next, hosts, cut } = answer.value;
  return { ok: true as const, value: { items, nextToken: next, hosts, cut } };
}

/** The filters; those with few values have them with their counts. */
function useFilters(facets: Facets | undefined): readonly ListFilter[] {
  const { t } = useLingui();
  const counted = (name: keyof Facets, title: (value: string) => string): readonly FilterChoice[] =>
    (facets?.[name] ?? []).map(({ value, amount }) => ({ value, title: title(value), count: amount }));
  const same = (value: string): string => value;
  const all = <Word extends string>(words: Readonly<Record<Word, unknown>>, found: readonly FilterChoice[]) =>
    (Object.keys(words) as Word[]).map((value) => ({
      value,
      count: found.find((each) => each.value === value)?.count ?? 0,
    }));
  return [
    {
      ...{ name: 'kind', title: t`Kind` },
      choices: all(KINDS, counted('kind', same)).map((each) => ({ ...each, title: t(KINDS[each.value]) })),
    },
    {
      ...{ name: 'result', title: t`Result` },
      choices: all(RESULTS, counted('result', same)).map((each) => ({
        ...each,
        title: t(RESULTS[each.value]),
      })),
    },
    { name: 'text', title: t`Any field`, placeholder: t`Part of any field` },
    ...(mayHandle.value
      ? [{ name: 'transcript', title: t`Transcript`, placeholder: t`Words that were said` }]
      : []),
    { name: 'deviceId', title: t`Device`, placeholder: t`Begin of the id` },
    { name: 'number', title: t`Number`, placeholder: '+4670' },
    { name: 'siteId', title: t`Site`, choices: counted('siteId', same) },
    { name: 'hostId', title: t`Host`, choices: counted('hostId', same) },
    { name: 'bridge', title: t`Receiver`, choices: counted('receiver', same) },
    { name: 'protocol', title: t`Protocol`, choices: counted('protocol', protocolName) },
    { name: 'warning', title: t`Deviation`, choices: counted('warning', same) },
    { name: 'traceId', title: t`Trace id` },
  ];
}
