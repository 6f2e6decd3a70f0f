import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { leftovers } from './support/leftover.ts';
import { begins, boot, type Machine } from './support/machine.ts';
import { MACHINE_PACKAGES } from './support/machine-packages.ts';

/** Debian 13 with the programs that may own its network, and the one that carries an address between two hosts. */
const release = inject('release');
let machine: Machine;

beforeAll(async () => {
  machine = await boot('trixie', MACHINE_PACKAGES.network);
  machine.put(release.runFile, '/root/carillon.run');
  const ran = await machine.in(['sh', '/root/carillon.run', '--yes', '--no-selftest']);
  expect(ran.code, ran.err + ran.out).toBe(0);
});
// After a failed test it would take the interfaces of the others.
afterEach(() => machine?.sh('systemctl stop NetworkManager'));
afterAll(() => machine?.off());

const addresses = async (name: string) => (await machine.sh(`ip -4 -o address show ${name}`)).out;
const set = (name: string, ...words: readonly string[]) =>
  machine.carillon('network', 'set', name, '--yes', '--address', '10.9.0.2/24', ...words);
const link = (name: string) =>
  machine.sh(
    `ip link add ${name} type veth peer name ${name}-far; ip link set ${name}-far up; ip link set ${name} up`,
  );

/** A change without a confirmation is taken back, and a confirmed one stays. */
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

/** A change that is confirmed as soon as it asks for it. */
async function kept(name: string, ...words: readonly string[]): Promise<void> {
  const changing = machine.carillon('network', 'set', name, '--yes', '--confirm-within', '90', ...words);
  await expect
    .poll(async () => (await machine.carillon('network', 'confirm')).code, { timeout: 60_000 })
    .toBe(0);
  const ran = await changing;
  expect(ran.code, ran.err + ran.out).toBe(0);
}

/** The other end of the cable, in a network of its own: addresses, name servers and domains of both families. */
async function cable(name: string): Promise<void> {
  const setting = `interface=${name}-far
bind-interfaces
port=0
leasefile-ro
enable-ra
dhcp-range=10.8.0.50,10.8.0.59,1h
dhcp-range=::50,::59,constructor:${name}-far,64,1h
dhcp-option=option:router,10.8.0.254
dhcp-option=option:dns-server,10.8.0.254
dhcp-option=option:domain-search,care.example
dhcp-option=option6:dns-server,[fd08::fe]
dhcp-option=option6:domain-search,care.example
`;
  machine.write(`/root/${name}.conf`, setting);
  const laid = await machine.sh(`set -e
    ip netns add ${name}; ip link add ${name} type veth peer name ${name}-far netns ${name}
    ip -n ${name} address add 10.8.0.254/24 dev ${name}-far
    ip -n ${name} address add fd08::fe/64 dev ${name}-far nodad
    ip -n ${name} link set lo up; ip -n ${name} link set ${name}-far up; ip link set ${name} up
    ip netns exec ${name} dnsmasq --conf-file=/root/${name}.conf --pid-file=/run/${name}.pid`);
  expect(laid.code, laid.err).toBe(0);
}

const cut = (name: string) => machine.sh(`kill "$(cat /run/${name}.pid)"; ip link delete ${name}`);
const all = async (name: string) => (await machine.sh(`ip -o address show ${name}`)).out;
/** Both families have come. */
const given = (name: string) =>
  expect.poll(() => all(name), { timeout: 60_000 }).toMatch(/10\.8\.0\.5[\s\S]*fd08::5/);
const fixed = ['--address', '10.8.0.9/24', '--gateway', '10.8.0.254'];

