import type { Action } from '../action/action.ts';
import { layout } from '../action/layout.ts';
import type { Step } from '../action/plan.ts';
import { chronyText, type TimePlace } from './time-text.ts';

const CHRONY = 'chrony.service';
const systemctl = (...words: readonly string[]): readonly string[] => ['systemctl', ...words];

/** The step of a plan for the time. @returns undefined for no change. */
export type TimeChange =
  | { readonly kind: 'place'; readonly place: TimePlace }
  | { readonly kind: 'remove' }
  | undefined;

/** chronyd reads what was there before; nothing, where it does not run. */
export const timeAfterUndo = (change: TimeChange): readonly (readonly string[])[] =>
  change === undefined ? [] : [systemctl('try-restart', CHRONY)];

export function timeSteps(change: TimeChange): readonly Step[] {
  if (change === undefined) return [];
  return [{ id: 'time', actions: change.kind === 'remove' ? removal : placed(change.place) }];
}

const placed = (place: TimePlace): readonly Action[] => [
  // chronyd that refuses a line does not start, perhaps with the next start of the machine.
  { kind: 'act', name: 'time-test' },
  {
    kind: 'command',
    argv: systemctl('start', CHRONY),
    unless: systemctl('is-active', '--quiet', CHRONY),
    undo: systemctl('stop', CHRONY),
  },
  {
    kind: 'command',
    argv: systemctl('enable', CHRONY),
    unless: systemctl('is-enabled', '--quiet', CHRONY),
    undo: systemctl('disable', CHRONY),
  },
  { kind: 'file', path: layout.chrony, text: chronyText(place), mode: 0o644 },
  // systemd counts the starts of a person who tries, and would refuse this one.
  { kind: 'command', argv: systemctl('reset-failed', CHRONY), after: 'change of step', lenient: true },
  // `allow` and `local` are read at the start only. The clock runs on meanwhile, at the rate that chronyd has noted.
  { kind: 'command', argv: systemctl('restart', CHRONY), after: 'change of step' },
  { kind: 'act', name: 'time-up' },
];

/** chrony itself stays: a machine without any time service is worse off than before. */
const removal: readonly Action[] = [
  { kind: 'remove', path: layout.chrony },
  { kind: 'command', argv: systemctl('try-restart', CHRONY), after: 'change of step' },
];

/** At the removal of the product: whatever it meets, it goes on. */
export const timeRemovalPlan: readonly Action[] = removal.map((action) =>
  action.kind === 'command' ? { ...action, lenient: true } : action,
);
