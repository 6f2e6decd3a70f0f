import './call-queue.css';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { useName } from '../../client/name.ts';
import { useSearchState } from '../../client/route.ts';
import { domain } from '../../client/session.ts';
import { Badge } from '../../component/badge.tsx';
import { CardTable } from '../../component/card-table.tsx';
import { EmptyState } from '../../component/empty-state.tsx';
import { Freshness } from '../../component/freshness.tsx';
import { Stale } from '../../component/notice.tsx';
import { ObjectLink } from '../../component/object-link.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { percent } from '../../component/wording/figure.ts';
import { type CallQueue, lengthText, servicesOf, shareOf } from './queue-figure.ts';

/** Callers do not wait for a reload. */
const STEP_MS = 2_000;

/** The queues of media services: who waits, how long, and who may take the next caller. */
export function CallQueuePage() {
  const { t } = useLingui();
  const [search, setSearch] = useSearchState();
  const live = useLive(
    () => api.call('getMediaserviceByDomainQueue', { domain: domain.value }),
    [domain.value],
    STEP_MS,
  );
  const { value, at, failure } = live;
  const services = servicesOf(value?.queues ?? []);
  const chosen = search.service ?? '';
  // In the order of the API, which is that of their names: nothing moves under the pointer.
  const queues = (value?.queues ?? []).filter(
    ({ mediaserviceId }) => chosen === '' || mediaserviceId === chosen,
  );
  return (
    <>
      <header className="page">
        <h1>
          <Trans>Call queues</Trans>
        </h1>
        {at > 0 && <Freshness at={at} isLive={false} />}
      </header>
      <Stale failure={failure} at={at} />
      {value?.missingHosts !== undefined && (
        <p className="notice">
          <Trans>
            Without the queues of these hosts, which did not answer: {value.missingHosts.join(', ')}.
          </Trans>
        </p>
      )}
      {(services.length > 1 || chosen !== '') && (
        <nav className="queue-services" aria-label={t`Media service`}>
          <button
            type="button"
            className="plain"
            aria-pressed={chosen === ''}
            onClick={() => setSearch({ service: undefined })}
          >
            <Trans>All media services</Trans>
          </button>
          {services.map((id) => (
            <Service key={id} id={id} isChosen={chosen === id} choose={() => setSearch({ service: id })} />
          ))}
        </nav>
      )}
      {value !== undefined && queues.length === 0 && <NoQueue />}
      {queues.map((each) => (
        <Queue key={`${each.mediaserviceId} ${each.siteId} ${each.hostId} ${each.queue}`} queue={each} />
      ))}
    </>
  );
}

function Service(props: { readonly id: string; readonly isChosen: boolean; readonly choose: () => void }) {
  const { id, isChosen, choose } = props;
  const name = useName('mediaService', id);
  return (
    <button type="button" className="plain" aria-pressed={isChosen} onClick={choose}>
      {name ?? id}
    </button>
  );
}

function Queue({ queue }: { readonly queue: CallQueue }) {
  const { t } = useLingui();
  const { mediaserviceId, siteId, hostId, waiting, alarmsWaiting, longestWait, entered, agents } = queue;
  const { answered, abandoned, overflowed, meanWait, meanService } = queue;
  const free = agents.filter(({ state }) => state === 'free').length;
  return (
    <section className="call-queue" aria-label={queue.queue}>
      <header>
        <h2>{queue.queue}</h2>
        <p className="dim flat">
          <ObjectLink kind="mediaService" id={mediaserviceId} /> ·{' '}
          <ObjectLink kind="host" id={`${siteId}/${hostId}`} />
        </p>
      </header>
      <dl className="queue-figures">
        <Figure name={t`Waiting`} value={waiting} tone={waiting > 0 ? 'is-high' : ''}>
          {alarmsWaiting > 0 && t`${alarmsWaiting} of them alarms`}
        </Figure>
        <Figure name={t`Longest wait`} value={lengthText(longestWait)} />
        <Figure name={t`Answered`} value={answered} share={shareOf(answered, queue)} />
        <Figure name={t`Abandoned`} value={abandoned} share={shareOf(abandoned, queue)} />
        <Figure name={t`Not served`} value={overflowed} share={shareOf(overflowed, queue)} />
        <Figure name={t`Callers so far`} value={entered} />
        <Figure name={t`Mean wait`} value={lengthText(meanWait)} />
        <Figure name={t`Mean conversation`} value={lengthText(meanService)} />
        <Figure name={t`Agents free`} value={t`${free} of ${agents.length}`} />
      </dl>
      <CardTable className="agents" columns={[t`Agent`, t`State`, t`For`]}>
        <tbody>
          {agents.map((each) => (
            <Agent key={each.agent} agent={each} />
          ))}
        </tbody>
      </CardTable>
    </section>
  );
}

function Figure(props: {
  readonly name: string;
  readonly value: number | string;
  readonly tone?: string;
  /** Share of all callers that have left the queue, percent. */
  readonly share?: number | undefined;
  readonly children?: ReactNode;
}) {
  const { name, value, tone = '', share, children } = props;
  const { i18n } = useLingui();
  return (
    <div className={tone}>
      <dt>{name}</dt>
      <dd>
        <span className="number">{typeof value === 'number' ? i18n.number(value) : value}</span>
        {share !== undefined && <span className="dim"> {percent(share / 100, 0)}</span>}
        {children !== false && children !== undefined && <div className="dim">{children}</div>}
      </dd>
    </div>
  );
}

/** The word of each state, and the state of a badge that looks alike. */
const STATES: Readonly<Record<CallQueue['agents'][number]['state'], readonly [string, MessageDescriptor]>> = {
  free: ['done', msg`free`],
  ringing: ['pending', msg`rings`],
  talking: ['running', msg`in a conversation`],
  wrapUp: ['pending', msg`pause after a conversation`],
  busy: ['warning', msg`in another call`],
  away: ['warning', msg`was not reached; is called again later`],
};

function Agent({ agent: { agent, state, since } }: { readonly agent: CallQueue['agents'][number] }) {
  const { t } = useLingui();
  const [word, text] = STATES[state];
  return (
    <tr>
      <td>{agent}</td>
      <td>
        <Badge word={word} text={t(text)} />
      </td>
      <td className="number">{since === undefined ? '' : lengthText(since)}</td>
    </tr>
  );
}

function NoQueue() {
  const { t } = useLingui();
  return (
    <EmptyState
      title={t`No queue yet`}
      command={`curl -H "Authorization: Bearer $TOKEN" ${location.origin}/mediaservice/${domain.value}/queue`}
      action={
        <p>
          <PageLink page="media-service">
            <Trans>Set up a media service</Trans>
          </PageLink>
        </p>
      }
    >
      <Trans>
        A queue comes here with its first caller: when an application answers a call of a media service with
        the command enqueue. It counts from the start of its host.
      </Trans>
    </EmptyState>
  );
}
