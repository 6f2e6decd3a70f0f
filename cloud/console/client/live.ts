import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { CallFailure } from '#shared/client/index.ts';
import type { Result } from '#shared/result.ts';
import { atOnceThenBursts } from './burst.ts';
import { changes, isStreaming, type Topic } from './change.ts';
import { serverNow } from './clock.ts';
import { domain, isEnded, session } from './session.ts';
import { createStore, useStore } from './store.ts';

/** The time by which ages are shown; one clock for the whole page. */
const clock = createStore(serverNow());
setInterval(() => {
  clock.value = serverNow();
}, 1_000);

/** Epoch ms; the component is drawn again each second. */
export const useNow = (): number => useStore(clock);

/** A value that follows from the time. It is worked out each second, and the component is drawn again when it is another one. */
export const useByNow = <T extends string | number | boolean>(of: (nowMs: number) => T): T =>
  useSyncExternalStore(clock.subscribe, () => of(clock.value));

export interface Live<T> {
  /** Newest answer; stays when a later question fails. */
  readonly value: T | undefined;
  /** Epoch ms of that answer. */
  readonly at: number;
  /** Why the last question failed, in words of the API. */
  readonly failure: string | undefined;
  readonly again: () => void;
}

/** Last answers of questions that a page asks each time it is opened, by their name, inputs, tenant and person: the newest last. */
const kept = new Map<string, Pick<Live<unknown>, 'value' | 'at'>>();
const MOST_KEPT = 20;

function keepAnswer(key: string, answer: Pick<Live<unknown>, 'value' | 'at'>): void {
  kept.delete(key);
  kept.set(key, answer);
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
}

const NOTHING = { value: undefined, at: 0, failure: undefined, again: () => undefined };
const STEP_MS = 5_000;
/** The step of questions while the stream notifies. */
const STREAM_STEP_MS = 30_000;

/** Calls `hear` when the stream notifies of one of `topics`, for a burst once more, and every `stepMs` where it is silent. */
export function useChanges(topics: readonly Topic[], hear: () => void, stepMs = STEP_MS): void {
  const latest = useRef(hear);
  latest.current = hear;
  const key = topics.join();
  useEffect(() => {
    const watched = key.split(',') as Topic[];
    if (key === '') return undefined;
    let seen = watched.map((topic) => changes.value[topic]).join();
    const look = (): void => {
      if (!document.hidden && !isEnded.value) latest.current();
    };
    const changed = atOnceThenBursts(look);
    const stop = changes.subscribe(() => {
      const now = watched.map((topic) => changes.value[topic]).join();
      if (now === seen) return;
      seen = now;
      changed.hear();
    });
    const timer = setInterval(() => isStreaming.value || look(), stepMs);
    return () => {
      stop();
      changed.stop();
      clearInterval(timer);
    };
  }, [key, stepMs]);
}

/**
 * Asks now and every `stepMs`, as long as the page is looked at, and when one of `inputs` changes; one of `topics` is asked
 * when the stream notifies of it, and else seldom. A shown answer always has an age: a network that went away leaves the last
 * answer, and says so. `name`: of the question; the last answer to it stands there at once when the page is opened again.
 */
export function useLive<T>(
  ask: () => Promise<Result<T, CallFailure>>,
  inputs: readonly unknown[],
  stepMs = STEP_MS,
  topics: readonly Topic[] = [],
  name?: string,
): Live<T> {
  const key =
    name === undefined ? undefined : [session.value?.person.email, domain.value, name, ...inputs].join(' ');
  const last = (): Live<T> => ({ ...NOTHING, ...((key && kept.get(key)) as Partial<Live<T>> | undefined) });
  const [live, setLive] = useState(last);
  const latest = useRef(ask);
  latest.current = ask;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller says what a question depends on
  useEffect(() => {
    let over = false;
    let asking = false;
    let missed = false;
    let askedAt = 0;
    const look = async (): Promise<void> => {
      if (asking) missed = true;
      if (asking || over || document.hidden || isEnded.value) return;
      asking = true;
      missed = false;
      askedAt = Date.now();
      const answer = await latest.current();
      asking = false;
      if (over) return;
      if (answer.ok && key !== undefined) keepAnswer(key, { value: answer.value, at: serverNow() });
      setLive((before) =>
        answer.ok
          ? { value: answer.value, at: serverNow(), failure: undefined, again }
          : { ...before, failure: answer.error.reason, again },
      );
      // A notification came after this answer was made.
      if (missed) changed.hear();
    };
    const again = (): void => void look();
    const changed = atOnceThenBursts(again);
    setLive({ ...last(), again });
    again();
    const isEnough = (): boolean =>
      topics.length > 0 && isStreaming.value && Date.now() - askedAt < STREAM_STEP_MS;
    const timer = setInterval(() => isEnough() || again(), stepMs);
    let seen = topics.map((topic) => changes.value[topic]);
    const stopHearing = changes.subscribe(() => {
      const now = topics.map((topic) => changes.value[topic]);
      if (now.some((count, index) => count !== seen[index])) changed.hear();
      seen = now;
    });
    const stopWaiting = isEnded.subscribe(again);
    document.addEventListener('visibilitychange', again);
    // A network that goes or comes back is said at once, and not with the next step.
    const stopWatching = watchNetwork(again);
    return () => {
      over = true;
      clearInterval(timer);
      changed.stop();
      stopHearing();
      stopWaiting();
      stopWatching();
      document.removeEventListener('visibilitychange', again);
    };
  }, [...inputs]);
  return live;
}

const NETWORK_EVENTS = ['online', 'offline'] as const;

/** Calls `changed` when the browser loses its network or has it again, until the function that is returned is called. */
function watchNetwork(changed: () => void): () => void {
  for (const name of NETWORK_EVENTS) addEventListener(name, changed);
  return () => {
    for (const name of NETWORK_EVENTS) removeEventListener(name, changed);
  };
}
