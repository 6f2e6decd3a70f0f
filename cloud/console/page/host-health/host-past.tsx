import { Trans, useLingui } from '@lingui/react/macro';
import { api } from '../../client/api.ts';
import { serverNow } from '../../client/clock.ts';
import type { HostPath } from '../../client/host-detail.ts';
import { useLive } from '../../client/live.ts';
import { linkTo } from '../../client/route.ts';
import { Ago, span } from '../../component/age.tsx';
import { Badge } from '../../component/badge.tsx';
import { CardTable } from '../../component/card-table.tsx';
import { EmptyState } from '../../component/empty-state.tsx';
import { Stale } from '../../component/notice.tsx';
import { ObjectLink } from '../../component/object-link.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { causeOf, causeWords, stateWords } from '../../component/wording/incident-words.ts';
import { KINDS } from '../record/record-words.ts';
import { ResultBadge } from '../record/result-badge.tsx';

const STEP_MS = 15_000;
const SHOWN = 10;
/** The API lists incidents of the tenant: so many of them are looked through for those of this host. */
const PAGES = 5;

/** Incidents of this host, open ones first. */
export function Incidents({ path }: { readonly path: HostPath }) {
  const { t } = useLingui();
  const live = useLive(() => readIncidents(path), [path.domain, path.siteId, path.hostId], STEP_MS, [
    'alarm',
  ]);
  const { value: incidents, failure, at } = live;
  return (
    <section>
      <h2>
        <Trans>Incidents</Trans>
      </h2>
      <Stale failure={failure} at={at} />
      {incidents?.length === 0 && (
        <p className="dim none">
          <Trans>
            None is known of this host. An outage, a failing service or a full disk raises one by itself.
          </Trans>
        </p>
      )}
      {incidents !== undefined && incidents.length > 0 && (
        <CardTable columns={[t`Incident`, t`State`, t`Since`]}>
          <tbody>
            {incidents.slice(0, SHOWN).map((incident) => (
              <tr key={incident.alarmId}>
                <td>
                  <PageLink page="alarm" rest={incident.alarmId}>
                    {t(causeWords(causeOf(incident)))}
                  </PageLink>
                </td>
                <td>
                  <Badge word={incident.status} text={t(stateWords(incident.status))} />
                </td>
                <td>
                  <Ago at={incident.raisedAt} />
                  {incident.clearedAt !== undefined && (
                    <div className="dim">
                      <Trans>lasted {span(incident.clearedAt - incident.raisedAt)}</Trans>
                    </div>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </CardTable>
      )}
    </section>
  );
}

const WEIGHT = { active: 0, acknowledged: 1, cleared: 2 } as const;

async function readIncidents({ domain, siteId, hostId }: HostPath) {
  const found = [];
  for (const status of ['active', 'acknowledged', 'cleared'] as const) {
    let nextToken: string | undefined;
    for (let page = 0; page < PAGES; page++) {
      const answer = await api.call('getSiteByDomainAlarm', {
        ...{ domain, status, limit: '100' },
        ...(nextToken === undefined ? {} : { nextToken }),
      });
      if (!answer.ok) return answer;
      found.push(...answer.value.alarms.filter((each) => each.siteId === siteId && each.hostId === hostId));
      ({ nextToken } = answer.value);
      if (nextToken === undefined) break;
    }
  }
  const value = found.toSorted((a, b) => WEIGHT[a.status] - WEIGHT[b.status] || b.raisedAt - a.raisedAt);
  return { ok: true as const, value };
}

/** The last alarms and calls that this host carried; each has its trace and its capture. */
export function Records({ path }: { readonly path: HostPath }) {
  const { t } = useLingui();
  const { domain, siteId, hostId } = path;
  const live = useLive(
    () =>
      api.call('getRecordByDomain', {
        ...{ domain, siteId, hostId, limit: String(SHOWN), from: String(serverNow() - 30 * 86_400_000) },
      }),
    [domain, siteId, hostId],
    STEP_MS,
    ['record'],
  );
  const { value, failure, at } = live;
  const all = `${linkTo('record')}?${new URLSearchParams({ siteId, hostId, span: 'month' }).toString()}`;
  return (
    <section>
      <header>
        <h2>
          <Trans>Last alarms and calls</Trans>
        </h2>
        <a href={all}>
          <Trans>All of 30 days</Trans>
        </a>
      </header>
      <Stale failure={failure} at={at} />
      {value?.records.length === 0 && (
        <EmptyState
          title={t`No alarm or call in 30 days`}
          command="npx carillon simulate scaip --to HOST:5060"
        >
          <Trans>
            The host reports each alarm and each call that it carries, with its trace and the messages. Send a
            simulated alarm to it:
          </Trans>
        </EmptyState>
      )}
      {value !== undefined && value.records.length > 0 && (
        <CardTable columns={[t`Time`, t`Kind`, t`Result`, t`Device`]}>
          <tbody>
            {value.records.map((row) => (
              <tr key={row.recordId}>
                <td>
                  <PageLink page="record" rest={row.recordId}>
                    <Ago at={row.at} estimated={row.estimated === true} />
                  </PageLink>
                </td>
                <td>{t(KINDS[row.kind])}</td>
                <td>
                  <ResultBadge result={row.result} />
                </td>
                <td>
                  {row.deviceId === undefined ? row.from : <ObjectLink kind="device" id={row.deviceId} />}
                </td>
              </tr>
            ))}
          </tbody>
        </CardTable>
      )}
    </section>
  );
}
