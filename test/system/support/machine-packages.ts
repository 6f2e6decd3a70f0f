/** Packages of machines besides a small Debian, by the file that starts them. */
export const MACHINE_PACKAGES = {
  network: ['netplan.io', 'network-manager', 'keepalived', 'dnsmasq-base'],
  speech: ['espeak-ng'],
  time: ['chrony'],
  vip: ['keepalived', 'curl'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
