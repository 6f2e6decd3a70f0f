import { startTimer } from '../io/system/index.ts';

/**
 * A part that is built after those who ask for it. It is set once; whoever reads it before has a defect in the order of
 * construction. Chosen: an object with a name and no function that closes over a later variable, so that the places
 * where the order of construction is broken can be counted (`late-part.ts`).
 */
export class Late<Part> {
  readonly #name: string;
  #part: { readonly is: Part } | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  get now(): Part {
    if (this.#part === undefined) throw new Error(`${this.#name} is read before it is built`);
    return this.#part.is;
  }

  /** Gives the part back. */
  set<Built extends Part>(part: Built): Built {
    if (this.#part !== undefined) throw new Error(`${this.#name} is built twice`);
    this.#part = { is: part };
    return part;
  }
}

/** The outcome of `work`; rejects after `withinMs` when no configuration has come by then. */
export async function within(work: Promise<void>, withinMs: number): Promise<void> {
  const late = Promise.withResolvers<never>();
  const stop = startTimer(withinMs, () =>
    late.reject(new Error(`the appliance got no configuration within ${withinMs / 1000} s; look at its log`)),
  );
  try {
    await Promise.race([work, late.promise]);
  } finally {
    stop();
  }
}
