import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { CallFailure } from '#shared/client/index.ts';
import type { Result } from '#shared/result.ts';
import type { Topic } from '../../client/change.ts';
import { serverNow } from '../../client/clock.ts';
import { useChanges } from '../../client/live.ts';
import { emptyWindow, type Page, rowsOf, type Window, withFresh, withNext, withPrevious } from './window.ts';

export type ReadPage<Row> = (token: string | undefined) => Promise<Result<Page<Row>, CallFailure>>;

/** The rows of a list and what can be done with them. */
export interface Rows<Row> {
  readonly rows: readonly Row[];
  readonly isLoading: boolean;
  /** Undefined: the newest answer was good. */
  readonly failure: CallFailure | undefined;
  /** Epoch ms of the last good answer; 0: none yet. */
  readonly at: number;
  /** Rows that have come since, and are not shown yet. */
  readonly added: number;
  readonly showAdded: () => void;
  /** Reads the rows behind the last one; absent: there are none. */
  readonly more: (() => void) | undefined;
  /** Reads the rows before the first one, which were given up. */
  readonly earlier: (() => void) | undefined;
  readonly again: () => void;
}

/** Reads a list by keys. `key` names the question: another one begins from the start. */
export function useWindow<Row>(
  key: string,
  read: ReadPage<Row>,
  keyOf: (row: Row) => string,
  topics: readonly Topic[],
): Rows<Row> {
  const [held, setHeld] = useState<Window<Row>>(emptyWindow);
  const [isLoading, setLoading] = useState(true);
  const [failure, setFailure] = useState<CallFailure>();
  const [at, setAt] = useState(0);
  const [added, setAdded] = useState(0);
  const latest = useRef({ read, keyOf, question: '', busy: false });
  latest.current.read = read;
  latest.current.keyOf = keyOf;

  /** Reads one page; an answer to an older question is thrown away. */
  const take = useCallback(
    async (token: string | undefined, use: (page: Page<Row>) => void): Promise<void> => {
      const { question } = latest.current;
      latest.current.busy = true;
      const answer = await latest.current.read(token);
      if (latest.current.question !== question) return;
      latest.current.busy = false;
      setLoading(false);
      setFailure(answer.ok ? undefined : answer.error);
      if (!answer.ok) return;
      setAt(serverNow());
      use(answer.value);
    },
    [],
  );
  const begin = useCallback((): void => {
    latest.current.question = crypto.randomUUID();
    setLoading(true);
    void take(undefined, (page) => {
      setHeld({ pages: [{ ...page }], before: [] });
      setAdded(0);
    });
  }, [take]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another question begins from the start
  useEffect(begin, [key]);
  useChanges(topics, () => {
    if (latest.current.busy) return;
    void take(undefined, (page) =>
      setHeld((shown) => {
        const fresh = withFresh(shown, page.items, latest.current.keyOf);
        setAdded(fresh.added);
        return fresh.window;
      }),
    );
  });

  const next = held.pages.at(-1)?.nextToken;
  const more = (): void => {
    // The list says so at its end anyway: to be drawn for that alone costs as much as the page that comes.
    if (latest.current.busy) return;
    void take(next, (page) => setHeld((shown) => withNext(shown, { ...page, token: next })));
  };
  const earlier = (): void => {
    const token = held.before.at(-1);
    setLoading(true);
    void take(token, (page) => setHeld((shown) => withPrevious(shown, { ...page, token })));
  };
  const rows = useMemo(() => rowsOf(held), [held]);
  return {
    rows,
    isLoading,
    failure,
    at,
    added,
    showAdded: begin,
    more: next === undefined ? undefined : more,
    earlier: held.before.length === 0 ? undefined : earlier,
    again: begin,
  };
}
