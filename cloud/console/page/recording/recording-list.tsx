import { Trans, useLingui } from '@lingui/react/macro';
import { api } from '../../client/api.ts';
import { serverNow } from '../../client/clock.ts';
import { useRecordChanges } from '../../client/record-change.ts';
import { domain, mayHandle } from '../../client/session.ts';
import { Ago } from '../../component/age.tsx';
import { EmptyState } from '../../component/empty-state.tsx';
import { List } from '../../component/list/list.tsx';
import type { ListColumn, ListFilter } from '../../component/list/list-column.ts';
import { type ListState, momentsOf } from '../../component/list/list-state.ts';
import { useListAddress } from '../../component/list/use-list-address.ts';
import { ObjectLink } from '../../component/object-link.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { offset } from '../../component/trace/lane.ts';
import { Unsearched, useSearched } from '../../component/trace/unsearched.tsx';
import { type Entry, KINDS, whoOf } from '../record/record-words.ts';

const MONTH_MS = 30 * 86_400_000;

/** Every session with a recording, the newest first. */
export function RecordingListPage() {
  const { t } = useLingui();
  useRecordChanges(domain.value);
  const filters = useFilters();
  const { state } = useListAddress(filters.map(({ name }) => name));
  const [search, searched] = useSearched();
  const isSearched = state.filters.transcript !== undefined;
  return (
    <>
      <header className="page">
        <h1>
          <Trans>Recordings</Trans>
        </h1>
        <p className="dim flat">
          <Trans>
            Sessions with a recording; without a time those of the last 30 days. A recording is fetched from
            where it lies when you listen.
          </Trans>
        </p>
      </header>
      <Unsearched search={search} isAsked={isSearched} />
      <List
        id="recording"
        name={t`Recordings`}
        columns={useColumns()}
        filters={filters}
        hasTime
        read={async (shown, token) => searched(await readPage(shown, token))}
        keyOf={({ recordId }) => recordId}
        linkOf={({ recordId }) => ({ page: 'recording', rest: recordId })}
        // Each search in transcripts stands in the audit log: it is made when a person asks, and not with each new record.
        topics={isSearched ? [] : ['record']}
        empty={
          <EmptyState
            title={t`No recording in the last 30 days`}
            action={
              <PageLink page="recording-service" className="button">
                <Trans>Recording services</Trans>
              </PageLink>
            }
            command={
              'echo \'{"auditRecording": true}\' > audit.json && npx carillon receiver edit DOMAIN NAME audit.json'
            }
          >
            <Trans>
              A session is recorded when its alarm receiver has audit recording, when a media service records
              the call, or when a recording service takes a copy of it (SIPREC).
            </Trans>
          </EmptyState>
        }
      />
    </>
  );
}

function useColumns(): readonly ListColumn<Entry>[] {
  const { t } = useLingui();
  const long = (ms: number | undefined): string => (ms === undefined ? '' : offset(ms));
  return [
    {
      ...{ id: 'at', title: t`Time`, width: 148 },
      cell: ({ at, estimated }) => <Ago at={at} estimated={estimated === true} />,
      text: ({ at }) => new Date(at).toISOString(),
    },
    {
      ...{ id: 'who', title: t`Device or caller`, minWidth: 150 },
      cell: (row) => (
        <PageLink page="recording" rest={row.recordId}>
          {whoOf(row) || row.recordId}
        </PageLink>
      ),
      text: whoOf,
    },
    {
      ...{ id: 'kind', title: t`Kind`, width: 180 },
      cell: ({ kind }) => t(KINDS[kind]),
      text: ({ kind }) => t(KINDS[kind]),
    },
    {
      ...{ id: 'receiver', title: t`Receiver`, minWidth: 140 },
      cell: ({ receiverName, receiver, to }) => receiverName ?? receiver ?? to,
      text: ({ receiverName, receiver, to }) => receiverName ?? receiver ?? to ?? '',
    },
    {
      ...{ id: 'duration', title: t`Duration`, width: 100 },
      cell: ({ durationMs }) => long(durationMs),
      text: ({ durationMs }) => String(durationMs ?? ''),
    },
    {
      ...{ id: 'site', title: t`Site`, width: 130 },
      cell: ({ siteId }) => <ObjectLink kind="site" id={siteId} />,
      text: ({ siteId }) => siteId,
    },
    {
      ...{ id: 'files', title: t`Files`, minWidth: 200 },
      cell: ({ recordings = [] }) => <span className="dim">{recordings.join(', ')}</span>,
      text: ({ recordings = [] }) => recordings.join(' '),
    },
  ];
}

function useFilters(): readonly ListFilter[] {
  const { t } = useLingui();
  return [
    {
      ...{ name: 'kind', title: t`Kind` },
      choices: (Object.keys(KINDS) as Entry['kind'][])
        .filter((kind) => kind !== 'attempt' && kind !== 'message')
        .map((value) => ({ value, title: t(KINDS[value]) })),
    },
    { name: 'text', title: t`Any field`, placeholder: t`Part of any field` },
    ...(mayHandle.value
      ? [{ name: 'transcript', title: t`Transcript`, placeholder: t`Words that were said` }]
      : []),
    { name: 'deviceId', title: t`Device`, placeholder: t`Begin of the id` },
    { name: 'number', title: t`Number`, placeholder: '+4670' },
    { name: 'siteId', title: t`Site` },
  ];
}

async function readPage(state: ListState, nextToken: string | undefined) {
  const now = serverNow();
  const { from, to } = momentsOf(state, now);
  const begin = from ?? (to ?? now) - MONTH_MS;
  const answer = await api.call('getRecordByDomain', {
    ...(state.filters as Readonly<Record<string, never>>),
    ...{ domain: domain.value, recording: 'true', limit: '100', from: String(begin) },
    ...(to === undefined ? {} : { to: String(to) }),
    ...(nextToken === undefined ? {} : { nextToken }),
  });
  if (!answer.ok) return answer;
  const { records: items, nextToken: next, hosts, cut } = answer.value;
  return { ok: true as const, value: { items, nextToken: next, hosts, cut } };
}
