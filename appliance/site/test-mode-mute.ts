import type { ConditionEvent } from './condition-table.ts';

/**
 * News that nobody is told while a technician tries things out. What came and went in that time was nobody's business; what holds
 * when it ends, or is well of what was told before, is told then.
 */
export class TestModeMute {
  readonly #held = new Map<string, ConditionEvent>();
  /** What the receivers believe to hold. */
  readonly #believed = new Set<string>();
  #quiet = false;

  /** What is to be told now of this news: itself, or nothing while it is quiet. */
  take(news: ConditionEvent): readonly ConditionEvent[] {
    const key = `${news.error} ${news.service}`;
    if (!this.#quiet) {
      if (news.status === 'raised') this.#believed.add(key);
      else this.#believed.delete(key);
      return [news];
    }
    this.#held.delete(key);
    if (news.status === 'raised' || this.#believed.has(key)) this.#held.set(key, news);
    return [];
  }

  get isQuiet(): boolean {
    return this.#quiet;
  }

  /** The quiet begins. */
  begin(): void {
    this.#quiet = true;
  }

  /** It is over: what is to be told now, in the order in which it happened last. */
  end(): readonly ConditionEvent[] {
    this.#quiet = false;
    const news = [...this.#held.values()];
    this.#held.clear();
    return news.flatMap((each) => this.take(each));
  }
}
