import { i18n } from '@lingui/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { curveOf, MEASURES, type Measure, type MediaCurve, rangeOf } from '../../component/trace/curve.ts';

const BOX = { width: 300, height: 48 };

/** The audio of each party in windows of 5 s: level, jitter, loss, lateness and audio made up. */
export function MediaView({ curves }: { readonly curves: readonly MediaCurve[] }) {
  const { t } = useLingui();
  if (curves.length === 0) return null;
  const range = rangeOf(curves);
  const titles: Readonly<Record<Measure['name'], string>> = {
    levelDbm0: t`Level received`,
    sentLevelDbm0: t`Level sent`,
    jitterMs: t`Jitter`,
    lost: t`Packets lost`,
    latenessMs: t`Host late by`,
    concealedMs: t`Audio made up`,
  };
  return (
    <section className="record-part">
      <header>
        <h2>
          <Trans>Audio quality</Trans>
        </h2>
      </header>
      {curves.map(({ hostId, leg, points }) => (
        <div key={`${hostId} ${leg}`}>
          <h3>
            <Trans>Party {leg}</Trans> <span className="dim">{hostId}</span>
          </h3>
          <div className="curves">
            {MEASURES.map((measure) => {
              const { path, least, most, top } = curveOf(points, measure, range, BOX);
              const values =
                least === undefined || most === undefined
                  ? t`not measured`
                  : `${least === most ? '' : `${grouped(least)} … `}${grouped(most)} ${measure.unit}`.trim();
              return (
                <figure key={measure.name}>
                  <figcaption>
                    {titles[measure.name]} <span className="dim">{values}</span>
                  </figcaption>
                  <svg
                    role="img"
                    aria-label={`${titles[measure.name]}: ${values}`}
                    viewBox={`0 -2 ${BOX.width} ${BOX.height + 4}`}
                    preserveAspectRatio="none"
                  >
                    <title>{t`${titles[measure.name]}; top of the scale ${grouped(top)} ${measure.unit}`}</title>
                    <line x1="0" x2={BOX.width} y1={BOX.height} y2={BOX.height} />
                    <path d={path} />
                  </svg>
                </figure>
              );
            })}
          </div>
        </div>
      ))}
    </section>
  );
}

const grouped = (value: number): string => i18n.number(Math.round(value * 10) / 10);
