/** Members that a sentence stands for; all others are paths of a callback. */
const KNOWN = ['protocol', 'callbackBaseUrl', 'alarmEventMapperId', 'device', 'drop'] as const;
export type FieldKind = (typeof KNOWN)[number];

/** The number of alarms that a draft changes anything for. */
export const changeOf = (trial: {
  readonly differences: readonly { readonly alarms: number }[];
  readonly others: number;
}): number => trial.differences.reduce((sum, { alarms }) => sum + alarms, trial.others);

/** Members that have a sentence, and paths that stand for themselves. */
export function fieldKinds(fields: readonly string[]): {
  readonly known: readonly FieldKind[];
  readonly members: readonly string[];
} {
  const isKnown = (field: string): field is FieldKind => (KNOWN as readonly string[]).includes(field);
  return { known: fields.filter(isKnown), members: fields.filter((field) => !isKnown(field)) };
}

const ASIDE_MS = 60_000;

/** The query of the list of records that shows one alarm: without a time it would show the last day alone. */
export const recordOf = (traceId: string, at: number): string =>
  `?${new URLSearchParams({ traceId, from: String(at - ASIDE_MS), to: String(at + ASIDE_MS) })}`;
