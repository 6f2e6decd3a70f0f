/**
 * Events of a thread that works before the service is there that takes them. They are kept in their order until it is; an event
 * that the service causes meanwhile comes at once.
 */
export class EarlyEvents<Event> {
  #kept: Event[] = [];
  #consumer: ((event: Event) => void) | undefined;

  readonly emit = (event: Event): void => {
    if (this.#consumer === undefined) this.#kept.push(event);
    else this.#consumer(event);
  };

  deliverTo(consumer: (event: Event) => void): void {
    this.#consumer = consumer;
    for (const event of this.#kept.splice(0)) consumer(event);
  }
}
