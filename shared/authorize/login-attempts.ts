import { BoundedMap } from '../bounded-map.ts';
import { fail, ok, type Result } from '../result.ts';
import { networkOf } from '../source-network.ts';

const WINDOW_MS = 15 * 60_000;
const TRIES = 5;
/** Wrong tries of a name from all networks that cost no time. */
const FREE_TRIES = 5;
const FIRST_DELAY_MS = 500;
/** Chosen: proxies give up after thirty seconds, and an owner at a new browser waits so long at most. */
const LONGEST_DELAY_MS = 10_000;
/** A network from which the name has come in rightly is known for so long. */
const KNOWN_MS = 30 * 86_400_000;
/** Names remembered; beyond it the one tried longest ago is forgotten. */
const NAMES_KEPT = 50_000;

/** One try to come in under a name. */
export interface LoginTry {
  readonly name: string;
  /** Address of who tries. */
  readonly source: string;
  /** The browser or device has shown that the name came in by it before. */
  readonly known?: boolean;
}

/** Wrong tries of others since the name came in last. */
export interface WrongTries {
  readonly count: number;
  /** Epoch ms, and the address, of the last one. */
  readonly lastAt: number;
  readonly lastSource: string;
}

/** Refused without looking at the password. */
const locked = (retryAfterS: number) => ({
  ok: false as const,
  error: {
    ...fail('tooManyRequests', 'Too many wrong tries; wait as long as Retry-After says.').error,
    retryAfterS,
  },
});

interface Wrong {
  readonly at: number;
  readonly source: string;
}

/**
 * Wrong passwords by name and source network: 5 in 15 minutes, then nothing more of this network is looked at until the first of them is
 * 15 minutes old. For a name that is tried from many networks each answer is delayed, longer with each try; a network or
 * browser by which the name came in before waits for nothing. An owner cannot be locked out, and a name without a person is
 * counted like any other.
 */
export class LoginAttempts {
  /** By name and network, in the order of the last try. */
  readonly #tries = new BoundedMap<string, number[]>(NAMES_KEPT);
  readonly #wrong = new BoundedMap<string, Wrong[]>(NAMES_KEPT);
  readonly #known = new BoundedMap<string, number>(NAMES_KEPT);
  readonly #told = new BoundedMap<string, number>(NAMES_KEPT);
  readonly #onLocked: (locked: LoginTry, nowMs: number) => void;

  /** `onLocked`: a network was locked out of a name, once in 15 minutes for each name. */
  constructor(onLocked: (locked: LoginTry, nowMs: number) => void = () => undefined) {
    this.#onLocked = onLocked;
  }

  /**
   * A try begins, and counts as wrong until `right` is called. `delayMs`: so long its answer waits. Fails with `tooManyRequests`
   * and `retryAfterS`.
   */
  begin(one: LoginTry, nowMs: number): Result<{ readonly delayMs: number }> {
    const place = placeOf(one);
    const recent = (this.#tries.get(place) ?? []).filter((at) => at > nowMs - WINDOW_MS);
    const [first] = recent;
    if (recent.length >= TRIES && first !== undefined) {
      this.#tell(one, nowMs);
      return locked(Math.ceil((first + WINDOW_MS - nowMs) / 1000));
    }
    this.#tries.set(place, [...recent, nowMs]);
    const wrong = (this.#wrong.get(one.name) ?? []).filter(({ at }) => at > nowMs - WINDOW_MS);
    this.#wrong.set(one.name, [...wrong.slice(-MOST_WRONG), { at: nowMs, source: one.source }]);
    return ok({ delayMs: this.#isKnown(one, place, nowMs) ? 0 : delayOf(wrong.length) });
  }

  /** The password was right. Gives the wrong tries of other networks since the last right one. */
  right(one: LoginTry, nowMs: number): WrongTries | undefined {
    const place = placeOf(one);
    this.#tries.delete(place);
    this.#known.set(place, nowMs);
    const own = networkOf(one.source);
    const others = (this.#wrong.get(one.name) ?? []).filter(({ source }) => networkOf(source) !== own);
    this.#wrong.delete(one.name);
    const last = others.at(-1);
    return last && { count: others.length, lastAt: last.at, lastSource: last.source };
  }

  #isKnown({ known }: LoginTry, place: string, nowMs: number): boolean {
    const rightMs = this.#known.get(place);
    return known === true || (rightMs !== undefined && nowMs - rightMs < KNOWN_MS);
  }

  #tell(one: LoginTry, nowMs: number): void {
    const told = this.#told.get(one.name);
    if (told !== undefined && nowMs - told < WINDOW_MS) return;
    this.#told.set(one.name, nowMs);
    this.#onLocked(one, nowMs);
  }
}

/** Wrong tries of one name that are remembered: the delay has long reached its end. */
const MOST_WRONG = 100;

/** A known browser has tries of its own: its network may be shared with who guesses. */
const placeOf = ({ name, source, known = false }: LoginTry): string =>
  `${known ? 'known' : networkOf(source)} ${name}`;

const delayOf = (wrong: number): number =>
  wrong < FREE_TRIES ? 0 : Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (wrong - FREE_TRIES));
