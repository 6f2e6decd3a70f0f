import type { SiteNews } from '#shared/contract/site/index.ts';

/** So many changes are kept for whoever was away for a moment. */
const KEPT = 1_000;

type Kept<T> = T extends SiteNews ? Pick<T, 'event' | 'data'> : never;
/** A change before it has its number. */
export type Change = Kept<SiteNews>;

/**
 * The latest changes of one tenant, numbered. Numbers of another log mean nothing here, hence the name of the log in each id.
 */
export class ChangeLog {
  readonly #name: string;
  readonly #kept: SiteNews[] = [];
  #last = 0;
  /** Changes up to this number are not kept. */
  #cut = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /** Number of the latest change. */
  get last(): number {
    return this.#last;
  }

  add(change: Change): void {
    this.#last += 1;
    this.#kept.push({ ...change, id: this.idOf(this.#last) } as SiteNews);
    if (this.#kept.length <= KEPT) return;
    this.#kept.shift();
    this.#cut += 1;
  }

  /** A change was missed: no listener may go on from before. */
  cut(): void {
    this.#last += 1;
    this.#cut = this.#last;
    this.#kept.length = 0;
  }

  idOf(number: number): string {
    return `${this.#name}-${number}`;
  }

  /** The number an id of this log names, while all that came after it is kept. */
  numberOf(id: string): number | undefined {
    const [, name, digits] = /^(.+)-(\d{1,15})$/.exec(id) ?? [];
    const number = Number(digits);
    return name === this.#name && number >= this.#cut && number <= this.#last ? number : undefined;
  }

  /** The change after this number: undefined = none yet, null = not kept any more. */
  after(number: number): SiteNews | undefined | null {
    if (number < this.#cut) return null;
    return this.#kept[number - this.#cut];
  }
}
