import {
  ALARM_MARK_SIGNS,
  HISTORY_EFFECTS,
  type HistoryDifference,
  type HistoryTrialData,
  MOST_EXAMPLES,
} from '#shared/contract/history/index.ts';
/** The sums of all hosts. */
export type MergedTrial = Pick<HistoryTrialData, 'tried' | 'untried' | 'cut' | 'others'> & {
  readonly differences: HistoryDifference[];
};

/**
 * Adds up what hosts answered. An alarm that several hosts have stored is counted once, as the first of them tells it: hosts of a pair
 * take over each other's alarms, and a device may have said its alarm to both.
 */
export function mergedTrial(parts: readonly HistoryTrialData[]): MergedTrial {
  const groups = new Map<string, HistoryDifference>();
  const seen = new Set<string>();
  let tried = 0;
  for (const part of parts) {
    const fresh = freshOf(part, seen);
    tried += fresh.tried;
    for (const [position, difference] of part.differences.entries())
      add(groups, difference, fresh.of(position));
  }
  return {
    tried,
    untried: sumOf(parts, 'untried'),
    others: sumOf(parts, 'others'),
    cut: parts.some(({ cut }) => cut),
    differences: [...groups.values()].toSorted(
      (a, b) => HISTORY_EFFECTS.indexOf(a.effect) - HISTORY_EFFECTS.indexOf(b.effect) || b.alarms - a.alarms,
    ),
  };
}

/** The alarms of a host that no host before it had: their number, and that of each difference. */
function freshOf({ alarms, tried, differences }: HistoryTrialData, seen: Set<string>) {
  // A host that was not asked for marks is the only one.
  if (alarms.length === 0) return { tried, of: (position: number) => differences[position]?.alarms ?? 0 };
  const counts = new Map<number, number>();
  let fresh = 0;
  for (const entry of alarms) {
    const mark = entry.slice(0, ALARM_MARK_SIGNS);
    if (seen.has(mark)) continue;
    seen.add(mark);
    fresh++;
    if (entry.length === ALARM_MARK_SIGNS) continue;
    const position = Number(entry.slice(ALARM_MARK_SIGNS));
    counts.set(position, (counts.get(position) ?? 0) + 1);
  }
  return { tried: fresh, of: (position: number) => counts.get(position) ?? 0 };
}

function add(groups: Map<string, HistoryDifference>, difference: HistoryDifference, alarms: number): void {
  if (alarms === 0) return;
  const { effect, before, after, fields, examples } = difference;
  const key = JSON.stringify([effect, before?.id, after?.id, fields]);
  const known = groups.get(key);
  const all = new Map([...(known?.examples ?? []), ...examples].map((each) => [each.traceId, each]));
  groups.set(key, {
    ...difference,
    alarms: (known?.alarms ?? 0) + alarms,
    examples: [...all.values()].toSorted((a, b) => b.at - a.at).slice(0, MOST_EXAMPLES),
  });
}

const sumOf = (parts: readonly HistoryTrialData[], name: 'untried' | 'others'): number =>
  parts.reduce((sum, part) => sum + part[name], 0);
