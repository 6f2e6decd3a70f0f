import { Trans, useLingui } from '@lingui/react/macro';
import { api } from '../../client/api.ts';
import { serverNow } from '../../client/clock.ts';
import { useLive } from '../../client/live.ts';
import { domain } from '../../client/session.ts';
import { type HourBar, hourBars } from '../../component/trace/hour-bar.ts';

const STEP_MS = 30_000;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const HEIGHT = 56;

/** Sessions of each hour; a press shows this hour alone. Times are epoch ms as text, as the API wants them. */
export function HourChart(props: {
  readonly siteId: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly choose: (from: number, to: number) => void;
}) {
  const { siteId, from, to, choose } = props;
  const { t, i18n } = useLingui();
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
  if (value === undefined) return <div className="hour-chart" aria-hidden="true" />;
  const bars = hourBars(value.counts, Number(begin), Number(to ?? serverNow()));
  const all = bars.reduce((sum, { good }) => sum + good, 0);
  const bad = bars.reduce((sum, each) => sum + each.bad, 0);
  const format = new Intl.DateTimeFormat(i18n.locale, { dateStyle: 'short', timeStyle: 'short' });
  const title = ({ hour, good, bad: failed }: HourBar): string =>
    t`${format.format(hour)}: ${good} well, ${failed} not`;
  return (
    <figure className="hour-chart">
      <figcaption className="dim">
        <Trans>Sessions per hour</Trans> · <span className="hour-good">●</span>{' '}
        <Trans>{all.toLocaleString(i18n.locale)} well</Trans> · <span className="hour-bad">■</span>{' '}
        <Trans>{bad.toLocaleString(i18n.locale)} refused, not answered or failed</Trans>
      </figcaption>
      <div className="hour-bars">
        {bars.map((bar) => (
          <button
            key={bar.hour}
            type="button"
            aria-label={title(bar)}
            title={title(bar)}
            disabled={bar.good + bar.bad === 0}
            onClick={() => choose(bar.hour, bar.hour + HOUR_MS)}
          >
            <svg aria-hidden="true" preserveAspectRatio="none" viewBox={`0 0 1 ${HEIGHT}`}>
              <rect
                className="bad"
                y={HEIGHT - bar.badShare * HEIGHT}
                width="1"
                height={bar.badShare * HEIGHT}
              />
              <rect
                className="good"
                y={HEIGHT - (bar.badShare + bar.goodShare) * HEIGHT}
                width="1"
                height={bar.goodShare * HEIGHT}
              />
            </svg>
          </button>
        ))}
      </div>
      <div className="hour-ends dim" aria-hidden="true">
        <span>{format.format(bars[0]?.hour)}</span>
        <span>{format.format((bars.at(-1)?.hour ?? 0) + HOUR_MS)}</span>
      </div>
    </figure>
  );
}
