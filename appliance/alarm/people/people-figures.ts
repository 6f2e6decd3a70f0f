import type { ProgressStep } from '../emergency-list/index.ts';

/** A device of the tenant, a number by a trunk, or a destination that is not called. */
export type CalledKind = 'device' | 'trunk' | 'none';

/** Steps of a call that are counted, with their word. */
const RESULTS: Readonly<Partial<Record<ProgressStep, string>>> = {
  ringing: 'offered',
  answered: 'answered',
  accepted: 'accepted',
  refused: 'refused',
  notReached: 'notReached',
  notAccepted: 'notAccepted',
  lost: 'lost',
};

/** Ends of a list that are counted. */
const ENDS: readonly ProgressStep[] = ['cleared', 'unanswered', 'stopped'];

const endOf = (end: ProgressStep): string => `people_lists_total{result="${end}"}`;

/**
 * Calls to people since the start, for `/metrics`. `Chosen:` by kind of destination, since a number is personal; the record and
 * the callback emergencyProgress have the steps of each destination.
 */
export class PeopleFigures {
  /** From zero on: a rule over their growth would miss the first list that ends unanswered. */
  readonly #counts = new Map<string, number>(ENDS.map((end) => [endOf(end), 0]));

  count(step: ProgressStep, kind: CalledKind): void {
    const result = RESULTS[step];
    if (result !== undefined) this.#add(`people_calls_total{to="${kind}",result="${result}"}`);
    if (ENDS.includes(step)) this.#add(endOf(step));
  }

  get figures(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }

  #add(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }
}
