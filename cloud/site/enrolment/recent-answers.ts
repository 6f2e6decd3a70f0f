import { BoundedMap } from '#shared/bounded-map.ts';
import type { ClaimHostAnswer, EnrolledAnswer } from '#shared/contract/site/index.ts';
import type { Result } from '#shared/result.ts';

/** Chosen: four tries of a machine, which asks every 30 s. */
const KEPT_MS = 120_000;
/** Chosen: some 3 MB. */
const MOST_KEPT = 500;

type Answer = Promise<Result<ClaimHostAnswer>>;

/**
 * Answers to claims, under way and of the last minutes, by the whole content of the request. A machine waits 10 s for its answer; where
 * thousands connect at once the work takes longer. The machine asks again, and would get a new certificate each time, in as much time.
 */
export class RecentAnswers {
  readonly #begun = new Map<string, Answer>();
  readonly #given = new BoundedMap<string, { readonly answer: EnrolledAnswer; readonly askedAt: number }>(
    MOST_KEPT,
  );

  /** The answer to the same request, which is not there yet. */
  begun(request: string): Answer | undefined {
    return this.#begun.get(request);
  }

  /** The certificate that the same request got. The host may have changed since. */
  given(request: string, atMs: number): EnrolledAnswer | undefined {
    const given = this.#given.get(request);
    return given !== undefined && atMs - given.askedAt < KEPT_MS ? given.answer : undefined;
  }

  /** Keeps an answer that is under way; a refusal, or a machine that waits for a person, is decided again. */
  keep(request: string, answer: Answer, atMs: number): void {
    this.#begun.set(request, answer);
    const settled = (result?: Result<ClaimHostAnswer>): void => {
      if (this.#begun.get(request) !== answer) return;
      this.#begun.delete(request);
      if (result?.ok !== true || result.value.state !== 'enrolled') return;
      this.#given.set(request, { answer: result.value, askedAt: atMs });
    };
    answer.then(settled, () => settled());
  }
}
