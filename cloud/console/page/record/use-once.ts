import { useCallback, useEffect, useRef, useState } from 'react';
import type { CallFailure } from '#shared/client/index.ts';
import type { Result } from '#shared/result.ts';

/** The newest good answer, why a later question failed, and what asks once more. */
export interface Once<T> {
  readonly value?: T;
  readonly failure?: CallFailure;
  readonly again: () => void;
}

/** Asks once and when `key` changes: each look at a trace or a capture stands in the audit log, so that no timer repeats it. */
export function useOnce<T>(ask: () => Promise<Result<T, CallFailure>>, key: string): Once<T> {
  const [found, setFound] = useState<{ readonly value?: T; readonly failure?: CallFailure }>({});
  const latest = useRef(ask);
  latest.current = ask;
  const asked = useRef('');
  const again = useCallback((): void => {
    const question = crypto.randomUUID();
    asked.current = question;
    void latest.current().then((answer) => {
      if (asked.current !== question) return;
      setFound((before) => (answer.ok ? { value: answer.value } : { ...before, failure: answer.error }));
    });
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what the question is about
  useEffect(again, [key]);
  return { ...found, again };
}
