import { fail } from '#shared/result.ts';
import { networkOf } from '#shared/source-network.ts';

const QUARTER_MS = 15 * 60_000;
const HOUR_MS = 60 * 60_000;
const PER_ADDRESS = 5;
const IN_ALL = 100;
/** Chosen: wrong tries that are remembered; the oldest go first. */
const MOST_KEPT = 10_000;

/**
 * Counts wrong claim codes: 5 of one source network in 15 min, 100 in an hour of all networks together.
 *
 * Chosen: the count of all stops only networks that have sent a wrong code in this hour. Strangers could otherwise keep every
 * machine from its enrolment. A code has 50 bits, so that one try of each network is no way to guess it.
 */
export class WrongTries {
  #tries: { readonly network: string; readonly at: number }[] = [];
  readonly #toldAt = new Map<string, number>();

  /** Fails with `tooManyRequests` when no further code is looked at. */
  check(address: string, nowMs: number) {
    this.#tries = this.#tries.filter(({ at }) => at > nowMs - HOUR_MS);
    const network = networkOf(address);
    const own = this.#tries.filter((each) => each.network === network);
    const late = own.filter(({ at }) => at > nowMs - QUARTER_MS);
    return late.length >= PER_ADDRESS || (own.length > 0 && this.#tries.length >= IN_ALL)
      ? fail(
          'tooManyRequests',
          'The enrolment is refused: too many wrong claim codes were sent. Wait 15 minutes and read the code again.',
        )
      : undefined;
  }

  /** Whether this address should be reported: at most once an hour. */
  note(address: string, nowMs: number): boolean {
    const network = networkOf(address);
    this.#tries.push({ network, at: nowMs });
    if (this.#tries.length > MOST_KEPT) this.#tries.shift();
    const told = this.#toldAt.get(network) ?? Number.NEGATIVE_INFINITY;
    if (told > nowMs - HOUR_MS) return false;
    if (this.#toldAt.size >= IN_ALL) this.#toldAt.clear();
    this.#toldAt.set(network, nowMs);
    return true;
  }
}
