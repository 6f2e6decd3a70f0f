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

/** Counts wrong passwords and codes; in memory, or in rows. */
export interface LoginTries {
  /** As `begunTry`: it counts as wrong until `right` is called. */
  readonly begin: (one: LoginTry, nowMs: number) => BegunTry['answer'] | Promise<BegunTry['answer']>;
  /** As `cameIn`. */
  readonly right: (one: LoginTry, nowMs: number) => WrongTries | undefined | Promise<WrongTries | undefined>;
}

/** Hears that a network was locked out of a name, once in 15 minutes for each name. */
export type OnLocked = (locked: LoginTry, nowMs: number) => void;

/** The tries of one name. Times are epoch ms; the shape is stored by the control plane. */
export interface NameTries {
  /** By place, a network or the browsers that are known: the tries that are not known to be right. */
  readonly tries: Readonly<Record<string, readonly number[]>>;
  readonly wrong: readonly Wrong[];
  /** Places from which the name came in, and when it did last. */
  readonly known: Readonly<Record<string, number>>;
  /** The last time that a lock was reported. */
  readonly toldMs?: number;
}

export const NO_TRIES: NameTries = { tries: {}, wrong: [], known: {} };

/** A try that begins. */
export interface BegunTry {
  readonly state: NameTries;
  /** `delayMs`: so long its answer waits. Fails with `tooManyRequests` and `retryAfterS`. */
  readonly answer: Result<{ readonly delayMs: number }>;
  /** The lock should be reported now. */
  readonly isToTell: boolean;
}

/** A try begins, and counts as wrong until `cameIn` is called. */
export function begunTry(before: NameTries, one: LoginTry, nowMs: number): BegunTry {
  const place = placeOf(one);
  const recent = (before.tries[place] ?? []).filter((at) => at > nowMs - WINDOW_MS);
  const [first] = recent;
  if (recent.length >= TRIES && first !== undefined) {
    const isToTell = before.toldMs === undefined || nowMs - before.toldMs >= WINDOW_MS;
    const state = isToTell ? { ...before, toldMs: nowMs } : before;
    return { state, answer: locked(Math.ceil((first + WINDOW_MS - nowMs) / 1000)), isToTell };
  }
  const wrong = before.wrong.filter(({ at }) => at > nowMs - WINDOW_MS);
  const tries = newest(before.tries, (times) => Math.max(...times), nowMs - WINDOW_MS);
  const state = {
    ...before,
    tries: { ...tries, [place]: [...recent, nowMs] },
    wrong: [...wrong.slice(-MOST_WRONG), { at: nowMs, source: one.source }],
    known: newest(before.known, (at) => at, nowMs - KNOWN_MS),
  };
  const isKnown = one.known === true || nowMs - (before.known[place] ?? Number.NEGATIVE_INFINITY) < KNOWN_MS;
  return { state, answer: ok({ delayMs: isKnown ? 0 : delayOf(wrong.length) }), isToTell: false };
}

/** The try was right. `others`: the wrong tries of other networks since the last right one. */
export function cameIn(
  before: NameTries,
  one: LoginTry,
  nowMs: number,
): { readonly state: NameTries; readonly others: WrongTries | undefined } {
  const place = placeOf(one);
  const { [place]: _, ...tries } = before.tries;
  const own = networkOf(one.source);
  const others = before.wrong.filter(({ source }) => networkOf(source) !== own);
  const last = others.at(-1);
  const state = { ...before, tries, wrong: [], known: { ...before.known, [place]: nowMs } };
  return { state, others: last && { count: others.length, lastAt: last.at, lastSource: last.source } };
}

/** From then on these tries say nothing, epoch ms. */
export const triesEndAt = ({ tries, known }: NameTries): number =>
  Math.max(
    0,
    ...Object.values(tries).flatMap((times) => times.map((at) => at + WINDOW_MS)),
    ...Object.values(known).map((at) => at + KNOWN_MS),
  );

/** Those that were used behind `sinceMs`, and of these the newest. */
function newest<V>(
  all: Readonly<Record<string, V>>,
  atOf: (value: V) => number,
  sinceMs: number,
): Record<string, V> {
  const kept = Object.entries(all).filter(([, value]) => atOf(value) > sinceMs);
  return Object.fromEntries(
    kept.length < MOST_PLACES
      ? kept
      : kept.toSorted(([, a], [, b]) => atOf(b) - atOf(a)).slice(0, MOST_PLACES - 1),
  );
}

/**
 * Wrong passwords by name and source network: 5 in 15 minutes, then nothing more of this network is looked at until the first of them is
 * 15 minutes old. For a name that is tried from many networks each answer is delayed, longer with each try; a network or
 * browser by which the name came in before waits for nothing. An owner cannot be locked out, and a name without a person is
 * counted like any other. In the memory of one process; replicas of a control plane keep `NameTries` in rows.
 */
export class LoginAttempts implements LoginTries {
  /** By name, in the order of the last try. */
  readonly #names = new BoundedMap<string, NameTries>(NAMES_KEPT);
  readonly #onLocked: OnLocked;

  constructor(onLocked: OnLocked = () => undefined) {
    this.#onLocked = onLocked;
  }

  /** As `begunTry`. */
  begin(one: LoginTry, nowMs: number): BegunTry['answer'] {
    const { state, answer, isToTell } = begunTry(this.#names.get(one.name) ?? NO_TRIES, one, nowMs);
    this.#names.set(one.name, state);
    if (isToTell) this.#onLocked(one, nowMs);
    return answer;
  }

  /** As `cameIn`. */
  right(one: LoginTry, nowMs: number): WrongTries | undefined {
    const { state, others } = cameIn(this.#names.get(one.name) ?? NO_TRIES, one, nowMs);
    this.#names.set(one.name, state);
    return others;
  }
}

/** Wrong tries of one name that are remembered: the delay has long reached its end. */
const MOST_WRONG = 100;
/** Networks of one name that are remembered; the one used longest ago goes first. */
const MOST_PLACES = 1_000;

/** A known browser has tries of its own: its network may be shared with who guesses. */
const placeOf = ({ source, known = false }: LoginTry): string => (known ? 'known' : networkOf(source));

const delayOf = (wrong: number): number =>
  wrong < FREE_TRIES ? 0 : Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (wrong - FREE_TRIES));
