import { Trans } from '@lingui/react/macro';
import { lazy, Suspense } from 'react';
import './chart.css';
import { SERIES_COLOURS, type TimeChartProps } from './series.ts';

const Plot = lazy(() => import('./plot.tsx').then(({ Plot: loaded }) => ({ default: loaded })));

/** Bars over intervals. The library of charts is fetched when the first chart is shown. */
export function TimeChart(props: TimeChartProps) {
  const { label, series } = props;
  return (
    <figure className="time-chart">
      <div role="img" aria-label={label}>
        <Suspense
          fallback={
            <p className="dim">
              <Trans>One moment…</Trans>
            </p>
          }
        >
          <Plot {...props} />
        </Suspense>
      </div>
      {series.length > 1 && (
        <figcaption className="dim">
          {series.map(({ name }, index) => (
            <span key={name} className={`series-key series-${(index % SERIES_COLOURS) + 1}`}>
              {name}
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  );
}
