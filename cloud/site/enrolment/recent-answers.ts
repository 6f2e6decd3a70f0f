import type { ClaimHostAnswer, EnrolledAnswer } from '#shared/contract/site/index.ts';
import type { Result } from '#shared/result.ts';

/** Chosen: four tries of a machine, which asks every 30 s. */
const KEPT_MS = 120_000;
/** Chosen: some 3 MB. Those given longest ago are dropped first. */
const MOST_KEPT = 500;

interface Entry {
  readonly under: Promise<Result<ClaimHostAnswer>>;
  /** Present once a certificate was given: a refusal, or a machine that waits for a person, is decided again. */
  given?: EnrolledAnswer;
  askedAt: number;
}

/**
 * Answers to claims, under way and of the last minutes, by the whole content of the request. A machine waits 10 s for its answer; where
 * thousands connect at once the work takes longer. The machine asks again, and would get a new certificate each time, in as much time.
 */
export class RecentAnswers {
  readonly #entries = new Map<string, Entry>();

  /** The answer to the same request, and whether it was given already: then the host may have changed since. */
  find(request: string, atMs: number): Pick<Entry, 'under' | 'given'> | undefined {
    for (const [key, { given, askedAt }] of this.#entries) {
      if (given === undefined) continue;
      if (atMs - askedAt < KEPT_MS) break;
      this.#entries.delete(key);
    }
    return this.#entries.get(request);
  }

  /** Keeps an answer that is under way, in the place of the one before. */
  keep(request: string, under: Promise<Result<ClaimHostAnswer>>, atMs: number): void {
    const entry: Entry = { under, askedAt: atMs };
    this.#entries.set(request, entry);
    const settled = (answer?: Result<ClaimHostAnswer>): void => {
      if (this.#entries.get(request) !== entry) return;
      // Behind all that were given before it.
      this.#entries.delete(request);
      if (answer?.ok !== true || answer.value.state !== 'enrolled') return;
      entry.given = answer.value;
      this.#entries.set(request, entry);
      this.#dropOldest();
    };
    under.then(settled, () => settled());
  }

  #dropOldest(): void {
    if (this.#entries.size <= MOST_KEPT) return;
    for (const [key, { given }] of this.#entries) {
      if (given === undefined) continue;
      this.#entries.delete(key);
      return;
    }
  }
}
