import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { followLog } from '../../client/log-stream.ts';
import { Badge } from '../../part/badge.tsx';
import type { HostPath } from './host-detail.ts';
import { type LogLine, lineOf } from './log-line.ts';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
/** Older lines leave the page: a browser is no archive. */
const MOST = 2_000;

interface Shown extends LogLine {
  readonly number: number;
}

/** The log of a host as it is written, newest at the end. */
export function HostLog({ path }: { readonly path: HostPath }) {
  const level = useSignal<(typeof LEVELS)[number]>('info');
  const match = useSignal('');
  const lines = useSignal<readonly Shown[]>([]);
  const stop = useSignal<(() => void) | undefined>(undefined);
  const said = useSignal('');
  const trouble = useSignal('');
  const box = useRef<HTMLDivElement>(null);
  const count = useRef(0);
  useEffect(() => () => stop.value?.(), []);

  const add = (news: readonly LogLine[]): void => {
    if (news.length === 0) return;
    const numbered = news.map((line) => ({ ...line, number: count.current++ }));
    const list = box.current;
    // A person who has scrolled up reads there.
    const isAtEnd = list === null || list.scrollHeight - list.scrollTop - list.clientHeight < 40;
    lines.value = [...lines.value, ...numbered].slice(-MOST);
    if (isAtEnd) requestAnimationFrame(() => box.current?.scrollTo(0, box.current.scrollHeight));
  };
  const follow = (): void => {
    stop.value?.();
    lines.value = [];
    said.value = '';
    trouble.value = '';
    const leave = followLog(
      { ...path, level: level.value, match: match.value.trim() },
      {
        onLines: (news, gap) => {
          trouble.value = '';
          if (gap)
            add([
              {
                level: 'warn',
                time: '',
                text: 'Lines are missing here: it wrote more than is fetched.',
                rest: '',
              },
            ]);
          add(news.map(lineOf));
        },
        onTrouble: (reason) => {
          trouble.value = `${reason}. It is asked again.`;
        },
        onEnd: (reason) => {
          if (stop.value !== leave) return;
          stop.value = undefined;
          said.value = reason;
        },
      },
    );
    stop.value = leave;
  };
  const isFollowed = stop.value !== undefined;
  return (
    <section>
      <h3>Its log as it is written</h3>
      <form
        class="line"
        onSubmit={(event) => {
          event.preventDefault();
          follow();
        }}
      >
        <label>
          From level
          <select
            value={level.value}
            onChange={(event) => {
              level.value = event.currentTarget.value as (typeof LEVELS)[number];
            }}
          >
            {LEVELS.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <label>
          that contains
          <input
            value={match.value}
            maxLength={200}
            onInput={(event) => {
              match.value = event.currentTarget.value;
            }}
          />
        </label>
        <button type="submit">{isFollowed ? 'Follow with these' : 'Follow the log'}</button>
        {isFollowed && (
          <button
            type="button"
            class="plain"
            onClick={() => {
              stop.value?.();
              stop.value = undefined;
            }}
          >
            Stop
          </button>
        )}
      </form>
      <p class="dim flat" aria-live="polite">
        {isFollowed &&
          trouble.value === '' &&
          `Followed for a quarter of an hour at most; the last ${MOST} lines stay.`}
        {trouble.value !== '' && <span class="refused">{trouble.value}</span>}
        {said.value !== '' && <span class="refused">{said.value}</span>}
      </p>
      {(isFollowed || lines.value.length > 0) && (
        // A list that grows by the second is read when a person goes there, and not called out.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        <div class="log" role="log" aria-live="off" aria-label="Lines of its log" tabIndex={0} ref={box}>
          {lines.value.length === 0 && <p class="dim flat">No match yet.</p>}
          {lines.value.map(({ number, time, level: severity, text, rest }) => (
            <p key={number} class={severity}>
              <time>{time}</time> {severity !== 'info' && severity !== '' && <Badge word={severity} />} {text}{' '}
              <span class="dim">{rest}</span>
            </p>
          ))}
        </div>
      )}
    </section>
  );
}
