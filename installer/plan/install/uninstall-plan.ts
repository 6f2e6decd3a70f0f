import type { Action } from '../action/action.ts';
import { layout, SERVICE } from '../action/layout.ts';
import type { Plan, Step } from '../action/plan.ts';
import { NETWORK_WATCH } from '../network/network-plan.ts';
import { vipRemovalPlan } from '../network/vip-plan.ts';
import { timeRemovalPlan } from '../time/time-plan.ts';
import { CONFIGURE_WATCH } from './install-plan.ts';
import { TRIAL_END, WATCH } from './upgrade-plan.ts';

export interface UninstallInfo {
  /** Units that were installed, by name. */
  readonly units: readonly string[];
  /** Also configuration, keys, journal and everything the site has stored. */
  readonly purge: boolean;
  /** keepalived has a configuration of ours. */
  readonly vip: boolean;
  /** chrony has a drop-in of ours. */
  readonly time: boolean;
}

const remove = (path: string): Action => ({ kind: 'remove', path });
const run = (...argv: readonly string[]): Action => ({ kind: 'command', argv, lenient: true });

/** The paths that stay without `purge`; the last lines of the command name them. */
export const keptByUninstall: readonly string[] = [layout.etc, layout.state, layout.update];

/** Takes the product off the host; runs to its end whatever it meets, and again after an interruption. */
export function uninstallPlan({ units, purge, vip, time }: UninstallInfo): Plan {
  const files: Step = {
    id: 'files',
    actions: [
      remove(layout.onPath),
      remove(layout.current),
      remove(layout.previous),
      remove(layout.opt),
      remove(layout.cache),
      remove(layout.logs),
      ...(purge ? keptByUninstall.filter((path) => path !== layout.update).map(remove) : []),
    ],
  };
  return {
    name: 'uninstall',
    whenFailed: 'keep',
    afterUndo: [],
    steps: [
      { id: 'goodbye', actions: [{ kind: 'act', name: 'goodbye' }] },
      // Another host has the address before this one falls silent.
      ...(vip ? [{ id: 'vip', actions: vipRemovalPlan }] : []),
      ...(time ? [{ id: 'time', actions: timeRemovalPlan }] : []),
      {
        id: 'service',
        actions: [
          // Timers of an upgrade on trial, or of a change that waits to be confirmed.
          run(
            'systemctl',
            'stop',
            ...[WATCH, TRIAL_END, NETWORK_WATCH, CONFIGURE_WATCH].map((name) => `${name}.timer`),
          ),
          run('systemctl', 'disable', '--now', ...(units.length === 0 ? [SERVICE] : units)),
        ],
      },
      {
        id: 'remove-units',
        actions: [
          ...units.flatMap((name) => [
            remove(`${layout.units}/${name}`),
            remove(`${layout.units}/${name}.d`),
          ]),
          run('systemctl', 'daemon-reload'),
          run('systemctl', 'reset-failed'),
        ],
      },
      {
        id: 'remove-user',
        actions: [
          remove(layout.sysusers),
          // Its files would have no owner: the user stays as long as they do.
          ...(purge ? [run('userdel', 'carillon'), run('groupdel', 'carillon')] : []),
        ],
      },
      files,
    ],
  };
}
