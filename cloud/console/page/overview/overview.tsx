import './overview.css';
import { Trans, useLingui } from '@lingui/react/macro';
import { api } from '../../client/api.ts';
import { serverNow } from '../../client/clock.ts';
import { useLive } from '../../client/live.ts';
import { useSearchState } from '../../client/route.ts';
import { domain } from '../../client/session.ts';
import { Freshness } from '../../component/freshness.tsx';
import { Stale } from '../../component/notice.tsx';
import { FailingEndpoints, OpenIncidents } from './attention.tsx';
import { FirstRun } from './first-run.tsx';
import { HourChart } from './hour-chart.tsx';
import { hourly } from './hourly.ts';
import { NewestRecords } from './newest.tsx';
import { Tiles } from './tiles.tsx';

const STEP_MS = 5_000;
const CHART_STEP_MS = 10_000;
const HOUR_MS = 3_600_000;
const RANGES = { day: 24, week: 7 * 24 } as const;

/** Is everyone safe right now: one screen. */
export function OverviewPage() {
  // The numbers alone: the lists of ten thousand hosts take a slow line fifteen seconds.
  const live = useLive(
    () => api.call('getSiteByDomain', { domain: domain.value, counts: 'true' }),
    [domain.value],
    STEP_MS,
    ['host'],
    'counts of hosts',
  );
  const counts = live.value?.data.counts;
  const all = counts?.hosts.reduce((sum, { amount }) => sum + amount, 0) ?? 0;
  const online = counts?.hosts.find(({ status }) => status === 'online')?.amount ?? 0;
  return (
    <>
      <header className="page">
        <h1>
          <Trans>Overview</Trans>
        </h1>
        {live.at > 0 && <Freshness at={live.at} />}
      </header>
      <Stale failure={live.failure} at={live.at} />
      {live.value !== undefined && <FirstRun sites={counts?.sites ?? 0} online={online} />}
      <Tiles hosts={live.value === undefined ? undefined : { all, online }} />
      <Hours />
      <div className="two">
        <OpenIncidents />
        <FailingEndpoints />
      </div>
      <NewestRecords />
    </>
  );
}

/** Alarms and calls by hour; the range stands in the address. */
function Hours() {
  const { t } = useLingui();
  const [{ range: asked }, change] = useSearchState();
  const range = asked === 'week' ? 'week' : 'day';
  const live = useLive(
    () => readCounts(domain.value, serverNow() - RANGES[range] * HOUR_MS),
    [domain.value, range],
    CHART_STEP_MS,
    [],
    'hours',
  );
  const names = { day: t`24 hours`, week: t`7 days` } as const;
  return (
    <section>
      <header>
        <h2>
          <Trans>Alarms and calls per hour</Trans>
        </h2>
        <fieldset className="choice" aria-label={t`Range`}>
          {(['day', 'week'] as const).map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === range}
              onClick={() => change({ range: each === 'day' ? undefined : each })}
            >
              {names[each]}
            </button>
          ))}
        </fieldset>
      </header>
      <Stale failure={live.failure} at={live.at} />
      {live.value !== undefined && (
        <HourChart
          hours={hourly(live.value, RANGES[range], serverNow())}
          name={t`Alarms and calls per hour, ${names[range]}`}
        />
      )}
    </section>
  );
}

/** The counts of all hours from `from` on. */
async function readCounts(of: string, from: number) {
  const answer = await api.call('getRecordByDomainCount', { domain: of, from: String(from) });
  return answer.ok ? ({ ok: true, value: answer.value.counts } as const) : answer;
}
