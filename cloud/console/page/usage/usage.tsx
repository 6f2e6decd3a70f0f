import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useMemo } from 'react';
import './usage.css';
import { api } from '../../client/api.ts';
import { serverNow } from '../../client/clock.ts';
import { useLive } from '../../client/live.ts';
import { useSearchState } from '../../client/route.ts';
import { domain } from '../../client/session.ts';
import { largest, SERIES_COLOURS, type Series } from '../../component/chart/series.ts';
import { TimeChart } from '../../component/chart/time-chart.tsx';
import { EmptyState } from '../../component/empty-state.tsx';
import { Freshness } from '../../component/freshness.tsx';
import { Stale } from '../../component/notice.tsx';
import { saveFile } from '../../component/save-file.ts';
import { DAY } from '../../component/wording/figure.ts';
import { protocolName } from '../../component/wording/protocol-name.ts';
import {
  alarmSeries,
  alarmsOf,
  beginOf,
  isUnused,
  SPANS,
  type UsageEntry,
  type UsageSpan,
  usageAsCsv,
} from './usage-series.ts';
import { UsageTable } from './usage-table.tsx';

const STEP_MS = 60_000;
const MONTH = { month: 'short', year: 'numeric' } as const;
const COMPACT = { notation: 'compact', maximumFractionDigits: 1 } as const;

/** How much the tenant used, by day or by month. */
export function UsagePage() {
  const { t } = useLingui();
  const [search, change] = useSearchState();
  const span: UsageSpan = Object.hasOwn(SPANS, search.span ?? '') ? (search.span as UsageSpan) : 'year';
  const live = useLive(() => readUsage(span), [domain.value, span], STEP_MS);
  const { value: entries, failure, at } = live;
  const names: Readonly<Record<UsageSpan, string>> = {
    days: t`31 days`,
    year: t`12 months`,
    years: t`3 years`,
  };
  return (
    <>
      <header className="page">
        <h1>
          <Trans>Usage</Trans>
        </h1>
        <p className="dim flat">
          <Trans>
            Counts of all hosts, by {SPANS[span].interval === 'day' ? t`day` : t`month`} of UTC. Hosts report
            at least once an hour.
          </Trans>
        </p>
        <fieldset className="choice" aria-label={t`Time span`}>
          {(Object.keys(SPANS) as UsageSpan[]).map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === span}
              onClick={() => change({ span: each })}
            >
              {names[each]}
            </button>
          ))}
        </fieldset>
        {at > 0 && <Freshness at={at} isLive={false} />}
        {entries !== undefined && !isUnused(entries) && (
          <button
            type="button"
            className="plain"
            onClick={() => saveFile(usageAsCsv(entries), `usage-${domain.value}-${span}.csv`)}
          >
            <Trans>Export</Trans>
          </button>
        )}
      </header>
      <Stale failure={failure} at={at} />
      {entries !== undefined &&
        (isUnused(entries) ? (
          <EmptyState
            title={t`Nothing used in this time`}
            command="npx carillon simulate scaip --to HOST:5060"
          >
            <Trans>
              Calls, minutes, alarms, recordings and callbacks are counted here as hosts report them, which
              takes up to an hour. Choose a longer time, or let a simulated device send an alarm:
            </Trans>
          </EmptyState>
        ) : (
          <Charts entries={entries} span={span} />
        ))}
    </>
  );
}

