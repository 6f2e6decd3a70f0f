import { REMOTE_ARGS } from '#shared/contract/feed/index.ts';
import type { RemoteOperation } from '../remote-operation.ts';
import { invalid } from './answer.ts';

/** Callbacks that were given up, and the way back into the outbox. */
export interface DeadLetters {
  /** Those after a number, oldest first. */
  readonly list: (afterSeq: number, limit: number) => readonly { readonly seq: number }[];
  /** Callbacks that are still tried, likewise. */
  readonly waiting: (afterSeq: number, limit: number) => readonly { readonly seq: number }[];
  /** Sends these again, or all of them. @returns the number of those that were dead letters */
  readonly replay: (ids: readonly string[] | undefined) => number;
}

/** Requests of the cloud about dead letters. */
export const outboxOperations = (
  letters: DeadLetters,
): Readonly<Record<'outbox.list' | 'outbox.replay', RemoteOperation>> => ({
  'outbox.list': ({ args }) => {
    const asked = REMOTE_ARGS['outbox.list'].safeParse(args);
    if (!asked.success) return invalid('/args is not after, limit and state');
    const { after, limit, state } = asked.data;
    const page = state === 'dead' ? letters.list(after, limit) : letters.waiting(after, limit);
    // A page that is not full is the last one.
    const last = page.length < limit ? undefined : page.at(-1)?.seq;
    return { ok: true, value: { letters: page, ...(last === undefined ? {} : { after: last }) } };
  },
  'outbox.replay': ({ args }) => {
    const asked = REMOTE_ARGS['outbox.replay'].safeParse(args);
    if (!asked.success) return invalid('/args/ids is no list of ids');
    return { ok: true, value: { taken: letters.replay(asked.data.ids) } };
  },
});
