import type { Action } from '../action/action.ts';
import { layout, SERVICE, slotOf } from '../action/layout.ts';
import type { Plan, Step } from '../action/plan.ts';
import { type VipChange, vipAfterUndo, vipSteps } from '../network/vip-plan.ts';
import { type TimeChange, timeAfterUndo, timeSteps } from '../time/time-plan.ts';
import { configurationText, type Written } from './configuration.ts';
import { dropInText } from './drop-in.ts';
import { type UnitFile, unitActions } from './host-file.ts';

export interface InstallInfo {
  readonly version: string;
  /** The program that runs now, to be copied into its slot. */
  readonly self: string;
  readonly written: Written;
  /** Files of `systemd/`. */
  readonly units: readonly UnitFile[];
  /** dpkg owns the program, the units and the user. */
  readonly packaged: boolean;
  readonly vip?: VipChange;
  readonly time?: TimeChange;
}

const systemctl = (...words: readonly string[]): readonly string[] => ['systemctl', ...words];

const reload: Action = { kind: 'command', argv: systemctl('daemon-reload'), after: 'change' };
const ROOT_CARILLON = 'root:carillon';

/** First contact and repair: the same steps, each of which looks first. */
export function installPlan(facts: InstallInfo): Plan {
  const steps: Step[] = facts.packaged ? [] : ownedByUs(facts);
  return {
    name: 'install',
    whenFailed: 'keep',
    afterUndo: [],
    steps: [
      ...steps,
      ...configured(facts.written),
      ...running,
      ...timeSteps(facts.time),
      ...vipSteps(facts.vip),
    ],
  };
}

/** The transient timer that takes a configuration back whose command has died. */
export const CONFIGURE_WATCH = 'carillon-configure-watch';

/**
 * `carillon configure`: the file, and the service takes it up. Taken back when the service refuses it, or when no command is
 * left to see whether it does: a fault would show at the next boot only, when no person looks.
 */
export const configurePlan = (written: Written, live: boolean, vip?: VipChange, time?: TimeChange): Plan => ({
  name: 'configure',
  whenFailed: 'undo',
  afterUndo: live
    ? [
        systemctl('stop', `${CONFIGURE_WATCH}.timer`),
        systemctl('daemon-reload'),
        systemctl('reset-failed', SERVICE),
        systemctl('restart', SERVICE),
        ...timeAfterUndo(time),
        ...vipAfterUndo(vip),
      ]
    : [],
  steps: [
    ...(live ? [{ id: 'guard', actions: [{ kind: 'act', name: 'watch' } as const] }] : []),
    ...configured(written),
    ...(live
      ? [
          {
            id: 'service',
            actions: [{ kind: 'command', argv: systemctl('restart', SERVICE), after: 'change' } as const],
          },
          { id: 'ready', actions: [{ kind: 'act', name: 'ready' } as const] },
          ...timeSteps(time),
          ...vipSteps(vip),
          { id: 'confirm', actions: [{ kind: 'act', name: 'watch-off' } as const] },
        ]
      : []),
  ],
});

function ownedByUs({ version, self, units }: InstallInfo): Step[] {
  const slot = slotOf(version);
  return [
    {
      id: 'slot',
      actions: [
        { kind: 'folder', path: layout.opt, mode: 0o755 },
        { kind: 'folder', path: layout.releases, mode: 0o755 },
        { kind: 'folder', path: slot, mode: 0o755 },
        ...(self === `${slot}/carillon`
          ? []
          : [{ kind: 'copy', from: self, path: `${slot}/carillon`, mode: 0o755 } as const]),
        { kind: 'folder', path: `${layout.opt}/libexec`, mode: 0o755 },
      ],
    },
    {
      id: 'user',
      actions: [
        ...unitActions(units, 'others'),
        { kind: 'command', argv: ['systemd-sysusers'], unless: ['getent', 'passwd', 'carillon'] },
      ],
    },
    { id: 'units', actions: [...unitActions(units, 'units'), reload] },
    {
      id: 'current',
      actions: [
        { kind: 'link', path: layout.current, target: slot },
        { kind: 'link', path: layout.onPath, target: layout.program },
      ],
    },
  ];
}

const configured = (written: Written): Step[] => [
  {
    id: 'folders',
    actions: [
      { kind: 'folder', path: layout.etc, mode: 0o750, owner: ROOT_CARILLON },
      { kind: 'folder', path: layout.credentials, mode: 0o700 },
      { kind: 'folder', path: layout.state, mode: 0o700, owner: 'carillon:carillon' },
    ],
  },
  {
    id: 'configuration',
    actions: [
      {
        kind: 'file',
        path: layout.configuration,
        text: configurationText(written),
        mode: 0o640,
        owner: ROOT_CARILLON,
      },
      { kind: 'file', path: layout.dropIn, text: dropInText(written), mode: 0o644 },
      reload,
    ],
  },
];

const running: readonly Step[] = [
  {
    id: 'service',
    actions: [
      {
        kind: 'command',
        argv: systemctl('enable', SERVICE),
        unless: systemctl('is-enabled', '--quiet', SERVICE),
      },
      // Restarted when anything of it changed; else started only when it does not run.
      { kind: 'command', argv: systemctl('reset-failed', SERVICE), after: 'change', lenient: true },
      { kind: 'command', argv: systemctl('restart', '--no-block', SERVICE), after: 'change' },
      {
        kind: 'command',
        argv: systemctl('start', '--no-block', SERVICE),
        unless: ['sh', '-c', `systemctl is-active ${SERVICE} | grep -qE '^(active|activating|reloading)$'`],
      },
    ],
  },
  { id: 'ready', actions: [{ kind: 'act', name: 'ready' }] },
];
