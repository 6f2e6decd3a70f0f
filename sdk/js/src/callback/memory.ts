/** Remembers which tokens were used. Several processes behind one address need one memory together. */
export interface ReplayMemory {
  /** True the first time a token is shown; `untilMs`: epoch ms after which the token is expired and may be forgotten. */
  readonly isFirst: (token: string, untilMs: number, nowMs: number) => boolean | Promise<boolean>;
}

/** Tokens of five minutes at 300 callbacks a second. */
const REMEMBERED_TOKENS = 100_000;

/**
 * A memory in this process.
 *
 * Chosen: a full memory forgets its oldest token and refuses none, since a refused callback may be an alarm; the replay
 * of a forgotten token is still recognised as a repeat by its Idempotency-Key.
 */
export function replayMemory(most = REMEMBERED_TOKENS): ReplayMemory {
  const seen = new Map<string, number>();
  return {
    isFirst: (token, untilMs, nowMs) => {
      const known = seen.get(token);
      if (known !== undefined && known >= nowMs) return false;
      for (const [oldest, endMs] of seen) {
        if (endMs >= nowMs && seen.size < most) break;
        seen.delete(oldest);
      }
      seen.set(token, untilMs);
      return true;
    },
  };
}

/** An answer that was given. */
export interface GivenAnswer {
  readonly status: number;
  readonly body: string;
}

/** Answers by Idempotency-Key: a repeat gets the first answer and no handler runs twice. */
export interface AnswerMemory {
  /** The answer to the key; `answer` runs only when there is none. A failed answer is not remembered. */
  readonly once: (
    key: string,
    answer: () => Promise<GivenAnswer>,
  ) => Promise<GivenAnswer & { readonly repeated: boolean }>;
}

const REMEMBERED_ANSWERS = 10_000;

/** A memory in this process. A repeat that arrives while the first is being answered waits for the same answer. */
export function answerMemory(most = REMEMBERED_ANSWERS): AnswerMemory {
  const given = new Map<string, Promise<GivenAnswer>>();
  return {
    once: async (key, answer) => {
      const known = given.get(key);
      if (known !== undefined) return { ...(await known), repeated: true };
      const made = answer();
      given.set(key, made);
      for (const oldest of given.keys()) {
        if (given.size <= most) break;
        given.delete(oldest);
      }
      try {
        const first = await made;
        if (first.status >= 300) given.delete(key);
        return { ...first, repeated: false };
      } catch (cause) {
        given.delete(key);
        throw cause;
      }
    },
  };
}
