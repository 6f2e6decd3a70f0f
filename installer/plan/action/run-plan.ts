import type { Action, Undo } from './action.ts';
import type { JournalEntry } from './journal.ts';
import type { Plan } from './plan.ts';

/** The finding of an action: nothing to do, or its undo (absent: none is possible or needed). */
export type Look = { readonly needed: false } | { readonly needed: true; readonly undo?: Undo };

/** The host as a plan sees it. */
export interface PlanPorts {
  /** Resolves when the line is on the disk. */
  readonly note: (entry: JournalEntry) => Promise<void>;
  readonly look: (action: Action) => Promise<Look>;
  /** Rejects with one sentence for the person. */
  readonly make: (action: Action) => Promise<void>;
  /** Takes one change back; a missing file is no failure. */
  readonly takeBack: (undo: Undo) => Promise<void>;
  readonly tell: (event: PlanEvent) => void;
  readonly now: () => string;
}

export type PlanEvent =
  | { readonly step: string; readonly state: 'begun' }
  | { readonly step: string; readonly state: 'done'; readonly changed: number }
  | { readonly step: string; readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'undoing'; readonly changes: number }
  | { readonly state: 'undone' };

/** A step that did not succeed; `undone`: everything the plan had changed was taken back. */
export class PlanFailure extends Error {
  readonly step: string;
  readonly undone: boolean;

  constructor(step: string, undone: boolean, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.step = step;
    this.undone = undone;
  }
}

/**
 * Runs the steps in their order; resolves with the number of changes. A second run changes nothing.
 *
 *     begun ── look ─┬─ nothing to do
 *                    └─ note what takes it back ── make ── … ── done
 *     a step fails:  `undo` takes everything back, last change first; `keep` leaves it for the next run
 */
export async function runPlan(plan: Plan, ports: PlanPorts, earlier: readonly Undo[] = []): Promise<number> {
  const undo: Undo[] = [...earlier];
  const { name, whenFailed, afterUndo } = plan;
  await ports.note({ plan: name, at: ports.now(), whenFailed, afterUndo });
  // The changes of an interrupted run can still be taken back.
  for (const each of earlier.toReversed()) await ports.note({ undo: each });
  let changed = 0;
  for (const { id, actions } of plan.steps) {
    await ports.note({ step: id, state: 'begun' });
    ports.tell({ step: id, state: 'begun' });
    const before = changed;
    try {
      for (const action of actions) {
        if (action.kind === 'command' && action.after === 'change' && changed === 0) continue;
        if (action.kind === 'command' && action.after === 'change of step' && changed === before) continue;
        const found = await ports.look(action);
        if (!found.needed) continue;
        if (found.undo !== undefined) {
          await ports.note({ undo: found.undo });
          undo.unshift(found.undo);
        }
        await ports.make(action);
        if (action.kind !== 'act') changed++;
      }
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      ports.tell({ step: id, state: 'failed', reason });
      if (whenFailed === 'undo') await takeAllBack(undo, afterUndo, ports);
      else await ports.note({ end: 'failed' });
      throw new PlanFailure(id, whenFailed === 'undo', cause);
    }
    await ports.note({ step: id, state: 'done', changed: changed - before });
    ports.tell({ step: id, state: 'done', changed: changed - before });
  }
  await ports.note({ end: 'done' });
  return changed;
}

/** Takes back what a journal holds, last change first, and starts what ran before. */
export async function takeAllBack(
  undo: readonly Undo[],
  afterUndo: readonly (readonly string[])[],
  ports: Pick<PlanPorts, 'takeBack' | 'note' | 'tell'>,
): Promise<void> {
  ports.tell({ state: 'undoing', changes: undo.length });
  for (const each of undo) await ports.takeBack(each);
  for (const argv of afterUndo) await ports.takeBack({ kind: 'command', argv });
  await ports.note({ end: 'undone' });
  ports.tell({ state: 'undone' });
}
