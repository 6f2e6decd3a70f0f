import { fail, ok, type Result } from '../result.ts';

const WINDOW_MS = 15 * 60_000;
const TRIES = 5;
/** Names remembered; beyond it the one tried longest ago is forgotten. */
const NAMES_KEPT = 50_000;

/** Refused without looking at the password. */
const locked = (retryAfterS: number) => ({
  ok: false as const,
  error: {
    ...fail('tooManyRequests', 'Too many wrong tries; wait as long as Retry-After says.').error,
    retryAfterS,
  },
});

/**
 * Wrong passwords by name: 5 in 15 minutes, then nothing more is looked at until the first of them is 15 minutes old. A
 * name nobody has is counted like any other.
 */
export class LoginAttempts {
  readonly #tries = new Map<string, number[]>();

  /** A try begins, and counts as wrong until `right` is called. Fails with `tooManyRequests` and `retryAfterS`. */
  begin(name: string, nowMs: number): Result<null> {
    const recent = (this.#tries.get(name) ?? []).filter((at) => at > nowMs - WINDOW_MS);
    const [first] = recent;
    if (recent.length >= TRIES && first !== undefined)
      return locked(Math.ceil((first + WINDOW_MS - nowMs) / 1000));
    // Set anew, so that the map stays in order of the last try.
    this.#tries.delete(name);
    this.#tries.set(name, [...recent, nowMs]);
    if (this.#tries.size > NAMES_KEPT) {
      const oldest = this.#tries.keys().next().value;
      if (oldest !== undefined) this.#tries.delete(oldest);
    }
    return ok(null);
  }

  /** The password was right. */
  right(name: string): void {
    this.#tries.delete(name);
  }
}
