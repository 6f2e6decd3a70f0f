import { Trans, useLingui } from '@lingui/react/macro';
import { type Hour, scaleEnd } from './hourly.ts';

const WIDTH = 720;
const HEIGHT = 150;
/** Hours between two times under the chart. */
const MARKS = { day: 6, week: 24 } as const;
const HOUR = { hour: '2-digit', minute: '2-digit' } as const;
const WEEKDAY = { weekday: 'short' } as const;
const WHOLE = { dateStyle: 'medium', timeStyle: 'short' } as const;

/** Alarms and calls of each hour as bars, one on the other; the table behind it is for those who hear the page. */
export function HourChart({ hours, name }: { readonly hours: readonly Hour[]; readonly name: string }) {
  const { i18n, t } = useLingui();
  const top = scaleEnd(Math.max(...hours.map(({ alarms, calls }) => alarms + calls), 1));
  const step = WIDTH / hours.length;
  const y = (count: number): number => (count / top) * HEIGHT;
  const isDay = hours.length <= 24;
  const each = isDay ? MARKS.day : MARKS.week;
  const time = isDay ? HOUR : WEEKDAY;
  const total = hours.reduce((sum, { alarms, calls }) => sum + alarms + calls, 0);
  return (
    <figure className="hours">
      <span className="scale dim" aria-hidden="true">
        {i18n.number(top)}
      </span>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT + 3}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t`${name}: ${i18n.number(total)} in all, at most ${i18n.number(top)} on the scale`}
      >
        <line className="base" x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
        <line className="grid" x1="0" x2={WIDTH} y1="0.5" y2="0.5" />
        {hours.map(({ hour, alarms, calls, bad }, index) => {
          const x = index * step + step * 0.1;
          const width = Math.max(step * 0.8, 1);
          return (
            <g key={hour}>
              <title>
                {t`${i18n.date(hour, WHOLE)}: alarms ${i18n.number(alarms)}, calls ${i18n.number(calls)}, without success ${i18n.number(bad)}`}
              </title>
              <rect className="reach" x={index * step} y="0" width={step} height={HEIGHT} />
              <rect className="alarms" x={x} y={HEIGHT - y(alarms)} width={width} height={y(alarms)} />
              <rect className="calls" x={x} y={HEIGHT - y(alarms + calls)} width={width} height={y(calls)} />
              {bad > 0 && <rect className="bad" x={x} y={HEIGHT} width={width} height="3" />}
            </g>
          );
        })}
      </svg>
      <div className="times dim" aria-hidden="true">
        {hours
          .filter((_, index) => index % each === 0)
          .map(({ hour }) => (
            <span key={hour}>{i18n.date(hour, time)}</span>
          ))}
      </div>
      <figcaption className="dim">
        <span className="key alarms">
          <Trans>alarms</Trans>
        </span>
        <span className="key calls">
          <Trans>calls</Trans>
        </span>
        <span className="key bad">
          <Trans>an hour with failures</Trans>
        </span>
      </figcaption>
    </figure>
  );
}
