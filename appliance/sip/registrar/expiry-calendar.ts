/** When a name runs out, and the bucket where it waits, in seconds: a later one than its bucket says is moved when that is due. */
interface Entry {
  filed: number;
  second: number;
}

/**
 * When something of a name runs out next: one entry per name, in buckets of one second. Setting, moving and
 * taking out cost the same for ten names and for ten thousand; putting off, which every refresh does, costs a look.
 */
export class ExpiryCalendar {
  readonly #names = new Map<number, Set<string>>();
  readonly #entries = new Map<string, Entry>();
  /** Seconds up to here have been looked at. */
  #looked = Number.NEGATIVE_INFINITY;

  /** Sets or moves a name; `Infinity` takes it out. */
  set(name: string, atMs: number): void {
    const second = Math.ceil(atMs / 1_000);
    const known = this.#entries.get(name);
    if (known !== undefined && second >= known.filed && second !== Number.POSITIVE_INFINITY) {
      known.second = second;
      return;
    }
    if (known !== undefined) this.#remove(name, known.filed);
    if (second !== Number.POSITIVE_INFINITY) this.#file(name, second);
  }

  /** Takes out every name whose time has come. */
  due(nowMs: number): string[] {
    const last = Math.floor(nowMs / 1_000);
    const due: string[] = [];
    const seconds =
      last - this.#looked <= this.#names.size ? span(this.#looked + 1, last) : [...this.#names.keys()];
    for (const filed of seconds) {
      if (filed > last) continue;
      const names = this.#names.get(filed) ?? NONE;
      this.#names.delete(filed);
      for (const name of names) {
        const second = this.#entries.get(name)?.second ?? filed;
        this.#entries.delete(name);
        if (second > last) this.#file(name, second);
        else due.push(name);
      }
    }
    this.#looked = Math.max(this.#looked, last);
    return due;
  }

  #file(name: string, second: number): void {
    this.#entries.set(name, { filed: second, second });
    const names = this.#names.get(second);
    if (names === undefined) this.#names.set(second, new Set([name]));
    else names.add(name);
    // A clock that was set back: this second would not be looked at again.
    if (second <= this.#looked) this.#looked = second - 1;
  }

  #remove(name: string, second: number): void {
    const names = this.#names.get(second);
    names?.delete(name);
    if (names?.size === 0) this.#names.delete(second);
    this.#entries.delete(name);
  }
}

const NONE: ReadonlySet<string> = new Set();

const span = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
