import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import type { HostPath } from '../../client/host-detail.ts';
import { followLog } from '../../client/log-stream.ts';
import { Badge } from '../../component/badge.tsx';
import { type LogLine, lineOf } from './log-line.ts';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
/** Older lines leave the page: a browser is no archive. */
const MOST = 2_000;

interface Shown extends LogLine {
  readonly number: number;
}

/** The log of a host as it is written, newest at the end. */
export function HostLog({ path }: { readonly path: HostPath }) {
  const { t } = useLingui();
  const [level, setLevel] = useState<(typeof LEVELS)[number]>('info');
  const [match, setMatch] = useState('');
  const [lines, setLines] = useState<readonly Shown[]>([]);
  const [isFollowed, setFollowed] = useState(false);
  const stop = useRef<(() => void) | undefined>(undefined);
  const [said, setSaid] = useState('');
  const [trouble, setTrouble] = useState('');
  const box = useRef<HTMLDivElement>(null);
  const count = useRef(0);
  useEffect(() => () => stop.current?.(), []);

  const add = (added: readonly LogLine[]): void => {
    if (added.length === 0) return;
    const numbered = added.map((line) => ({ ...line, number: count.current++ }));
    const list = box.current;
    // A person who has scrolled up reads there.
    const isAtEnd = list === null || list.scrollHeight - list.scrollTop - list.clientHeight < 40;
    setLines((before) => [...before, ...numbered].slice(-MOST));
    if (isAtEnd) requestAnimationFrame(() => box.current?.scrollTo(0, box.current.scrollHeight));
  };
  const follow = (): void => {
    stop.current?.();
    setLines([]);
    setSaid('');
    setTrouble('');
    const leave = followLog(
      { ...path, level, match: match.trim() },
      {
        onLines: (added, gap) => {
          setTrouble('');
          if (gap)
            add([
              {
                level: 'warn',
                time: '',
                text: t`Lines are missing here: it wrote more than is fetched.`,
                rest: '',
              },
            ]);
          add(added.map(lineOf));
        },
        onTrouble: (reason) => {
          setTrouble(t`${reason}. It is asked again.`);
        },
        onEnd: (reason) => {
          if (stop.current !== leave) return;
          stop.current = undefined;
          setFollowed(false);
          setSaid(reason);
        },
      },
    );
    stop.current = leave;
    setFollowed(true);
  };
  return (
    <section>
      <h3>
        <Trans>Its log as it is written</Trans>
      </h3>
      <form
        className="line"
        onSubmit={(event) => {
          event.preventDefault();
          follow();
        }}
      >
        <label>
          <Trans>From level</Trans>
          <select
            value={level}
            onChange={(event) => {
              setLevel(event.currentTarget.value as (typeof LEVELS)[number]);
            }}
          >
            {LEVELS.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <label>
          <Trans>Contains</Trans>
          <input
            value={match}
            maxLength={200}
            onChange={(event) => {
              setMatch(event.currentTarget.value);
            }}
          />
        </label>
        <button type="submit">{isFollowed ? t`Follow with these` : t`Follow the log`}</button>
        {isFollowed && (
          <button
            type="button"
            className="plain"
            onClick={() => {
              stop.current?.();
              stop.current = undefined;
              setFollowed(false);
            }}
          >
            <Trans>Stop</Trans>
          </button>
        )}
      </form>
      <p className="dim flat" aria-live="polite">
        {isFollowed &&
          trouble === '' &&
          t`Followed for a quarter of an hour at most; the last ${MOST} lines stay.`}
        {trouble !== '' && <span className="refused">{trouble}</span>}
        {said !== '' && <span className="refused">{said}</span>}
      </p>
      {(isFollowed || lines.length > 0) && (
        // A list that grows by the second is read when a person goes there, and not called out.

        <div
          className="log"
          role="log"
          aria-live="off"
          aria-label={t`Lines of its log`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
          tabIndex={0}
          ref={box}
        >
          {lines.length === 0 && (
            <p className="dim flat">
              <Trans>No match yet.</Trans>
            </p>
          )}
          {lines.map(({ number, time, level: severity, text, rest }) => (
            <p key={number} className={severity}>
              <time>{time}</time> {severity !== 'info' && severity !== '' && <Badge word={severity} />} {text}{' '}
              <span className="dim">{rest}</span>
            </p>
          ))}
        </div>
      )}
    </section>
  );
}
