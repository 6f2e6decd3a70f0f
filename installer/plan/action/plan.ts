import type { Action } from './action.ts';

/** Something a person recognises: the smallest thing that is reported, noted and continued. */
export interface Step {
  /** Names it in texts (`step.<id>`), in the journal and for `--json`. */
  readonly id: string;
  readonly actions: readonly Action[];
}

export type PlanName = 'install' | 'configure' | 'network' | 'upgrade' | 'rollback' | 'uninstall';

/** The changes of a command, before it makes any. */
export interface Plan {
  readonly name: PlanName;
  readonly steps: readonly Step[];
  /**
   * `keep`: what was done stays, and the same plan run again continues. `undo`: everything is taken back at once, and an
   * interrupted one is taken back by the next command that changes something.
   */
  readonly whenFailed: 'keep' | 'undo';
  /** Commands after everything was taken back: what ran before runs again. Noted in the journal. */
  readonly afterUndo: readonly (readonly string[])[];
}

/** The plan as one JSON object per step (`--dry-run --json`); contents of files are left out, they may hold a claim. */
export const planLines = (plan: Plan): readonly Readonly<Record<string, unknown>>[] =>
  plan.steps.map(({ id, actions }) => ({
    plan: plan.name,
    step: id,
    actions: actions.map((action) => (action.kind === 'file' ? { ...action, text: undefined } : action)),
  }));
