import './delivery.css';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Operations } from '#shared/client/index.ts';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { go, useRest } from '../../client/route.ts';
import { domain } from '../../client/session.ts';
import { useSteady } from '../../client/steady.ts';
import { Ago } from '../../component/age.tsx';
import { CardTable } from '../../component/card-table.tsx';
import { Dialog } from '../../component/dialog.tsx';
import { EmptyState } from '../../component/empty-state.tsx';
import { Freshness } from '../../component/freshness.tsx';
import { Stale } from '../../component/notice.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { endpointName } from '../../component/wording/endpoint-words.ts';
import { percent } from '../../component/wording/figure.ts';
import { adviceOf } from './delivery-words.ts';
import { EndpointPart } from './endpoint.tsx';
import { type EndpointRow, endpointRows, reasonsOf, successOf } from './endpoint-row.ts';

type Answer = Operations['getDeliveryByDomain']['answer'];

const STEP_MS = 10_000;

/** Callbacks by endpoint: how well each takes them, what waits, and what was given up. */
export function DeliveryPage() {
  const { t } = useLingui();
  const open = useRest();
  const stuck = useLive(
    () => api.call('getDeliveryByDomain', { domain: domain.value }),
    [domain.value],
    STEP_MS,
    [],
    'deliveries',
  );
  const figures = useLive(
    () => api.call('getRecordByDomainFigure', { domain: domain.value }),
    [domain.value],
    STEP_MS,
    [],
    'figures',
  );
  const isRead = stuck.value !== undefined && figures.value !== undefined;
  const found = endpointRows(stuck.value?.endpoints ?? [], figures.value?.figure.endpoints ?? []);
  const steady = useSteady(found, ({ endpoint }) => endpoint, domain.value);
  const row = found.find(({ endpoint }) => endpoint === open);
  return (
    <>
      <header className="page">
        <h1>
          <Trans>Deliveries</Trans>
        </h1>
        <p className="dim about">
          <Trans>
            Callbacks to your applications by endpoint: the last 24 hours, and what waits or was given up.
          </Trans>
        </p>
        {stuck.at > 0 && <Freshness at={stuck.at} isLive={false} />}
      </header>
      <Stale failure={stuck.failure} at={stuck.at} />
      <Stale failure={figures.failure} at={figures.at} />
      {stuck.value !== undefined && <NotCounted answer={stuck.value} />}
      {isRead && found.length === 0 && (
        <EmptyState
          title={t`No callback yet`}
          action={
            <PageLink page="bridge" className="button">
              <Trans>Alarm receivers</Trans>
            </PageLink>
          }
          command="carillon simulate scaip --to HOST:5060 --receiver scaip --device scaip-0001"
        >
          <Trans>
            A host tells an application of each alarm and call by a callback. No session of the last 24 hours
            had one, and none waits.
          </Trans>
        </EmptyState>
      )}
      {isRead && steady.rows.length > 0 && (
        <div {...steady.place}>
          <CardTable
            className="deliveries"
            columns={[t`Endpoint`, t`Success`, t`Latency`, t`Waiting`, t`Dead letters`, t`Cause and remedy`]}
          >
            <tbody>
              {steady.rows.map((each) => (
                <Row key={each.endpoint} row={each} />
              ))}
            </tbody>
          </CardTable>
        </div>
      )}
      {row !== undefined && (
        <Dialog title={endpointName(row.name, row.stuck)} onClose={() => go('delivery')}>
          <EndpointPart row={row} again={stuck.again} />
        </Dialog>
      )}
    </>
  );
}

function Row({ row }: { readonly row: EndpointRow }) {
  const { i18n, t } = useLingui();
  const { endpoint, name, url, stuck, figure } = row;
  const success = successOf(figure);
  const [worst] = reasonsOf(row);
  const { p50, p95 } = figure?.latency ?? {};
  return (
    <tr>
      <td>
        <PageLink page="delivery" rest={endpoint}>
          {endpointName(name, stuck)}
        </PageLink>
        {url !== undefined && <div className="dim">{url}</div>}
      </td>
      <td className="number">
        {success === undefined ? '–' : percent(success, 1)}
        {figure !== undefined && (
          <div className="dim">
            <Plural value={figure.sessions} one="of # session" other="of # sessions" />
          </div>
        )}
      </td>
      <td className="number">
        {p50 === undefined ? '–' : `${i18n.number(p50)} ms`}
        {p95 !== undefined && (
          <div className="dim">{t`${{ most: percent(0.95, 0) }} within ${i18n.number(p95)} ms`}</div>
        )}
      </td>
      <td className="number">
        {i18n.number(stuck?.waiting ?? 0)}
        {stuck?.oldestAt !== undefined && (
          <div className="dim">
            <Trans>
              the oldest <Ago at={stuck.oldestAt} />
            </Trans>
          </div>
        )}
      </td>
      <td className="number">{i18n.number(stuck?.dead ?? 0)}</td>
      <td>
        {worst !== undefined && (
          <>
            {i18n._(adviceOf(worst.reason))}
            <div className="dim">{worst.reason}</div>
          </>
        )}
      </td>
    </tr>
  );
}

/** Hosts whose callbacks are not in the figures, and why. */
function NotCounted({ answer }: { readonly answer: Answer }) {
  const names = (hosts: readonly { siteId: string; hostId: string }[]): string =>
    hosts.map(({ siteId, hostId }) => `${siteId} / ${hostId}`).join(', ');
  const missing = names(answer.missingHosts);
  const older = names(answer.olderHosts);
  return (
    <>
      {missing !== '' && (
        <p className="notice">
          <Trans>These hosts did not answer, and their callbacks are not counted: {missing}.</Trans>
        </p>
      )}
      {older !== '' && (
        <p className="notice">
          <Trans>These hosts list dead letters only. Upgrade them to see what waits: {older}.</Trans>
        </p>
      )}
      {answer.cut && (
        <p className="notice">
          <Trans>A host has more callbacks than were looked at. The real numbers are higher.</Trans>
        </p>
      )}
    </>
  );
}
