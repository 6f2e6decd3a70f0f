import type { Action } from '../action/action.ts';
import { layout, SERVICE, slotOf, versionOf } from '../action/layout.ts';
import type { Plan } from '../action/plan.ts';
import { type UnitFile, unitActions } from './host-file.ts';

export interface UpgradeInfo {
  readonly version: string;
  /** The verified program, unpacked. */
  readonly program: string;
  /** Slot that `current` shows, and that becomes `previous`. */
  readonly running: string;
  /** `systemd/` of the new release; it wrote them itself. */
  readonly units: readonly UnitFile[];
  /** Do not wait until no alarm and no call is active. */
  readonly now: boolean;
}

/** The transient timer that takes an unfinished upgrade back although no command watches it any more. */
export const WATCH = 'carillon-upgrade-watch';

/** The transient timer that ends the trial of a release. */
export const TRIAL_END = 'carillon-upgrade-confirm';

const systemctl = (...words: readonly string[]): readonly string[] => ['systemctl', ...words];
const run = (argv: readonly string[], more: Partial<Extract<Action, { kind: 'command' }>> = {}): Action => ({
  kind: 'command',
  argv,
  ...more,
});

/** The commands that run after the undo of an upgrade. */
const RUN_AGAIN: Plan['afterUndo'] = [
  systemctl('stop', `${WATCH}.timer`, `${TRIAL_END}.timer`),
  systemctl('daemon-reload'),
  systemctl('reset-failed', SERVICE),
  systemctl('restart', '--no-block', SERVICE),
];

/**
 * The next release into its slot, and over to it. At every moment either the old or the new release runs:
 *
 *     copied ── databases kept ── quiet ── pending, watch armed ── switched ── restarted ── ready ── self-test ── watch off
 *                                              └── anything fails, or the command died: everything back, the old one runs
 *
 * `pending` stays until ten healthy minutes have passed; by then `carillon-rollback.service` is the net.
 */
export function upgradePlan({ version, program, running, units, now }: UpgradeInfo): Plan {
  const slot = slotOf(version);
  return {
    name: 'upgrade',
    whenFailed: 'undo',
    afterUndo: RUN_AGAIN,
    steps: [
      {
        id: 'slot',
        actions: [
          { kind: 'folder', path: slot, mode: 0o755 },
          { kind: 'copy', from: program, path: `${slot}/carillon`, mode: 0o755 },
        ],
      },
      {
        id: 'databases',
        // Copies of an upgrade that is taken back are of no use, and hold what people said in an emergency.
        actions: [
          { kind: 'folder', path: `${layout.databases}/${versionOf(running)}`, mode: 0o700 },
          { kind: 'act', name: 'databases' },
        ],
      },
      ...(now ? [] : [{ id: 'quiet', actions: [{ kind: 'act', name: 'quiet' } as const] }]),
      {
        id: 'guard',
        actions: [
          { kind: 'file', path: layout.pending, text: `${version}\n`, mode: 0o600 },
          ...unitActions(units, 'others').filter(({ kind }) => kind === 'file'),
          { kind: 'act', name: 'watch' },
        ],
      },
      {
        id: 'switch',
        actions: [
          { kind: 'link', path: layout.previous, target: running },
          { kind: 'link', path: layout.current, target: slot },
          ...unitActions(units, 'units'),
          run(systemctl('daemon-reload')),
        ],
      },
      {
        id: 'restart',
        actions: [
          run(systemctl('reset-failed', SERVICE), { lenient: true }),
          run(systemctl('restart', '--no-block', SERVICE)),
        ],
      },
      { id: 'ready', actions: [{ kind: 'act', name: 'ready' }] },
      { id: 'self-test', actions: [{ kind: 'act', name: 'self-test' }] },
      { id: 'confirm', actions: [{ kind: 'act', name: 'watch-off' }] },
    ],
  };
}

/** By hand: back to the release before. */
export const rollbackPlan = (running: string, previous: string): Plan => ({
  name: 'rollback',
  whenFailed: 'undo',
  afterUndo: RUN_AGAIN,
  steps: [
    {
      id: 'switch',
      actions: [
        { kind: 'link', path: layout.current, target: previous },
        { kind: 'link', path: layout.previous, target: running },
        { kind: 'remove', path: layout.pending },
      ],
    },
    {
      id: 'restart',
      actions: [
        run(systemctl('reset-failed', SERVICE), { lenient: true }),
        run(systemctl('restart', '--no-block', SERVICE)),
      ],
    },
    { id: 'ready', actions: [{ kind: 'act', name: 'ready' }] },
    // Nothing is on trial any more; a timer that goes on would end the trial of the next release too early.
    {
      id: 'confirm',
      actions: [run(systemctl('stop', `${WATCH}.timer`, `${TRIAL_END}.timer`), { lenient: true })],
    },
  ],
});
