import { i18n } from '@lingui/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { useRest } from '../../client/route.ts';
import { domain } from '../../client/session.ts';
import { Ago } from '../../component/age.tsx';
import { Badge } from '../../component/badge.tsx';
import { CardTable } from '../../component/card-table.tsx';
import { More, usePages } from '../../component/more.tsx';
import { Empty, Stale } from '../../component/notice.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { MOMENT } from '../../component/wording/figure.ts';
import {
  rolesOf,
  roleWord,
  sightsOf,
  siteFaults,
  type Topology,
  type Turn,
  turnWords,
} from '../../component/wording/site-words.ts';
import { stateName } from '../../component/wording/state-words.ts';
import { Drawing } from './site-drawing.tsx';
import { Underway } from './site-operation.tsx';

const STEP_MS = 3_000;

/** One site: its hosts among each other, what they go through, and how the roles moved between them. */
export function SitePage() {
  const { t } = useLingui();
  const siteId = useRest();
  const live = useLive(
    () => api.call('getSiteByDomainBySiteIdTopology', { domain: domain.value, siteId }),
    [domain.value, siteId],
    STEP_MS,
    ['host', 'operation'],
  );
  const { value, at, failure } = live;
  const topology = value?.topology;
  return (
    <>
      <header className="page">
        <h1>{topology?.name ?? siteId}</h1>
        <p className="dim about">
          {siteId}
          {topology !== undefined && topology.epoch > 0 && ` · ${t`term ${topology.epoch}`}`}
          {at > 0 && (
            <>
              {' · '}
              <Trans>
                seen <Ago at={at} />
              </Trans>
            </>
          )}
        </p>
        <PageLink page="fleet">
          <Trans>All sites</Trans>
        </PageLink>
      </header>
      <Stale failure={failure} at={at} />
      {topology !== undefined && <Roles topology={topology} />}
      {topology !== undefined && (
        <>
          <Underway siteId={siteId} />
          <History siteId={siteId} hosts={topology.hosts.length} />
        </>
      )}
    </>
  );
}

function Roles({ topology }: { readonly topology: Topology }) {
  const { i18n, t } = useLingui();
  const { hosts, vip, leader } = topology;
  if (hosts.length === 0)
    return (
      <Empty>
        <h2>
          <Trans>No host yet</Trans>
        </h2>
        <p>
          <Trans>&quot;Add a host&quot; in the fleet makes a code by which a machine joins this site.</Trans>
        </p>
      </Empty>
    );
  return (
    <section aria-label={t`Hosts and their view of each other`}>
      {siteFaults(topology).map((fault) => (
        <p key={fault} className="notice bad" role="alert">
          {fault}
        </p>
      ))}
      <Drawing topology={topology} />
      <p>
        {hosts.length === 1
          ? t`The only host takes all alarms; no other host could take over.`
          : [
              vip.length === 0
                ? t`No address moves between the hosts: devices know each of them.`
                : vip.length === 1
                  ? t`${vip.join(', ')} holds the address of the site.`
                  : t`${vip.join(', ')} hold the address of the site.`,
              leader.length === 0
                ? t`No host leads.`
                : leader.length === 1
                  ? t`${leader.join(', ')} leads.`
                  : t`${leader.join(', ')} lead.`,
            ].join(' ')}
      </p>
      <CardTable
        className="nodes"
        columns={[t`Host`, t`State`, t`Has`, t`To the control plane`, t`Other hosts`]}
      >
        <tbody>
          {hosts.map((host) => (
            <tr key={host.hostId}>
              <td>
                <PageLink page="host" rest={`${topology.siteId}/${host.hostId}`}>
                  {host.hostId}
                </PageLink>
              </td>
              <td>
                <Badge word={host.status} />
              </td>
              <td>
                {rolesOf(topology, host).map((role) => (
                  <span key={role} className="label">
                    {roleWord(role)}
                  </span>
                ))}
              </td>
              <td>
                <Trans>
                  {i18n._(stateName(host.connectivity))} since <Ago at={host.connectivitySince} />
                </Trans>
              </td>
              <td>
                {Object.entries(host.peers).map(([other, word]) => (
                  <span key={other} className={word === 'ok' ? 'label' : 'label warn'}>
                    {word === 'ok' ? t`sees ${other}` : `${other} ${word}`}
                  </span>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </CardTable>
      <ul className="unseen">
        {sightsOf(hosts).map(({ from, to, words }) => (
          <li key={`${from} ${to}`}>{words}</li>
        ))}
      </ul>
    </section>
  );
}

const LOOK_MS = 10_000;

/** Read again when there is a newer change than those that are shown. */
function History({ siteId, hosts }: { readonly siteId: string; readonly hosts: number }) {
  const { t } = useLingui();
  const read = (limit: string, nextToken?: string) =>
    api.call('getSiteByDomainBySiteIdHistory', {
      domain: domain.value,
      siteId,
      limit,
      ...(nextToken === undefined ? {} : { nextToken }),
    });
  const newest = useLive(() => read('1'), [domain.value, siteId], LOOK_MS, ['host']);
  const newestId = newest.value?.turns[0]?.id;
  const paged = usePages(
    async (nextToken) => {
      const answer = await read('20', nextToken);
      if (!answer.ok) return answer;
      return { ok: true, value: { items: answer.value.turns, nextToken: answer.value.nextToken } };
    },
    [domain.value, siteId, newestId],
  );
  const { items, failure, loading } = paged;
  return (
    <section>
      <h2>
        <Trans>Role changes and their reasons</Trans>
      </h2>
      <Stale failure={failure} at={0} />
      {!loading && items.length === 0 && failure === undefined && (
        <p className="dim none">
          {hosts < 2
            ? t`A site with one host has nothing that could move.`
            : t`No role has moved since the hosts report it. This list shows each failover with its reason.`}
        </p>
      )}
      {items.length > 0 && (
        <CardTable className="history" columns={[t`When`, t`What`, t`Term`]}>
          <tbody>
            {items.map((turn) => (
              <Row key={turn.id} turn={turn} />
            ))}
          </tbody>
        </CardTable>
      )}
      <More paged={paged} />
    </section>
  );
}

const Row = ({ turn }: { readonly turn: Turn }) => (
  <tr>
    <td>
      <Ago at={turn.at} estimated={turn.estimated === true} />
      <div className="dim">{i18n.date(turn.at, MOMENT)}</div>
    </td>
    <td>
      {turnWords(turn)}{' '}
      {turn.late && (
        <span className="label warn">
          <Trans>reported late</Trans>
        </span>
      )}
    </td>
    <td className="number">{turn.epoch}</td>
  </tr>
);
