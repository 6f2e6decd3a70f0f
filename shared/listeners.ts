/**
 * An event that an object names once, and everybody who listens to it. The owner emits; listeners subscribe where they are
 * constructed and hear it in the order in which they subscribed.
 */
export class Listeners<Arguments extends readonly unknown[]> {
  readonly #listeners: ((...given: Arguments) => void)[] = [];

  add(listener: (...given: Arguments) => void): void {
    this.#listeners.push(listener);
  }

  emit(...given: Arguments): void {
    for (const listener of this.#listeners) listener(...given);
  }
}