function Charts({ entries, span }: { readonly entries: readonly UsageEntry[]; readonly span: UsageSpan }) {
  const { t, i18n } = useLingui();
  const isDays = SPANS[span].interval === 'day';
  // biome-ignore lint/correctness/useExhaustiveDependencies: i18n stays the same object in another language
  const { timeText, numberText, times } = useMemo(() => {
    const time = { timeZone: 'UTC', ...(isDays ? DAY : MONTH) } as const;
    return {
      timeText: (ms: number) => i18n.date(ms, time),
      numberText: (value: number) => i18n.number(value, COMPACT),
      times: entries.map(({ from }) => from),
    };
  }, [entries, i18n, i18n.locale, isDays]);
  const results: Readonly<Record<string, string>> = {
    handled: t`taken by the application or receiver`,
    emergency: t`people were to speak`,
    dropped: t`dropped by the event map`,
    failed: t`failed`,
  };
  const others = t`others`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: words change with the language alone
  const groups = useMemo(
    () => ({
      protocols: largest(
        alarmSeries(entries, 'protocol', (word) => protocolName(word) || '–'),
        SERIES_COLOURS,
        others,
      ),
      results: largest(
        alarmSeries(entries, 'result', (word) => results[word] ?? word),
        SERIES_COLOURS,
        others,
      ),
      calls: single(t`Calls`, entries, ({ calls }) => calls),
      minutes: single(t`Minutes`, entries, ({ minutes }) => minutes),
      recordings: single(t`Recordings`, entries, ({ recordings }) => recordings),
      callbacks: single(t`Callbacks`, entries, ({ callbacks }) => callbacks),
    }),
    [entries, i18n.locale],
  );
  const shared = { times, timeText, numberText };
  const sum = (of: (entry: UsageEntry) => number): number =>
    entries.reduce((total, entry) => total + of(entry), 0);
  const alarms = i18n.number(sum(alarmsOf));
  const figures = {
    calls: i18n.number(sum(({ calls }) => calls)),
    minutes: i18n.number(Math.round(10 * sum(({ minutes }) => minutes)) / 10),
    recordings: i18n.number(sum(({ recordings }) => recordings)),
    callbacks: i18n.number(sum(({ callbacks }) => callbacks)),
  };
  return (
    <>
      <div className="usage-charts">
        <Part title={t`Alarms by protocol`} figure={alarms}>
          <TimeChart {...shared} series={groups.protocols} label={t`Alarms by protocol: ${alarms} in all`} />
        </Part>
        <Part title={t`Alarms by result`} figure={alarms}>
          <TimeChart {...shared} series={groups.results} label={t`Alarms by result: ${alarms} in all`} />
        </Part>
        <Part title={t`Calls`} figure={figures.calls}>
          <TimeChart {...shared} series={groups.calls} label={t`Calls: ${figures.calls} in all`} />
        </Part>
        <Part title={t`Minutes of calls`} figure={figures.minutes}>
          <TimeChart
            {...shared}
            series={groups.minutes}
            label={t`Minutes of calls: ${figures.minutes} in all`}
          />
        </Part>
        <Part title={t`Recordings`} figure={figures.recordings}>
          <TimeChart
            {...shared}
            series={groups.recordings}
            label={t`Recordings: ${figures.recordings} in all`}
          />
        </Part>
        <Part title={t`Callbacks`} figure={figures.callbacks}>
          <TimeChart
            {...shared}
            series={groups.callbacks}
            label={t`Callbacks: ${figures.callbacks} in all`}
          />
        </Part>
      </div>
      <UsageTable entries={entries} timeText={timeText} />
    </>
  );
}

const single = (
  name: string,
  entries: readonly UsageEntry[],
  of: (entry: UsageEntry) => number,
): readonly Series[] => [{ name, values: entries.map(of) }];

function Part(props: { readonly title: string; readonly figure: string; readonly children: ReactNode }) {
  return (
    <section>
      <h2>
        {props.title} <span className="usage-figure">{props.figure}</span>
      </h2>
      {props.children}
    </section>
  );
}

/** Every interval of the span; the API answers page by page. */
async function readUsage(span: UsageSpan) {
  const asked = {
    domain: domain.value,
    from: String(beginOf(span, serverNow())),
    interval: SPANS[span].interval,
    limit: '100',
  } as const;
  const entries: UsageEntry[] = [];
  let nextToken: string | undefined;
  do {
    const answer = await api.call('getProvisioningUsage', {
      ...asked,
      ...(nextToken === undefined ? {} : { nextToken }),
    });
    if (!answer.ok) return answer;
    entries.push(...answer.value.entries);
    nextToken = answer.value.nextToken;
  } while (nextToken !== undefined);
  return { ok: true as const, value: entries };
}
