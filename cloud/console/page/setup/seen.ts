/** A number, name or device that a host has seen lately. */
export interface Seen {
  readonly value: string;
  readonly role: 'from' | 'to' | 'device';
  readonly amount: number;
  readonly lastAt: number;
  readonly receiver?: string;
}

export interface JudgedSeen extends Seen {
  readonly isMatch: boolean;
}

/** Destinations that were seen, each with the judgement of a pattern, in the order of the answer. */
export const judged = (seen: readonly Seen[], test: (subject: string) => boolean): JudgedSeen[] =>
  seen.filter(({ role }) => role === 'to').map((each) => ({ ...each, isMatch: test(each.value) }));
