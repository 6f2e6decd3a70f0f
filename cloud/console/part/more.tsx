import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
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
): Signal<Paged<T>> {
  const round = useSignal(0);
  const paged = useSignal<Paged<T>>(nothing());
  useEffect(() => {
    let over = false;
    const again = (): void => {
      round.value++;
    };
    const load = async (before: readonly T[], token: string | undefined): Promise<void> => {
      paged.value = { ...paged.value, items: before, loading: true, more: undefined, again };
      const answer = await read(token);
      if (over) return;
      if (!answer.ok) {
        paged.value = { items: before, failure: answer.error.reason, more: undefined, loading: false, again };
        return;
      }
      const items = [...before, ...answer.value.items];
      const next = answer.value.nextToken;
      const more = next === undefined ? undefined : () => void load(items, next);
      paged.value = { items, failure: undefined, more, loading: false, again };
    };
    void load([], undefined);
    return () => {
      over = true;
    };
  }, [...inputs, round.value]);
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
  if (paged.loading) return <p class="dim">One moment…</p>;
  if (paged.more === undefined) return null;
  return (
    <button type="button" class="plain more" onClick={paged.more}>
      Show more
    </button>
  );
}
