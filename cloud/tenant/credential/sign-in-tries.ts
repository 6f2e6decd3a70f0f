import {
  begunTry,
  cameIn,
  type LoginTries,
  type LoginTry,
  NO_TRIES,
  type OnLocked,
  triesEndAt,
} from '#shared/authorize/index.ts';
import { deleteOldLoginAttempts, lockLoginAttempt, putLoginAttempt, type Store } from '../../store/index.ts';

/**
 * The tries of a name, in one row that is locked while a try is judged.
 *
 * Chosen: rows, so that five tries are five tries, however many replicas there are and however often one is started again. A sign-in
 * proves a password for tens of milliseconds; a row costs it one more.
 */
export function signInTries(store: Store, sha256: (text: string) => string, onLocked: OnLocked): LoginTries {
  const keyOf = ({ name }: LoginTry): string => sha256(`sign-in ${name}`);
  return {
    begin: async (one, nowMs) => {
      const begun = await store.withTx(async (tx) => {
        await deleteOldLoginAttempts(tx, nowMs);
        const step = begunTry(await lockLoginAttempt(tx, keyOf(one), NO_TRIES), one, nowMs);
        await putLoginAttempt(tx, keyOf(one), step.state, triesEndAt(step.state));
        return step;
      });
      if (begun.isToTell) onLocked(one, nowMs);
      return begun.answer;
    },
    right: (one, nowMs) =>
      store.withTx(async (tx) => {
        const step = cameIn(await lockLoginAttempt(tx, keyOf(one), NO_TRIES), one, nowMs);
        await putLoginAttempt(tx, keyOf(one), step.state, triesEndAt(step.state));
        return step.others;
      }),
  };
}
