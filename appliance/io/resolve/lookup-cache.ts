import { BoundedMap } from '#shared/bounded-map.ts';
import type { Looked } from '../../sip/location/index.ts';

/** The answer of a name server, and for how long (ms) it holds. */
export interface Answer<T> {
  readonly looked: Looked<T>;
  readonly keepMs: number;
}

interface Entry {
  readonly looked: Promise<Looked<unknown>>;
  /** Undefined while the question is under way. */
  untilMs: number | undefined;
}

const MOST_NAMES = 2_000;

/** Answers by kind and name. A caller that asks while the same question is under way waits for its answer. */
export class LookupCache {
  readonly #monoMs: () => number;
  readonly #entries = new BoundedMap<string, Entry>(MOST_NAMES);

  constructor(monoMs: () => number) {
    this.#monoMs = monoMs;
  }

  of<T>(kind: string, name: string, ask: () => Promise<Answer<T>>): Promise<Looked<T>> {
    const key = `${kind} ${name.toLowerCase()}`;
    const known = this.#entries.get(key);
    if (known !== undefined && (known.untilMs === undefined || this.#monoMs() < known.untilMs))
      return known.looked as Promise<Looked<T>>;
    const answer = ask();
    const entry: Entry = { looked: answer.then(({ looked }) => looked), untilMs: undefined };
    void answer.then(({ keepMs }) => {
      entry.untilMs = this.#monoMs() + keepMs;
    });
    this.#entries.set(key, entry);
    return entry.looked as Promise<Looked<T>>;
  }
}
