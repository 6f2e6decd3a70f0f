import { Trans, useLingui } from '@lingui/react/macro';
import { memo } from 'react';
import { LANES, offset, type Step, type TimelineEntry, timelineOf } from '../../component/trace/lane.ts';
import { LANE_NAMES } from './record-words.ts';
import { BAD_STEPS, detailOf, STEP_WORDS } from './step-words.ts';

/** A pause that the timeline names. */
const PAUSE_MS = 1_000;
/** More stands behind a button: a trace may have 50,000 steps. */
const MOST = 400;

/**
 * The steps of a session by the side that acted, true to time above and in order below. Messages that come later do not draw it again:
 * hundreds of steps would hold up the ladder.
 */
export const Timeline = memo(function Timeline(props: {
  readonly steps: readonly Step[];
  /** The place of the recording that is heard, ms since the first step. */
  readonly playedMs?: number | undefined;
  /** Plays the recording from this step on. */
  readonly onSeek?: (atMs: number) => void;
}) {
  const { steps, playedMs, onSeek } = props;
  const { t } = useLingui();
  const entries = timelineOf(steps);
  if (entries.length === 0)
    return (
      <p className="dim">
        <Trans>
          No host has steps of this session any more. Hosts keep traces as long as the retention of the site
          says.
        </Trans>
      </p>
    );
  const last = entries.at(-1);
  const reached = playedMs === undefined ? -1 : entries.findLastIndex(({ atMs }) => atMs <= playedMs);
  const played = playedMs === undefined ? undefined : playedMs / Math.max(1, last?.atMs ?? 1);
  return (
    <>
      <div className="lane-strip" aria-hidden="true">
        {LANES.map((lane) => (
          <div key={lane}>
            <span className="dim">{t(LANE_NAMES[lane])}</span>
            <svg aria-hidden="true">
              <line x1="0" x2="100%" y1="50%" y2="50%" />
              {played !== undefined && played <= 1 && (
                <line
                  className="played"
                  x1={`${1 + played * 98}%`}
                  x2={`${1 + played * 98}%`}
                  y1="0"
                  y2="100%"
                />
              )}
              {entries
                .filter((entry) => entry.lane === lane)
                .slice(0, MOST)
                .map((entry) => (
                  <circle
                    key={`${entry.step.at} ${entry.step.kind}`}
                    className={BAD_STEPS.has(entry.step.kind) ? 'bad' : ''}
                    cx={`${1 + entry.x * 98}%`}
                    cy="50%"
                    r="4"
                  />
                ))}
            </svg>
          </div>
        ))}
        <div className="lane-ends dim">
          <span>0</span>
          <span>{offset(last?.atMs ?? 0)}</span>
        </div>
      </div>
      <ol className="timeline">
        {entries.slice(0, MOST).map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps never change their place, and two may be alike
          <TimelineStep key={index} entry={entry} isCurrent={index === reached} onSeek={onSeek} />
        ))}
      </ol>
      {entries.length > MOST && (
        <p className="dim">
          <Trans>
            The first {MOST} steps are shown. The command line prints all of them: carillon trace.
          </Trans>
        </p>
      )}
    </>
  );
});

function TimelineStep(props: {
  readonly entry: TimelineEntry;
  readonly isCurrent: boolean;
  readonly onSeek: ((atMs: number) => void) | undefined;
}) {
  const { isCurrent, onSeek } = props;
  const { step, tones, lane, atMs, gapMs } = props.entry;
  const { t } = useLingui();
  const words = STEP_WORDS[step.kind];
  const detail = detailOf(step, tones, t);
  return (
    <li
      className={BAD_STEPS.has(step.kind) ? `lane ${lane} bad` : `lane ${lane}`}
      aria-current={isCurrent ? 'step' : undefined}
    >
      {gapMs >= PAUSE_MS && (
        <span className="pause dim">
          <Trans>{offset(gapMs)} later</Trans>
        </span>
      )}
      {onSeek === undefined ? (
        <span className="at number dim">{offset(atMs)}</span>
      ) : (
        <button
          type="button"
          className="link at number"
          title={t`Listen from here`}
          onClick={() => onSeek(atMs)}
        >
          {offset(atMs)}
        </button>
      )}
      <span className="lane-name">{t(LANE_NAMES[lane])}</span>
      <span className="lane-text">
        <strong>{words === undefined ? step.kind : t(words)}</strong>
        {detail !== '' && <code>{detail}</code>}
      </span>
    </li>
  );
}
