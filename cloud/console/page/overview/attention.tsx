import { Trans, useLingui } from '@lingui/react/macro';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { domain } from '../../client/session.ts';
import { Ago } from '../../component/age.tsx';
import { Head } from '../../component/head.tsx';
import { Stale } from '../../component/notice.tsx';
import { ObjectLink } from '../../component/object-link.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { endpointName } from '../../component/wording/endpoint-words.ts';
import { causeOf, causeWords } from '../../component/wording/incident-words.ts';

const SHOWN = 8;
const INCIDENTS_STEP_MS = 5_000;
const DELIVERIES_STEP_MS = 20_000;

/** Incidents that no person has acknowledged yet. */
export function OpenIncidents() {
  const { i18n, t } = useLingui();
  const { value, failure, at } = useLive(
    () => api.call('getSiteByDomainAlarm', { domain: domain.value, status: 'active', limit: '100' }),
    [domain.value],
    INCIDENTS_STEP_MS,
    ['alarm'],
    'incidents',
  );
  const alarms = value?.alarms.toSorted((a, b) => b.raisedAt - a.raisedAt) ?? [];
  return (
    <section>
      <header>
        <h2>
          <Trans>Open incidents</Trans>
        </h2>
        <PageLink page="alarm">
          <Trans>All incidents</Trans>
        </PageLink>
      </header>
      <Stale failure={failure} at={at} />
      {value !== undefined && alarms.length === 0 && (
        <p className="dim none">
          <Trans>None. Hosts, services and the configuration are well.</Trans>
        </p>
      )}
      {alarms.length > 0 && (
        <table>
          <Head columns={[t`Incident`, t`Place`, t`Since`]} />
          <tbody>
            {alarms.slice(0, SHOWN).map(({ alarmId, error, errorDetails, siteId, hostId, raisedAt }) => (
              <tr key={alarmId}>
                <td>
                  <PageLink page="alarm" rest={alarmId}>
                    {i18n._(causeWords(causeOf({ error, errorDetails })))}
                  </PageLink>
                </td>
                <td>
                  {siteId !== '' && hostId === undefined && <ObjectLink kind="site" id={siteId} />}
                  {hostId !== undefined && <ObjectLink kind="host" id={`${siteId}/${hostId}`} />}
                </td>
                <td>
                  <Ago at={raisedAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {alarms.length > SHOWN && (
        <p className="dim">
          <Trans>{i18n.number(alarms.length - SHOWN)} more.</Trans>
        </p>
      )}
    </section>
  );
}

/** Endpoints with callbacks that wait or were given up. */
export function FailingEndpoints() {
  const { i18n, t } = useLingui();
  const { value, failure, at } = useLive(
    () => api.call('getDeliveryByDomain', { domain: domain.value }),
    [domain.value],
    DELIVERIES_STEP_MS,
    [],
    'deliveries',
  );
  const missing = value?.missingHosts.map(({ siteId, hostId }) => `${siteId} / ${hostId}`).join(', ');
  return (
    <section>
      <header>
        <h2>
          <Trans>Deliveries that fail</Trans>
        </h2>
        <PageLink page="delivery">
          <Trans>All deliveries</Trans>
        </PageLink>
      </header>
      <Stale failure={failure} at={at} />
      {value?.endpoints.length === 0 && (
        <p className="dim none">
          <Trans>None. Applications have accepted every callback.</Trans>
        </p>
      )}
      {value !== undefined && value.endpoints.length > 0 && (
        <table>
          <Head columns={[t`Endpoint`, t`Waiting`, t`Dead letters`]} />
          <tbody>
            {value.endpoints.map(({ endpoint, kind, id, name, url, waiting, dead }) => (
              <tr key={endpoint}>
                <td>
                  <PageLink page="delivery" rest={endpoint}>
                    {endpointName(name ?? url ?? endpoint, { kind, ...(id !== undefined && { id }) })}
                  </PageLink>
                </td>
                <td className="number">{i18n.number(waiting)}</td>
                <td className="number">{i18n.number(dead)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {missing !== undefined && missing !== '' && (
        <p className="dim">
          <Trans>Not counted, since they did not answer: {missing}.</Trans>
        </p>
      )}
    </section>
  );
}
