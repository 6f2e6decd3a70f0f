import { domain, isEnded, session } from './session.ts';
import { createStore, type Store } from './store.ts';

/** The topics of the stream (`GET /site/{domain}/stream`). */
const TOPICS = ['host', 'operation', 'alarm'] as const;
/** `record`: a session began or ended; the stream of records tells of it (`record-change.ts`). */
export type Topic = (typeof TOPICS)[number] | 'record';

/** The number of notifications of each topic; a page that shows it asks when it grows. */
export const changes = createStore<Readonly<Record<Topic, number>>>({
  ...{ host: 0, operation: 0, alarm: 0, record: 0 },
});
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

/** Counts a notification of each topic. */
export const notify = (topics: readonly Topic[]): void => {
  const grown = { ...changes.value };
  for (const topic of topics) grown[topic] += 1;
  changes.value = grown;
};

/** News from the tab that holds the stream to the others. */
interface Message {
  readonly topics?: readonly Topic[];
  readonly isOpen?: boolean;
  /** A tab that has just come asks whether the stream is open. */
  readonly isAsked?: true;
}

/**
 * One stream for all tabs of a browser, which opens six connections to a server at most: the tab that has the lock holds the
 * stream and tells the others. A tab that is not looked at lets the lock go.
 */
follow([session, isEnded, domain, hidden, tries], () => {
  if (session.value === null || session.value === undefined || domain.value === '') return undefined;
  if (hidden.value || isEnded.value) return undefined;
  const name = `carillon.stream.${domain.value}`;
  const channel = new BroadcastChannel(name);
  const leaving = new AbortController();
  let isLeading = false;
  const tell = (message: Message): void => channel.postMessage(message);
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.topics !== undefined) notify(data.topics);
    if (data.isOpen !== undefined) isStreaming.value = data.isOpen;
    if (data.isAsked === true && isLeading) tell({ isOpen: isStreaming.value });
  });
  const lead = (): Promise<void> =>
    new Promise((resolve) => {
      isLeading = true;
      const close = openStream(domain.value, tell);
      leaving.signal.addEventListener('abort', () => {
        close();
        resolve();
      });
    });
  tell({ isAsked: true });
  // A page without https has no locks, and a stream of its own.
  if (navigator.locks === undefined) void lead();
  else navigator.locks.request(name, { signal: leaving.signal }, lead).catch(() => undefined);
  return () => {
    leaving.abort();
    channel.close();
    isStreaming.value = false;
  };
});

/** Opens the stream of the tenant, for this tab and for those that `tell` reaches; the function that is returned closes it. */
function openStream(tenant: string, tell: (message: Message) => void): () => void {
  const tried = tries.value;
  const stream = new EventSource(`/site/${encodeURIComponent(tenant)}/stream`);
  let later: ReturnType<typeof setTimeout> | undefined;
  const hear = (topics: readonly Topic[]): void => {
    notify(topics);
    tell({ topics });
  };
  const be = (isOpen: boolean): void => {
    isStreaming.value = isOpen;
    tell({ isOpen });
  };
  stream.addEventListener('open', () => be(true));
  stream.addEventListener('error', () => {
    be(false);
    if (stream.readyState !== EventSource.CLOSED) return;
    later = setTimeout(() => {
      tries.value = tried + 1;
    }, AGAIN_MS);
  });
  stream.addEventListener('reset', () => hear(TOPICS));
  for (const topic of TOPICS) stream.addEventListener(topic, () => hear([topic]));
  stream.addEventListener('gone', () => hear(['host']));
  return () => {
    clearTimeout(later);
    stream.close();
    tell({ isOpen: false });
  };
}

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
