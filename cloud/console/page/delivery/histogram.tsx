import { Trans, useLingui } from '@lingui/react/macro';
import type { Figure } from './endpoint-row.ts';

const WIDTH = 360;
const HEIGHT = 70;
const FOOT = 16;

/** Latencies of an endpoint in steps. */
export function Histogram({ steps }: { readonly steps: Figure['histogram'] }) {
  const { i18n, t } = useLingui();
  const most = Math.max(...steps.map(({ amount }) => amount), 1);
  const step = WIDTH / Math.max(steps.length, 1);
  const label = (uptoMs: number | undefined): string =>
    uptoMs === undefined ? t`more` : uptoMs < 1_000 ? `${uptoMs} ms` : `${uptoMs / 1_000} s`;
  return (
    <figure className="histogram">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + FOOT}`} role="img" aria-label={t`Latency of the callbacks`}>
        {steps.map(({ uptoMs, amount }, index) => (
          <g key={String(uptoMs)}>
            <title>{`${label(uptoMs)}: ${i18n.number(amount)}`}</title>
            <rect
              x={index * step + 2}
              y={HEIGHT - (amount / most) * HEIGHT}
              width={step - 4}
              height={Math.max((amount / most) * HEIGHT, amount > 0 ? 2 : 0)}
            />
            <text x={index * step + step / 2} y={HEIGHT + FOOT - 3} textAnchor="middle">
              {label(uptoMs)}
            </text>
          </g>
        ))}
      </svg>
      <figcaption className="dim">
        <Trans>Latency: from the journal of the host to the first accepted answer</Trans>
      </figcaption>
    </figure>
  );
}
