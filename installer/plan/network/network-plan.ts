import type { Action } from '../action/action.ts';
import { layout } from '../action/layout.ts';
import type { Plan } from '../action/plan.ts';
import type { NetworkPlanRequest } from './network-request.ts';
import { managerText, netplanText, networkdText } from './network-text.ts';

export type NetworkOwner = 'networkd' | 'netplan' | 'NetworkManager';

export const NETPLAN_FOLDER = '/etc/netplan';
/** The last of the folder that matters: what it says of a single value counts. */
export const NETPLAN_FILE = '90-carillon.yaml';

/** A file of the owner's own, without what ours says now. */
export interface NetworkFile {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

/** The transient timer that takes the change back although no command watches it any more. */
export const NETWORK_WATCH = 'carillon-network-watch';

/**
 * Writes the file of the program that owns the interface, never two. Everything is taken back unless it is confirmed:
 *
 *     watch armed ── file written ── applied ── gateway, DNS, cloud tried ── confirmed ── watch off
 *                                                   └── not confirmed in time: the file as it was, applied again
 */
export function networkPlan(
  owner: NetworkOwner,
  request: NetworkPlanRequest,
  cleared: readonly NetworkFile[] = [],
): Plan {
  const { apply, applyOld } = applying(owner, request.name);
  const argv = (words: readonly string[]): Action => ({ kind: 'command', argv: words });
  return {
    name: 'network',
    whenFailed: 'undo',
    afterUndo: [
      ...applyOld,
      ['systemctl', 'stop', `${NETWORK_WATCH}.timer`],
      ['rm', '-f', layout.unconfirmed],
    ],
    steps: [
      { id: 'guard', actions: [{ kind: 'act', name: 'watch' }] },
      {
        id: 'network',
        actions: [
          ...cleared.map((file): Action => ({ kind: 'file', ...file })),
          fileOf(owner, request),
          ...timeFile(request),
          ...apply.map(argv),
        ],
      },
      { id: 'network-test', actions: [{ kind: 'act', name: 'test' }] },
      { id: 'confirm', actions: [{ kind: 'act', name: 'confirm' }] },
    ],
  };
}

type Commands = readonly (readonly string[])[];

/** The commands that make the owner take up our file, and those that make it go back to its own. */
function applying(
  owner: NetworkOwner,
  name: string,
): { readonly apply: Commands; readonly applyOld: Commands } {
  switch (owner) {
    case 'networkd': {
      const apply = [
        ['networkctl', 'reload'],
        ['networkctl', 'reconfigure', name],
      ];
      return { apply, applyOld: apply };
    }
    case 'netplan': {
      const apply = [['netplan', 'apply']];
      return { apply, applyOld: apply };
    }
    case 'NetworkManager': {
      const reload = ['nmcli', 'connection', 'reload'];
      // A device that is connected stays with its connection, whatever the priority of ours.
      return {
        apply: [reload, ['nmcli', 'connection', 'up', `carillon-${name}`, 'ifname', name]],
        applyOld: [reload, ['nmcli', 'device', 'connect', name]],
      };
    }
  }
}

function fileOf(owner: NetworkOwner, request: NetworkPlanRequest): Action {
  switch (owner) {
    case 'networkd': {
      const path = `/etc/systemd/network/05-carillon-${request.name}.network`;
      return { kind: 'file', path, text: networkdText(request), mode: 0o644 };
    }
    case 'netplan':
      return {
        kind: 'file',
        path: `${NETPLAN_FOLDER}/${NETPLAN_FILE}`,
        text: netplanText(request),
        mode: 0o600,
      };
    case 'NetworkManager': {
      const path = `/etc/NetworkManager/system-connections/carillon-${request.name}.nmconnection`;
      return { kind: 'file', path, text: managerText(request), mode: 0o600 };
    }
  }
}

const timeFile = ({ ntp }: NetworkPlanRequest): readonly Action[] =>
  ntp.length === 0
    ? []
    : [
        {
          kind: 'file',
          path: '/etc/systemd/timesyncd.conf.d/carillon.conf',
          text: `[Time]\nNTP=${ntp.join(' ')}\n`,
          mode: 0o644,
        },
        { kind: 'command', argv: ['systemctl', 'try-restart', 'systemd-timesyncd.service'], lenient: true },
      ];
