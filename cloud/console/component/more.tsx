import { Trans } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import type { CallFailure } from '#shared/client/index.ts';
import type { Result } from '#shared/result.ts';

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextToken: string | undefined;
}

export interface Paged<T> {
  readonly items: readonly T[];
  readonly failure: string | undefined;
  readonly more: (() => void) | undefined;
  readonly loading: boolean;
  readonly again: () => void;
}

/** A list that is read page by page, from the start when one of `inputs` changes. */
export function usePages<T>(
  read: (nextToken: string | undefined) => Promise<Result<Page<T>, CallFailure>>,
  inputs: readonly unknown[],
): Paged<T> {
  const [round, setRound] = useState(0);
  const [paged, setPaged] = useState<Paged<T>>(nothing);
  const latest = useRef(read);
  latest.current = read;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller says what a list depends on; each round reads again
  useEffect(() => {
    let over = false;
    const again = (): void => {
      setRound((count) => count + 1);
    };
    const load = async (before: readonly T[], token: string | undefined): Promise<void> => {
      setPaged((shown) => ({ ...shown, items: before, loading: true, more: undefined, again }));
      const answer = await latest.current(token);
      if (over) return;
      if (!answer.ok) {
        setPaged({ items: before, failure: answer.error.reason, more: undefined, loading: false, again });
        return;
      }
      const items = [...before, ...answer.value.items];
      const next = answer.value.nextToken;
      const more = next === undefined ? undefined : () => void load(items, next);
      setPaged({ items, failure: undefined, more, loading: false, again });
    };
    void load([], undefined);
    return () => {
      over = true;
    };
  }, [...inputs, round]);
  return paged;
}

const nothing = <T,>(): Paged<T> => ({
  items: [],
  failure: undefined,
  more: undefined,
  loading: true,
  again: () => undefined,
});

/** Below a list: the next page, or that something is under way. */
export function More({ paged }: { readonly paged: Paged<unknown> }) {
  if (paged.loading)
    return (
      <p className="dim">
        <Trans>One moment…</Trans>
      </p>
    );
  if (paged.more === undefined) return null;
  return (
    <button type="button" className="plain more" onClick={paged.more}>
      <Trans>Show more</Trans>
    </button>
  );
}