describe('an address that becomes a fixed one keeps name servers and domains', () => {
  test('with networkd, in either family', async () => {
    await cable('d0');
    const names = '[DHCPv4]\nUseDomains=yes\n[DHCPv6]\nUseDomains=yes\n[IPv6AcceptRA]\nUseDomains=yes\n';
    machine.write('/etc/systemd/network/10-site.network', `[Match]\nName=d0\n[Network]\nDHCP=yes\n${names}`);
    await machine.sh('systemctl start systemd-networkd');
    await given('d0');
    await kept('d0', ...fixed);
    const file = '/etc/systemd/network/05-carillon-d0.network';
    expect(machine.read(file)).toMatch(
      /Address=10\.8\.0\.9\/24\nGateway=10\.8\.0\.254\nDNS=10\.8\.0\.254\nDNS=fd08::fe\nDomains=care\.example\n/,
    );
    expect(await addresses('d0')).not.toContain('10.8.0.5');
    const used = JSON.parse((await machine.sh('networkctl --json=short status d0')).out);
    expect(used.DNS).toContainEqual(expect.objectContaining({ Address: [10, 8, 0, 254] }));
    expect(used.SearchDomains).toContainEqual(expect.objectContaining({ Domain: 'care.example' }));
    // Back to what the network gives, then the other family: DHCP of IPv4 goes on.
    await kept('d0', '--dhcp');
    await given('d0');
    await kept('d0', '--address', 'fd08::9/64');
    expect(machine.read(file)).toMatch(/Address=fd08::9\/64\nDHCP=ipv4\n[\s\S]*DNS=fd08::fe\n/);
    await expect.poll(() => all('d0'), { timeout: 60_000 }).toMatch(/10\.8\.0\.5[\s\S]*fd08::9\/64/);
    await machine.sh(
      'rm /etc/systemd/network/*.network; systemctl stop systemd-networkd.socket systemd-networkd',
    );
    await cut('d0');
  });

  test('with NetworkManager, and others are taken when they are given', async () => {
    await cable('m0');
    machine.write(
      '/etc/NetworkManager/conf.d/manage.conf',
      '[device-m0]\nmatch-device=interface-name:m0\nmanaged=1\n',
    );
    const connection =
      '[connection]\nid=given\ntype=ethernet\ninterface-name=m0\n\n[ipv4]\nmethod=auto\n\n[ipv6]\nmethod=auto\n';
    machine.write('/etc/NetworkManager/system-connections/given.nmconnection', connection, 0o600);
    await machine.sh('systemctl start NetworkManager');
    await given('m0');
    await kept('m0', ...fixed);
    const said = await machine.sh('nmcli --escape no -t device show m0');
    expect(said.out).toContain('IP4.DNS[1]:10.8.0.254\n');
    expect(said.out).toContain('IP4.SEARCHES[1]:care.example\n');
    await kept('m0', ...fixed, '--dns', '10.8.0.253', '--search', 'other.example');
    const other = await machine.sh('nmcli --escape no -t device show m0');
    expect(other.out).toContain('IP4.DNS[1]:10.8.0.253\n');
    expect(other.out).toContain('IP4.SEARCHES[1]:other.example\n');
    expect(other.out).not.toContain('10.8.0.254\nIP4.DNS');
    await machine.sh('systemctl stop NetworkManager; rm /etc/NetworkManager/system-connections/*');
    await cut('m0');
  });

  test('with netplan', async () => {
    await cable('q0');
    const overrides = '{use-domains: true}';
    machine.write(
      '/etc/netplan/10-site.yaml',
      `network:\n  version: 2\n  ethernets:\n    q0:\n      dhcp4: true\n      dhcp6: true\n      dhcp4-overrides: ${overrides}\n      dhcp6-overrides: ${overrides}\n`,
      0o600,
    );
    machine.write('/usr/local/sbin/udevadm', '#!/bin/sh\nexit 0\n', 0o755);
    await machine.sh('systemctl start systemd-networkd && netplan apply');
    await given('q0');
    await kept('q0', ...fixed);
    expect(machine.read('/etc/netplan/90-carillon.yaml')).toMatch(
      /nameservers: \{search: \["care\.example"\], addresses: \["10\.8\.0\.254", "fd08::fe"\]\}/,
    );
    expect(await addresses('q0')).not.toContain('10.8.0.5');
    const used = JSON.parse((await machine.sh('networkctl --json=short status q0')).out);
    expect(used.DNS).toContainEqual(
      expect.objectContaining({ Address: [10, 8, 0, 254], ConfigSource: 'static' }),
    );
    await machine.sh(
      'rm /etc/netplan/*.yaml; netplan apply; systemctl stop systemd-networkd.socket systemd-networkd',
    );
    await cut('q0');
  });
});

