import type { Undo } from './action.ts';
import type { PlanName } from './plan.ts';

/**
 * One line of the journal. It is on the disk before what it announces is done: `undo` before the change it takes back.
 *
 *     plan ── step begun ── undo … ── step done ── … ── end
 */
export type JournalEntry =
  | {
      readonly plan: PlanName;
      readonly at: string;
      readonly whenFailed: 'keep' | 'undo';
      readonly afterUndo: readonly (readonly string[])[];
    }
  | { readonly step: string; readonly state: 'begun' }
  | { readonly step: string; readonly state: 'done'; readonly changed: number }
  | { readonly undo: Undo }
  | { readonly end: 'done' | 'undone' | 'failed' };

/** `cut`: the end was never written. `failed`: it ended with an error and keeps what it did. */
export type JournalState =
  | { readonly kind: 'empty' }
  | { readonly kind: 'ended'; readonly plan: PlanName; readonly end: 'done' | 'undone' }
  | {
      readonly kind: 'cut';
      readonly plan: PlanName;
      readonly at: string;
      /** The step it was in, or the last one it had done. */
      readonly step: string | undefined;
      readonly whenFailed: 'keep' | 'undo';
      /** In the order of taking back: the last change first. */
      readonly undo: readonly Undo[];
      readonly afterUndo: readonly (readonly string[])[];
    };

/**
 * Where the plan of this journal stands. The last line may be torn by a power cut: what it announced was not begun then,
 * so it is left out. Any other line that is no entry makes the journal unusable: undefined.
 */
export function readJournal(text: string): JournalState | undefined {
  const lines = text.split('\n').filter((line) => line !== '');
  const entries: JournalEntry[] = [];
  for (const [index, line] of lines.entries()) {
    const entry = entryOf(line);
    if (entry !== undefined) entries.push(entry);
    else if (index < lines.length - 1 || text.endsWith('\n')) return undefined;
  }
  const [head, ...rest] = entries;
  if (head === undefined) return { kind: 'empty' };
  if (!('plan' in head)) return undefined;
  let step: string | undefined;
  const undo: Undo[] = [];
  for (const entry of rest) {
    if ('end' in entry && entry.end !== 'failed') return { kind: 'ended', plan: head.plan, end: entry.end };
    if ('step' in entry) step = entry.step;
    if ('undo' in entry) undo.unshift(entry.undo);
  }
  const { plan, at, whenFailed, afterUndo } = head;
  return { kind: 'cut', plan, at, step, whenFailed, undo, afterUndo };
}

function entryOf(line: string): JournalEntry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as JournalEntry) : undefined;
  } catch {
    return undefined;
  }
}

/** The first step of a command that finds this journal. */
export type Resumption = 'begin' | 'continue' | 'undoFirst';

/**
 * A plan that keeps what it did is continued by running it again: every action looks first. One that is taken back on
 * failure is taken back before anything else happens.
 */
export function resumption(journal: JournalState): Resumption {
  if (journal.kind !== 'cut') return 'begin';
  return journal.whenFailed === 'undo' ? 'undoFirst' : 'continue';
}
