import { type ReadonlySignal, signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { CallFailure } from '#shared/client/index.ts';
import type { Result } from '#shared/result.ts';

/** The time by which ages are shown; one clock for the whole page. */
export const now = signal(Date.now());
setInterval(() => {
  now.value = Date.now();
}, 1_000);

export interface Live<T> {
  /** Newest answer; stays when a later question fails. */
  readonly value: T | undefined;
  /** Epoch ms of that answer. */
  readonly at: number;
  /** Why the last question failed, in words of the API. */
  readonly failure: string | undefined;
  readonly again: () => void;
}

const STEP_MS = 5_000;

/**
 * Asks now and every `stepMs`, as long as the page is looked at, and when one of `inputs` changes. What is shown always
 * has an age: a network that went away leaves the last answer, and says so.
 */
export function useLive<T>(
  ask: () => Promise<Result<T, CallFailure>>,
  inputs: readonly unknown[],
  stepMs = STEP_MS,
): ReadonlySignal<Live<T>> {
  const live = useSignal<Live<T>>({ value: undefined, at: 0, failure: undefined, again: () => undefined });
  useEffect(() => {
    let over = false;
    let asking = false;
    const look = async (): Promise<void> => {
      if (asking || over || document.hidden) return;
      asking = true;
      const answer = await ask();
      asking = false;
      if (over) return;
      live.value = answer.ok
        ? { value: answer.value, at: Date.now(), failure: undefined, again }
        : { ...live.value, failure: answer.error.reason, again };
    };
    const again = (): void => void look();
    live.value = { value: undefined, at: 0, failure: undefined, again };
    again();
    const timer = setInterval(again, stepMs);
    document.addEventListener('visibilitychange', again);
    return () => {
      over = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', again);
    };
  }, inputs);
  return live;
}
