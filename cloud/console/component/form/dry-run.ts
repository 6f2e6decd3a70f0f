import { useEffect, useRef, useState } from 'react';
import type { CallFailure } from '#shared/client/index.ts';
import type { Result } from '#shared/result.ts';

/** A person types faster than that, and the server is asked when she pauses. */
const PAUSE_MS = 500;

/** The judgement of the server about values that are not stored. */
export interface Judgement {
  /** Undefined: it would be stored. */
  readonly failure: CallFailure | undefined;
  /** The resource as it would read; undefined where it would be refused. */
  readonly stored: unknown;
  readonly isAsking: boolean;
}

const UNASKED: Judgement = { failure: undefined, stored: undefined, isAsking: false };

/**
 * Asks the server what it would make of `values` while a person types (`?dryRun=true`, which changes nothing). `ask` is
 * called at each pause; only the answer to the newest values counts. `isAsked`: false as long as nothing was typed.
 */
export function useDryRun(
  values: unknown,
  isAsked: boolean,
  ask: () => Promise<Result<unknown, CallFailure>>,
): Judgement {
  const [judgement, setJudgement] = useState(UNASKED);
  const latest = useRef(ask);
  latest.current = ask;
  const key = JSON.stringify(values);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other values are another question
  useEffect(() => {
    if (!isAsked) return undefined;
    let over = false;
    setJudgement((before) => ({ ...before, isAsking: true }));
    const timer = setTimeout(() => {
      void latest.current().then((answer) => {
        if (over) return;
        const stored = answer.ok ? (answer.value as { stored?: unknown }).stored : undefined;
        setJudgement({ failure: answer.ok ? undefined : answer.error, stored, isAsking: false });
      });
    }, PAUSE_MS);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [key, isAsked]);
  return judgement;
}
