/** Where everything lies on an installed host. `root` is put before each path in tests. */
export const layout = {
  opt: '/opt/carillon',
  releases: '/opt/carillon/releases',
  current: '/opt/carillon/current',
  previous: '/opt/carillon/previous',
  program: '/opt/carillon/current/carillon',
  rollback: '/opt/carillon/libexec/rollback',
  vipCheck: '/opt/carillon/libexec/vip-check',
  /** The file belongs to the whole machine, and there is only one: ours, another program's, or none. */
  keepalived: '/etc/keepalived/keepalived.conf',
  /** Beside what the machine has; read by chronyd of Debian because its main file names the folder. */
  chrony: '/etc/chrony/conf.d/carillon.conf',
  chronyMain: '/etc/chrony/chrony.conf',
  /** The state of the shared address, in a word of keepalived. */
  vipState: '/run/carillon/vip-state',
  onPath: '/usr/local/bin/carillon',
  etc: '/etc/carillon',
  credentials: '/etc/carillon/credentials',
  configuration: '/etc/carillon/appliance.toml',
  environment: '/etc/carillon/appliance.env',
  /** Until the line is up; the appliance looks at its signature each time. */
  claimFile: '/etc/carillon/claim.json',
  units: '/etc/systemd/system',
  /** The lines that the unit needs for the settings of this host. */
  dropIn: '/etc/systemd/system/carillon-appliance.service.d/10-configure.conf',
  sysusers: '/etc/sysusers.d/carillon.conf',
  state: '/var/lib/carillon',
  /** The requests of the appliance to root; the path unit knows it, too. */
  requests: '/var/lib/carillon/request',
  networkRequests: '/var/lib/carillon/network-request',
  /** The result of the last of them; left with the rights of the appliance, which raises or clears its alarm by it. */
  networkOutcome: '/var/lib/carillon/network-outcome.json',
  /** Taken away by root, and written again by the appliance with its next management session. */
  cloudSession: '/run/carillon/cloud-session',
  cache: '/var/cache/carillon',
  logs: '/var/log/carillon',
  update: '/var/lib/carillon-update',
  /** Which control plane root follows, and how far; only root writes it. */
  platform: '/var/lib/carillon-update/platform.json',
  /** The request that root is following; there after a command or a start that cut it. */
  followed: '/var/lib/carillon-update/followed-wish.json',
  /** Notes for the control plane that are not reported yet; there after a command or a start that cut what they are about. */
  owed: '/var/lib/carillon-update/owed',
  /** A change of the network waits to be confirmed; `carillon-network-undo.service` looks for it at the next start. */
  unconfirmed: '/var/lib/carillon-update/network-unconfirmed',
  /** The timer of the way back runs since this start of the machine. */
  armed: '/run/carillon-network-armed',
  journal: '/var/lib/carillon-update/journal.jsonl',
  backup: '/var/lib/carillon-update/backup',
  /** Copies of the databases as they were before an upgrade, a folder for each release that was left. */
  databases: '/var/lib/carillon-update/database',
  /** The program that a `.run` file took out of itself, until it is in its slot. */
  unpacked: '/var/lib/carillon-update/unpacked',
  pending: '/var/lib/carillon-update/pending',
  /** Where dpkg puts units: a host with this one was installed from the .deb. */
  packagedUnit: '/usr/lib/systemd/system/carillon-appliance.service',
} as const;

export const SERVICE = 'carillon-appliance.service';

export const slotOf = (version: string): string => `${layout.releases}/${version}`;

export const versionOf = (slot: string): string => slot.split('/').at(-1) ?? slot;
