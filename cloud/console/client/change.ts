import { domain, isEnded, session } from './session.ts';
import { createStore, type Store } from './store.ts';

/** The topics of the stream (`GET /site/{domain}/stream`). */
const TOPICS = ['host', 'operation', 'alarm'] as const;
export type Topic = (typeof TOPICS)[number];

/** The number of notifications of each topic; a page that shows it asks when it grows. */
export const news = createStore<Readonly<Record<Topic, number>>>({ host: 0, operation: 0, alarm: 0 });
/** The stream is open: a page need not ask to know that nothing happened. */
export const isStreaming = createStore(false);

/** A browser comes back by itself, but for a refusal. */
const AGAIN_MS = 30_000;
const hidden = createStore(document.hidden);
/** Grows when a stream that was refused is to be tried again. */
const tries = createStore(0);
document.addEventListener('visibilitychange', () => {
  hidden.value = document.hidden;
});

const grow = (topics: readonly Topic[]): void => {
  const grown = { ...news.value };
  for (const topic of topics) grown[topic] += 1;
  news.value = grown;
};

/** One stream for the page, while it is looked at: a browser opens six connections at most, over all its pages. */
follow([session, isEnded, domain, hidden, tries], () => {
  if (
    session.value === null ||
    session.value === undefined ||
    domain.value === '' ||
    hidden.value ||
    isEnded.value
  )
    return undefined;
  const tried = tries.value;
  const stream = new EventSource(`/site/${encodeURIComponent(domain.value)}/stream`);
  let later: ReturnType<typeof setTimeout> | undefined;
  stream.addEventListener('open', () => {
    isStreaming.value = true;
  });
  stream.addEventListener('error', () => {
    isStreaming.value = false;
    if (stream.readyState !== EventSource.CLOSED) return;
    later = setTimeout(() => {
      tries.value = tried + 1;
    }, AGAIN_MS);
  });
  stream.addEventListener('reset', () => grow(TOPICS));
  for (const topic of TOPICS) stream.addEventListener(topic, () => grow([topic]));
  stream.addEventListener('gone', () => grow(['host']));
  return () => {
    clearTimeout(later);
    stream.close();
    isStreaming.value = false;
  };
});

/** Runs `start` now and after each change of `from`; it gives what ends its work, or nothing. */
function follow(from: readonly Store<unknown>[], start: () => (() => void) | undefined): void {
  let seen = from.map(({ value }) => value);
  let stop = start();
  const changed = (): void => {
    const now = from.map(({ value }) => value);
    if (now.every((value, index) => Object.is(value, seen[index]))) return;
    seen = now;
    stop?.();
    stop = start();
  };
  for (const { subscribe } of from) subscribe(changed);
}