describe('an interface', () => {
  test('is changed by a connection of its own with NetworkManager', async () => {
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

  test('is changed by a file of netplan with netplan', async () => {
    await link('p0');
    const routes = '      routes: [{to: 10.99.0.0/16, via: 10.9.0.254}]\n';
    const plan = `network:\n  version: 2\n  ethernets:\n    p0:\n      addresses: [10.9.0.1/24]\n${routes}`;
    machine.write('/etc/netplan/10-site.yaml', plan, 0o600);
    // netplan has udev read its rules again, and no udev runs in a machine like this.
    machine.write('/usr/local/sbin/udevadm', '#!/bin/sh\nexit 0\n', 0o755);
    await machine.sh('systemctl start systemd-networkd && netplan apply');
    await expect.poll(() => addresses('p0'), { timeout: 20_000 }).toContain('10.9.0.1/24');
    await changes('p0');
    // netplan puts the lists of its files together: the address before must not stay in the other one.
    expect(await addresses('p0')).not.toContain('10.9.0.1/24');
    expect(machine.read('/etc/netplan/10-site.yaml')).toMatch(/routes:[\s\S]*10\.99\.0\.0\/16/);
    const files = await machine.sh('ls /etc/netplan /etc/systemd/network');
    expect(files.out).toContain('90-carillon.yaml');
    expect(files.out).not.toContain('05-carillon');
  });
});

describe('a change whose command and timer have ended', () => {
  const file = '/etc/systemd/network/05-carillon-k0.network';
  const undo = 'systemctl start carillon-network-undo.service';

  /** As a power cut leaves it: the address is there, no program waits for a confirmation. */
  async function cutOff(): Promise<void> {
    const words = ['network', 'set', 'k0', '--yes', '--json', '--address', '10.9.0.2/24'];
    await machine.cut(['/usr/local/bin/carillon', ...words], begins('confirm'));
    await expect.poll(() => addresses('k0'), { timeout: 30_000 }).toContain('10.9.0.2/24');
    await machine.sh('systemctl stop carillon-network-watch.timer');
  }
  const owed = '/var/lib/carillon-update/owed/network.json';
  const back = async (left: readonly string[] = []): Promise<void> => {
    await expect.poll(() => addresses('k0'), { timeout: 30_000 }).toContain('10.9.0.1/24');
    expect((await machine.sh(`test -e ${file}`)).code).not.toBe(0);
    expect(await leftovers(machine)).toEqual(left);
  };

  test('is taken back by the next start of the machine, and by none that it was made in', async () => {
    await link('k0');
    machine.write(
      '/etc/systemd/network/10-site.network',
      '[Match]\nName=k0\n[Network]\nAddress=10.9.0.1/24\n',
    );
    await machine.sh('systemctl restart systemd-networkd');
    await expect.poll(() => addresses('k0'), { timeout: 20_000 }).toContain('10.9.0.1/24');
    await cutOff();
    expect((await machine.sh(undo)).code).toBe(0);
    expect(await addresses('k0')).toContain('10.9.0.2/24');
    // /run is empty after a start. It was a request of the control plane: the appliance hears what became of it.
    const request = { twinRev: 7, networkInterfaces: ['10.9.0.2'] };
    machine.write('/var/lib/carillon-update/followed-wish.json', JSON.stringify(request), 0o600);
    await machine.sh('rm /run/carillon-network-armed');
    expect((await machine.sh(undo)).code).toBe(0);
    // Its outcome is owed to the control plane until the maintenance behind a start reports it.
    await back([owed]);
    expect(JSON.parse(machine.read(owed))).toMatchObject({ note: { kind: 'network', code: 4 } });
    await machine.sh(`rm ${owed}`);
    const left = '/var/lib/carillon/network-outcome.json';
    expect(JSON.parse(machine.read(left))).toMatchObject({ ...request, code: 4 });
    expect((await machine.sh(`stat -c '%U %a' ${left}`)).out.trim()).toBe('carillon 600');
  });

  test('is taken back by the maintenance, whose sandbox has not the files of networkd', async () => {
    await cutOff();
    const ran = await machine.sh('systemctl start carillon-maintenance.service');
    expect(ran.code, ran.err).toBe(0);
    await back();
    await machine.sh(
      'rm /etc/systemd/network/*.network; systemctl stop systemd-networkd.socket systemd-networkd',
    );
  });
});

describe('the shared address', () => {
  test('has an example that keepalived takes as it is', async () => {
    machine.put('systemd/vip/keepalived.conf', '/root/keepalived.conf');
    await machine.sh(
      'ip link add eth0 type veth peer name eth0-far; ip address add 192.0.2.11/24 dev eth0; ip link set eth0 up',
    );
    const checked = await machine.sh('keepalived -t -f /root/keepalived.conf');
    expect(checked.code, checked.err + checked.out).toBe(0);
    expect(checked.err + checked.out).not.toMatch(/unknown|deprecated|error/i);
    machine.write(
      '/root/wrong.conf',
      machine.read('/root/keepalived.conf').replace('nopreempt', 'no_preempt'),
    );
    expect((await machine.sh('keepalived -t -f /root/wrong.conf')).code).not.toBe(0);
  });
});
