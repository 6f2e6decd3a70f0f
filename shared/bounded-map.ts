/**
 * A map of bounded size: what was set longest ago gives way to what is new. Setting a key again counts as new, and so does
 * `use`. The cost of an operation does not grow with the size: the iterator over the keys stays where the last key gave way, and
 * walks over no place of a key that went.
 *
 * A table that the map has left stays in memory with all behind it while an iterator stands in it. So the iterator begins again
 * after as many keys as the map holds: it walks over few places for each of them, and holds one or two tables.
 */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #most: number;
  /** Everything before its place has given way. */
  #oldest: Iterator<K> = this.#entries.keys();
  /** Keys that were set since the iterator moved. */
  #since = 0;

  /** `most`: at least 1. */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#entries.size;
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  /** The value, which gives way last from now on. */
  use(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (++this.#since > this.#entries.size) this.#begin();
    if (this.#entries.size <= this.#most) return;
    const oldest = this.#oldest.next();
    this.#since = 0;
    if (oldest.done !== true) this.#entries.delete(oldest.value);
  }

  /** @returns whether it was there */
  delete(key: K): boolean {
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#begin();
  }

  /** The oldest first. */
  keys(): MapIterator<K> {
    return this.#entries.keys();
  }

  values(): MapIterator<V> {
    return this.#entries.values();
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.#entries.entries();
  }

  #begin(): void {
    this.#oldest = this.#entries.keys();
    this.#since = 0;
  }
}
