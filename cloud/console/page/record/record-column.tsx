import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import { type ReactNode, useMemo } from 'react';
import { Ago } from '../../component/age.tsx';
import type { ListColumn } from '../../component/list/list-column.ts';
import { ObjectLink } from '../../component/object-link.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { reasonText } from '../../component/step/reason-words.ts';
import { offset } from '../../component/trace/lane.ts';
import { eventWord } from '../../component/wording/event-words.ts';
import { protocolName } from '../../component/wording/protocol-name.ts';
import { type Entry, KINDS, RESULTS, whoOf } from './record-words.ts';
import { resultBadge } from './result-badge.tsx';

/** The columns of the list of records. */
export function useRecordColumns(): readonly ListColumn<Entry>[] {
  const { t } = useLingui();
  // The same columns as long as the language is the same: rows that have been drawn are kept for them.
  return useMemo(() => {
    const plain = (
      id: string,
      title: string,
      of: (row: Entry) => string | undefined,
      more: Partial<ListColumn<Entry>> = {},
    ): ListColumn<Entry> => ({ id, title, cell: of, text: (row) => of(row) ?? '', ...more });
    const long = (ms: number | undefined): string | undefined => (ms === undefined ? undefined : offset(ms));
    const columns: ListColumn<Entry>[] = [
      {
        ...{ id: 'at', title: t`Time`, width: 148 },
        cell: ({ at, estimated }) => <Ago at={at} estimated={estimated === true} />,
        text: ({ at }) => new Date(at).toISOString(),
      },
      {
        ...{ id: 'result', title: t`Result`, width: '3fr', minWidth: 200, isLong: true },
        cell: (row) => endOf(row, t),
        text: ({ result }) => t(RESULTS[result]),
      },
      {
        ...{ id: 'kind', title: t`Kind`, width: '2fr', minWidth: 200 },
        cell: (row) => whatOf(row, t),
        text: ({ kind, statusCode }) => [t(KINDS[kind]), statusCode].filter(Boolean).join(': '),
      },
      plain('who', t`Device or caller`, whoOf, {
        minWidth: 160,
        cell: (row) => (
          <PageLink page="record" rest={row.recordId}>
            {whoOf(row)}
          </PageLink>
        ),
      }),
      plain('receiver', t`Receiver`, ({ receiverName, receiver, to }) => receiverName ?? receiver ?? to, {
        minWidth: 140,
      }),
      plain('site', t`Site`, ({ siteId }) => siteId, {
        width: 130,
        cell: ({ siteId }) => <ObjectLink kind="site" id={siteId} />,
      }),
      plain('duration', t`Duration`, ({ durationMs }) => long(durationMs), { width: 100 }),
      plain('protocol', t`Protocol`, ({ protocol }) => protocol && protocolName(protocol), { isExtra: true }),
      plain('from', t`Caller`, ({ from }) => from, { isExtra: true }),
      plain('to', t`Called`, ({ to }) => to, { isExtra: true }),
      plain('accepted', t`Accepted by`, ({ acceptedBy }) => acceptedBy, { isExtra: true, minWidth: 160 }),
      plain('speech', t`Speech`, ({ speechMs }) => long(speechMs), { isExtra: true }),
      plain('host', t`Host`, ({ hostId }) => hostId, {
        isExtra: true,
        cell: ({ siteId, hostId }) => <ObjectLink kind="host" id={`${siteId}/${hostId}`} />,
      }),
      plain('reason', t`Reason`, ({ reason }) => reason && reasonText(reason, t), {
        isExtra: true,
        minWidth: 220,
      }),
      plain('trace', t`Trace id`, ({ traceId }) => traceId, { isExtra: true, minWidth: 300 }),
    ];
    return columns.map((column) => ({ ...column, isPlain: true }));
  }, [t]);
}

type Say = (sentence: MessageDescriptor) => string;

/*
 * Elements of a cell come from functions, and few of them: each component of a row is one for every row that a scroll brings in sight.
 */

/** The result of a session, with its reason where it did not go well. */
function endOf({ result, reason }: Entry, say: Say): ReactNode {
  const words = result === 'done' || reason === undefined ? undefined : reasonText(reason, say);
  return (
    <>
      {resultBadge(result, say)}
      {words !== undefined && (
        <span className="dim" title={words}>
          {words}
        </span>
      )}
    </>
  );
}

/** The kind of a session, with the status of its event. */
function whatOf({ kind, statusCode, eventType, attempts }: Entry, say: Say): ReactNode {
  const words = [statusCode, eventType].flatMap((word) => (word === undefined ? [] : eventWord(word, say)));
  const tries = attempts === undefined ? [] : [`× ${attempts}`];
  const more = [...tries, words.join(', ')].filter(Boolean).join(' ');
  return (
    <>
      <strong>{say(KINDS[kind])}</strong>
      {more !== '' && <span className="dim">{more}</span>}
    </>
  );
}
