import type { ConditionEvent } from './condition-table.ts';

/**
 * Holds condition events back while a technician tries things out. The receivers never hear of a condition that came and went
 * in that time; a condition that holds when it ends, or a reported one that is well again, is reported then.
 */
export class TestModeMute {
  readonly #held = new Map<string, ConditionEvent>();
  /** The conditions that the receivers believe to hold. */
  readonly #believed = new Set<string>();
  #quiet = false;

  /** @returns the events to report now: this one, or none while it is quiet */
  take(event: ConditionEvent): readonly ConditionEvent[] {
    const key = `${event.error} ${event.service}`;
    if (!this.#quiet) {
      if (event.status === 'raised') this.#believed.add(key);
      else this.#believed.delete(key);
      return [event];
    }
    this.#held.delete(key);
    if (event.status === 'raised' || this.#believed.has(key)) this.#held.set(key, event);
    return [];
  }

  get isQuiet(): boolean {
    return this.#quiet;
  }

  /** The quiet begins. */
  begin(): void {
    this.#quiet = true;
  }

  /** Ends the quiet time; returns the events to report now, in the order in which they happened last. */
  end(): readonly ConditionEvent[] {
    this.#quiet = false;
    const events = [...this.#held.values()];
    this.#held.clear();
    return events.flatMap((each) => this.take(each));
  }
}
