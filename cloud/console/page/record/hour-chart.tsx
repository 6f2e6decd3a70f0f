import { Trans, useLingui } from '@lingui/react/macro';
import { memo, useCallback, useMemo, useRef } from 'react';
import { api } from '../../client/api.ts';
import { serverNow } from '../../client/clock.ts';
import { useLive } from '../../client/live.ts';
import { domain } from '../../client/session.ts';
import { type HourBar, hourBars } from '../../component/trace/hour-bar.ts';

const STEP_MS = 30_000;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const HEIGHT = 56;
/** Share of an hour that stays free on either side of its bar. */
const GAP = 0.08;
const SHORT = { dateStyle: 'short', timeStyle: 'short' } as const;

/** Sessions of each hour; a press shows this hour alone. Times are epoch ms as text, as the API wants them. */
export function HourChart(props: {
  readonly siteId: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly choose: (from: number, to: number) => void;
}) {
  const { siteId, from, to, choose } = props;
  const { i18n } = useLingui();
  const begin = from ?? String(Number(to ?? serverNow()) - DAY_MS);
  const { value } = useLive(
    () =>
      api.call('getRecordByDomainCount', {
        ...{ domain: domain.value, from: begin },
        ...(siteId === undefined ? {} : { siteId }),
        ...(to === undefined ? {} : { to }),
      }),
    [domain.value, siteId, Math.floor(Number(begin) / HOUR_MS), to],
    STEP_MS,
    ['record'],
  );
  const now = serverNow();
  const end = Number(to ?? now);
  const [beginHour, endHour] = [Number(begin), end].map((ms) => Math.floor(ms / HOUR_MS)) as [number, number];
  // biome-ignore lint/correctness/useExhaustiveDependencies: the range moves with each second, and its bars with each hour
  const bars = useMemo(
    () => (value === undefined ? [] : hourBars(value.counts, Number(begin), end)),
    [value, beginHour, endHour],
  );
  const chosen = useRef(choose);
  chosen.current = choose;
  const press = useCallback((hour: number) => chosen.current(hour, hour + HOUR_MS), []);
  if (value === undefined) return <div className="hour-chart" aria-hidden="true" />;
  const all = bars.reduce((sum, { good }) => sum + good, 0);
  const bad = bars.reduce((sum, each) => sum + each.bad, 0);
  return (
    <figure className="hour-chart">
      <figcaption className="dim">
        <Trans>Sessions per hour</Trans> · <span className="hour-good">●</span>{' '}
        <Trans>{i18n.number(all)} well</Trans> · <span className="hour-bad">■</span>{' '}
        <Trans>{i18n.number(bad)} refused, not answered or failed</Trans>
      </figcaption>
      <Bars bars={bars} press={press} />
      <div className="hour-ends dim" aria-hidden="true">
        <span>{i18n.date(bars[0]?.hour ?? end, SHORT)}</span>
        <span>{i18n.date((bars.at(-1)?.hour ?? 0) + HOUR_MS, SHORT)}</span>
      </div>
    </figure>
  );
}

/**
 * A button for each hour, and one drawing with all bars: seven hundred small drawings cost each step of a scroll of the list
 * below them as much as the list itself.
 */
const Bars = memo(function Bars(props: {
  readonly bars: readonly HourBar[];
  readonly press: (hour: number) => void;
}) {
  const { bars, press } = props;
  const { t, i18n } = useLingui();
  const title = ({ hour, good, bad: failed }: HourBar): string =>
    t`${i18n.date(hour, SHORT)}: ${good} well, ${failed} not`;
  return (
    <div className="hour-bars">
      {bars.map((bar) => (
        <button
          key={bar.hour}
          type="button"
          aria-label={title(bar)}
          title={title(bar)}
          disabled={bar.good + bar.bad === 0}
          onClick={() => press(bar.hour)}
        />
      ))}
      <svg aria-hidden="true" preserveAspectRatio="none" viewBox={`0 0 ${bars.length} ${HEIGHT}`}>
        <path className="bad" d={columns(bars, ({ badShare }) => [0, badShare])} />
        <path className="good" d={columns(bars, ({ badShare, goodShare }) => [badShare, goodShare])} />
      </svg>
    </div>
  );
});

/** A column for each bar as one path: where it begins above the line, and its height, as shares. */
const columns = (bars: readonly HourBar[], of: (bar: HourBar) => readonly [number, number]): string =>
  bars
    .map((bar, index) => {
      const [from, height] = of(bar);
      return height === 0
        ? ''
        : `M${index + GAP} ${HEIGHT * (1 - from)}v${-HEIGHT * height}H${index + 1 - GAP}V${HEIGHT * (1 - from)}Z`;
    })
    .join('');
