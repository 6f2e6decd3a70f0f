/** Where everything lies on an installed host. `root` is put before each path in tests. */
export const layout = {
  opt: '/opt/carillon',
  releases: '/opt/carillon/releases',
  current: '/opt/carillon/current',
  previous: '/opt/carillon/previous',
  program: '/opt/carillon/current/carillon',
  rollback: '/opt/carillon/libexec/rollback',
  vipCheck: '/opt/carillon/libexec/vip-check',
  onPath: '/usr/local/bin/carillon',
  etc: '/etc/carillon',
  credentials: '/etc/carillon/credentials',
  configuration: '/etc/carillon/appliance.toml',
  environment: '/etc/carillon/appliance.env',
  units: '/etc/systemd/system',
  sysusers: '/etc/sysusers.d/carillon.conf',
  state: '/var/lib/carillon',
  cache: '/var/cache/carillon',
  logs: '/var/log/carillon',
  update: '/var/lib/carillon-update',
  journal: '/var/lib/carillon-update/journal.jsonl',
  backup: '/var/lib/carillon-update/backup',
  pending: '/var/lib/carillon-update/pending',
  acceptance: '/var/lib/carillon-update/self-test.json',
  /** Where dpkg puts units: a host with this one was installed from the .deb. */
  packagedUnit: '/usr/lib/systemd/system/carillon-appliance.service',
} as const;

export const SERVICE = 'carillon-appliance.service';

export const slotOf = (version: string): string => `${layout.releases}/${version}`;
