/**
 * The keys that were set lately: at least the `atLeast` newest, at most twice as many. There are two generations, and the older
 * is dropped as a whole: a Map from which the oldest key is taken for each new one keeps the places of those that went, and
 * looking for its first key walks over thousands of them each time.
 */
export class RecentMap<K, V> {
  readonly #atLeast: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  constructor(atLeast: number) {
    this.#atLeast = atLeast;
  }

  get(key: K): V | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  has(key: K): boolean {
    return this.#young.has(key) || this.#old.has(key);
  }

  set(key: K, value: V): void {
    this.#young.set(key, value);
    if (this.#young.size < this.#atLeast) return;
    this.#old = this.#young;
    this.#young = new Map();
  }

  /** All of them, the oldest first; nothing is left. */
  take(): [K, V][] {
    const all = [...this.#old, ...this.#young];
    this.#old = new Map();
    this.#young = new Map();
    return all;
  }
}
