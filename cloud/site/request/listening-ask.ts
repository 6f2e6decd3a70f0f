import type { Listened, ListenedAnswer } from '#shared/contract/site/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import {
  answerListeningAsk,
  asksOfListening,
  deleteListeningAsk,
  insertListeningAsk,
  type ListeningRow,
  notedListening,
  readListening,
  readListeningAsk,
  type Store,
  type Vault,
} from '../../store/index.ts';

export interface ListeningAskPort {
  readonly store: Store;
  /** It seals callbacks while they lie in rows. */
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly nowMs: () => number;
  readonly randomId: () => string;
  /** Runs it once after so many milliseconds. */
  readonly after: (ms: number, run: () => void) => void;
}

/** A request of a receiver that a listening answers. */
export interface AskedCallback {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Ask = Extract<Listened, { readonly event: 'ask' }>['data'];

const MOST_ASKED = 20;
/** Chosen: the longest callbackTimeout that a receiver may have; the host decides when it is too late. */
const ASKED_MS = 60_000;

const placeOf = (id: string, what: 'request' | 'answer'): string => `listening|ask|${what}|${id}`;

/**
 * Callbacks on their way to a developer and back. The receiver's request, the stream that is read and the answer may each be at
 * another replica:
 *
 *     callback ─▶ row, sealed ─ announced ─▶ reader of the stream
 *                  row ◀─────────────────── answer
 *     callback ◀─ announced; the row goes
 *
 * Chosen: rows, sealed by the vault and removed with the answer, a minute later at the latest. The replicas have no other way to each other
 * that carries 64 KiB.
 */
export function createListeningAsks({ store, vault, nowMs, randomId, after }: ListeningAskPort) {
  /** A callback of a receiver that names this listening. */
  async function ask(
    listening: string,
    request: AskedCallback,
  ): Promise<Result<ListenedAnswer, Failure<'notListening' | 'silent'>>> {
    const id = randomId();
    const isTaken = await store.withTx(async (tx) => {
      const row = await readListening(tx, listening);
      if (row === undefined || !isAnswering(row, nowMs())) return false;
      if ((await asksOfListening(tx, listening)).length >= MOST_ASKED) return false;
      const sealed = vault.seal(JSON.stringify(request), placeOf(id, 'request'));
      const expiresAt = nowMs() + ASKED_MS;
      await insertListeningAsk(tx, { id, listening, request: sealed, answer: null, expiresAt });
      return true;
    });
    if (!isTaken)
      return fail(
        'notListening',
        'The callback has no answer: its listener is away. Start carillon listen --answer.',
      );
    const answer = await answered(listening, id).finally(() =>
      store.withTx((tx) => deleteListeningAsk(tx, id)),
    );
    return answer === undefined
      ? fail('silent', 'The callback has no answer: its listener did not answer in time. Answer sooner.')
      : ok(answer);
  }

  /** Undefined: none came in time, or the listening has ended. */
  async function answered(listening: string, id: string): Promise<ListenedAnswer | undefined> {
    let isOver = false;
    let wake = (): void => undefined;
    const stop = store.onNotice((notices) => {
      for (const notice of notices) if (notedListening(notice) === listening) wake();
    });
    after(ASKED_MS, () => {
      isOver = true;
      wake();
    });
    try {
      for (;;) {
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        const row = await readListeningAsk(store, id);
        if (row === undefined) return undefined;
        if (row.answer !== null) return opened<ListenedAnswer>(row.answer, placeOf(id, 'answer'));
        if (isOver) return undefined;
        await woken;
      }
    } finally {
      stop();
    }
  }

  /** Whether a callback waited for this answer. */
  const answer = (listening: string, given: ListenedAnswer): Promise<boolean> =>
    store.withTx((tx) =>
      answerListeningAsk(
        tx,
        { id: given.requestId, listening },
        vault.seal(JSON.stringify(given), placeOf(given.requestId, 'answer')),
      ),
    );

  /** Callbacks of a listening that wait. */
  const waiting = async (listening: string): Promise<Ask[]> =>
    (await asksOfListening(store, listening)).flatMap(({ id, request }) => {
      const asked = opened<AskedCallback>(request, placeOf(id, 'request'));
      return asked === undefined ? [] : [{ requestId: id, ...asked, headers: { ...asked.headers } }];
    });

  /** Undefined: another key seals by now. */
  function opened<T>(sealed: string, place: string): T | undefined {
    try {
      return JSON.parse(vault.open(sealed, place)) as T;
    } catch {
      return undefined;
    }
  }

  return { ask, answer, waiting };
}

/** Whether callbacks go to this listening now. */
const isAnswering = ({ body, reader, readUntil, expiresAt }: ListeningRow, nowMs: number): boolean =>
  body.answers === true && reader !== null && readUntil > nowMs && expiresAt > nowMs;
