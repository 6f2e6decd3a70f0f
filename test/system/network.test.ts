import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { boot, type Machine } from './support/machine.ts';

/** Debian 13 with the programs that may own its network, and the one that carries an address between two hosts. */
const release = inject('release');
let machine: Machine;

beforeAll(async () => {
  machine = await boot('trixie', ['netplan.io', 'network-manager', 'keepalived']);
  machine.put(release.runFile, '/root/carillon.run');
  const ran = await machine.in(['sh', '/root/carillon.run', '--yes', '--no-selftest']);
  expect(ran.code, ran.err + ran.out).toBe(0);
});
afterAll(() => machine?.off());

const addresses = async (name: string) => (await machine.sh(`ip -4 -o address show ${name}`)).out;
const set = (name: string, ...words: readonly string[]) =>
  machine.carillon('network', 'set', name, '--yes', '--address', '10.9.0.2/24', ...words);
const link = (name: string) =>
  machine.sh(
    `ip link add ${name} type veth peer name ${name}-far; ip link set ${name}-far up; ip link set ${name} up`,
  );

/** A change that nobody confirms is taken back, and one that somebody confirms stays. */
async function changes(name: string): Promise<void> {
  const undone = await set(name, '--confirm-within', '3');
  expect(undone.code, undone.err).toBe(4);
  await expect.poll(() => addresses(name), { timeout: 20_000 }).toContain('10.9.0.1/24');
  const changing = set(name, '--confirm-within', '60');
  await expect.poll(() => addresses(name), { timeout: 30_000 }).toContain('10.9.0.2/24');
  await expect
    .poll(async () => (await machine.carillon('network', 'confirm')).code, { timeout: 30_000 })
    .toBe(0);
  const ran = await changing;
  expect(ran.code, ran.err).toBe(0);
  expect(await addresses(name)).toContain('10.9.0.2/24');
}

describe('an interface', () => {
  test('of NetworkManager is changed by a connection of its own', async () => {
    await link('n0');
    machine.write(
      '/etc/NetworkManager/conf.d/manage.conf',
      '[device-n0]\nmatch-device=interface-name:n0\nmanaged=1\n',
    );
    const connection =
      '[connection]\nid=site\ntype=ethernet\ninterface-name=n0\n\n[ipv4]\nmethod=manual\naddress1=10.9.0.1/24\n';
    machine.write('/etc/NetworkManager/system-connections/site.nmconnection', connection, 0o600);
    await machine.sh('systemctl start NetworkManager');
    await expect.poll(() => addresses('n0'), { timeout: 20_000 }).toContain('10.9.0.1/24');
    await changes('n0');
    const files = await machine.sh(
      'ls /etc/NetworkManager/system-connections /etc/netplan /etc/systemd/network',
    );
    expect(files.out).toContain('carillon-n0.nmconnection');
    expect(files.out).not.toMatch(/90-carillon|05-carillon/);
    await machine.sh('systemctl stop NetworkManager');
  });

  test('of netplan is changed by a file of netplan', async () => {
    await link('p0');
    const plan = 'network:\n  version: 2\n  ethernets:\n    p0:\n      addresses: [10.9.0.1/24]\n';
    machine.write('/etc/netplan/10-site.yaml', plan, 0o600);
    // netplan has udev read its rules again, and no udev runs in a machine like this.
    machine.write('/usr/local/sbin/udevadm', '#!/bin/sh\nexit 0\n', 0o755);
    await machine.sh('systemctl start systemd-networkd && netplan apply');
    await expect.poll(() => addresses('p0'), { timeout: 20_000 }).toContain('10.9.0.1/24');
    await changes('p0');
    const files = await machine.sh('ls /etc/netplan /etc/systemd/network');
    expect(files.out).toContain('90-carillon.yaml');
    expect(files.out).not.toContain('05-carillon');
  });
});

describe('the shared address', () => {
  test('has an example that keepalived takes as it is, but for the lines of the host', async () => {
    machine.put('systemd/vip/keepalived.conf', '/etc/keepalived/keepalived.conf');
    await machine.sh(
      'ip link add eth0 type veth peer name eth0-far; ip address add 192.0.2.11/24 dev eth0; ip link set eth0 up',
    );
    const checked = await machine.sh('keepalived -t -f /etc/keepalived/keepalived.conf');
    expect(checked.code, checked.err + checked.out).toBe(0);
    expect(checked.err + checked.out).not.toMatch(/unknown|deprecated|error/i);
    machine.write(
      '/etc/keepalived/wrong.conf',
      machine.read('/etc/keepalived/keepalived.conf').replace('nopreempt', 'no_preempt'),
    );
    expect((await machine.sh('keepalived -t -f /etc/keepalived/wrong.conf')).code).not.toBe(0);
  });
});
