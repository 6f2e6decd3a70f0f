import type { Action } from '../action/action.ts';
import { layout } from '../action/layout.ts';
import type { Step } from '../action/plan.ts';
import { keepalivedText, type VipPlace } from './vip-text.ts';

const KEEPALIVED = 'keepalived.service';
const systemctl = (...words: readonly string[]): readonly string[] => ['systemctl', ...words];

/** The step of a plan for the shared address. @returns undefined for no change. */
export type VipChange =
  | { readonly kind: 'place'; readonly place: VipPlace }
  | { readonly kind: 'remove' }
  | undefined;

/** The former configuration runs again; none, where keepalived is not running any more. */
export const vipAfterUndo = (change: VipChange): readonly (readonly string[])[] =>
  change === undefined ? [] : [systemctl('try-reload-or-restart', KEEPALIVED)];

/** Last in a plan: who may have the address must be able to take alarms first. */
export function vipSteps(change: VipChange): readonly Step[] {
  if (change === undefined) return [];
  return [{ id: 'vip', actions: change.kind === 'remove' ? removal : placed(change.place) }];
}

const placed = (place: VipPlace): readonly Action[] => [
  // keepalived reads the text before it is written: one that it refuses would end it at its next start, perhaps in a year.
  { kind: 'act', name: 'vip-test' },
  { kind: 'file', path: layout.keepalived, text: keepalivedText(place), mode: 0o644 },
  {
    kind: 'command',
    argv: systemctl('enable', KEEPALIVED),
    unless: systemctl('is-enabled', '--quiet', KEEPALIVED),
    undo: systemctl('disable', '--now', KEEPALIVED),
  },
  // The host that has the address keeps it while the text is read again.
  { kind: 'command', argv: systemctl('reload-or-restart', KEEPALIVED), after: 'change of step' },
  {
    kind: 'command',
    argv: systemctl('start', KEEPALIVED),
    unless: systemctl('is-active', '--quiet', KEEPALIVED),
  },
  { kind: 'act', name: 'vip-up' },
];

const removal: readonly Action[] = [
  {
    kind: 'command',
    argv: systemctl('disable', '--now', KEEPALIVED),
    undo: systemctl('enable', '--now', KEEPALIVED),
  },
  { kind: 'remove', path: layout.keepalived },
  // Without it the appliance knows that its site has no such address.
  { kind: 'remove', path: layout.vipState },
];

/** At the removal of the product: whatever it meets, it goes on. */
export const vipRemovalPlan: readonly Action[] = removal.map((action) =>
  action.kind === 'command' ? { kind: 'command', argv: action.argv, lenient: true } : action,
);
