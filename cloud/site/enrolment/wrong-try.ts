import { fail } from '#shared/result.ts';

const QUARTER_MS = 15 * 60_000;
const HOUR_MS = 60 * 60_000;
const PER_ADDRESS = 5;
const IN_ALL = 100;

/** Counts wrong claim codes: 5 of one address in 15 min, 100 in an hour of all together. */
export class WrongTries {
  #tries: { readonly address: string; readonly at: number }[] = [];
  readonly #toldAt = new Map<string, number>();

  /** Fails with `tooManyRequests` when no further code is looked at. */
  check(address: string, nowMs: number) {
    this.#tries = this.#tries.filter(({ at }) => at > nowMs - HOUR_MS);
    const own = this.#tries.filter((each) => each.address === address && each.at > nowMs - QUARTER_MS);
    return own.length >= PER_ADDRESS || this.#tries.length >= IN_ALL
      ? fail(
          'tooManyRequests',
          'The enrolment is refused: too many wrong claim codes were sent. Wait 15 minutes and read the code again.',
        )
      : undefined;
  }

  /** Whether this address should be reported: at most once an hour. */
  note(address: string, nowMs: number): boolean {
    this.#tries.push({ address, at: nowMs });
    const told = this.#toldAt.get(address) ?? Number.NEGATIVE_INFINITY;
    if (told > nowMs - HOUR_MS) return false;
    if (this.#toldAt.size >= IN_ALL) this.#toldAt.clear();
    this.#toldAt.set(address, nowMs);
    return true;
  }
}
