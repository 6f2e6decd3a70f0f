import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { refused } from './life/stage.ts';
import { leftovers } from './support/leftover.ts';
import { begins, boot, type Machine } from './support/machine.ts';
import { MACHINE_PACKAGES } from './support/machine-packages.ts';
import { done, run } from './support/program.ts';

/**
 * Two Debian 13 with keepalived, and a device beside them, on one network:
 *
 *     device 10.7.0.1 ── bridge ─┬─ one 10.7.0.11 ─┐
 *                                └─ two 10.7.0.12 ─┴─ 10.7.0.10
 */
const release = inject('release');
const LAN = `carillon-vip-${process.pid}`;
const VIP = '10.7.0.10';
const HOSTS = '10.7.0.11=150,10.7.0.12=100';
const CONF = '/etc/keepalived/keepalived.conf';
/** Control plane 9 and 13. */
const MOST_SILENT_MS = 5_000;
const ADDRESSES = ['10.7.0.11', '10.7.0.12'] as const;
const machines: Machine[] = [];

beforeAll(async () => {
  await done(['ip', 'netns', 'add', LAN]);
  const inLan = (words: string) => done(['ip', 'netns', 'exec', LAN, ...words.split(' ')]);
  await inLan('ip link add lan type bridge');
  await inLan('ip address add 10.7.0.1/24 dev lan');
  await inLan('ip link set lan up');
  for (const [at, address] of ADDRESSES.entries()) {
    const machine = await boot('trixie', MACHINE_PACKAGES.vip);
    machines.push(machine);
    await machine.plug('eth0', LAN, `to-${at}`);
    await inLan(`ip link set to-${at} master lan up`);
    await machine.sh(`ip address add ${address}/24 dev eth0; ip link set eth0 up`);
    machine.put(release.runFile, '/root/carillon.run');
    const ran = await machine.in(['sh', '/root/carillon.run', '--yes', '--no-selftest']);
    expect(ran.code, ran.err + ran.out).toBe(0);
  }
}, 400_000);
afterAll(async () => {
  await Promise.all(machines.map((machine) => machine.off()));
  await run(['ip', 'netns', 'delete', LAN]);
});

const host = (at: 0 | 1): Machine => machines[at] as Machine;
const shared = (...words: readonly string[]) => ['configure', '--yes', '--vip', `${VIP}/24`, ...words];
const holds = async (machine: Machine): Promise<boolean> =>
  (await machine.sh('ip -4 -o address show dev eth0')).out.includes(`${VIP}/`);
const holdsSix = async (machine: Machine): Promise<boolean> =>
  (await machine.sh('ip -6 -o address show dev eth0')).out.includes('fd07::10/');
/** Without the address of IPv4 that the configuration which stayed still names. */
const IPV6_LISTENERS = ['--vip', '', '--sip-udp', '[::]:5060', '--appliance-http', '[::]:8443'];
const untouched = async (machine: Machine): Promise<void> => {
  expect((await machine.sh(`test -s ${CONF}`)).code, CONF).not.toBe(0);
  expect((await machine.sh('systemctl is-active keepalived')).out.trim()).toBe('inactive');
  expect(await leftovers(machine)).toEqual([]);
};

describe('a shared address that cannot be', () => {
  test.each([
    ['no hosts', [], 78, /hosts that share/],
    ['one priority twice', ['--vip-hosts', '10.7.0.11=9,10.7.0.12=9'], 78, /same priority 9; give each/],
    [
      'none of them is this one',
      ['--vip-hosts', '10.7.0.13=9,10.7.0.12=8'],
      78,
      /this machine.*Put the address/,
    ],
    [
      'of another network',
      ['--vip', '10.6.0.10/24', '--vip-hosts', HOSTS],
      78,
      /does not lie in the network/,
    ],
    [
      'of another family than its hosts',
      ['--vip', 'fd07::10/64', '--vip-hosts', HOSTS],
      78,
      /two families.*Name every host/,
    ],
    [
      'of IPv6, where the service does not listen',
      ['--vip', 'fd07::10/64', '--vip-hosts', 'fd07::11=150,fd07::12=100'],
      78,
      /does not listen there.*--sip-udp "\[::\]:5060"/,
    ],
    ['of a host', ['--vip', '10.7.0.12/24', '--vip-hosts', HOSTS], 78, /one machine alone.*free address/],
    [
      'that somebody has',
      ['--vip', '10.7.0.1/24', '--vip-hosts', HOSTS],
      78,
      /Another machine on the network has the address.*free address/,
    ],
  ])('is refused: %s', async (_, words, code, sentence) => {
    refused(await host(0).carillon(...shared(...words)), code, sentence);
    await untouched(host(0));
  });

  test('is refused without keepalived, and where its configuration is not ours', async () => {
    await host(0).sh('mv /usr/sbin/keepalived /usr/sbin/keepalived.away');
    refused(await host(0).carillon(...shared('--vip-hosts', HOSTS)), 69, /keepalived\. Install.*apt install/);
    await host(0).sh('mv /usr/sbin/keepalived.away /usr/sbin/keepalived');
    host(0).write(CONF, 'global_defs {\n}\n');
    refused(await host(0).carillon(...shared('--vip-hosts', HOSTS)), 78, /not from carillon.*Move/);
    expect(host(0).read(CONF)).toBe('global_defs {\n}\n');
    await host(0).sh(`rm ${CONF}`);
    await untouched(host(0));
  });

  test('leaves nothing when keepalived itself does not take it', async () => {
    // As a version would that does not know a word of ours.
    host(0).write(
      '/usr/local/sbin/keepalived',
      '#!/bin/sh\necho "(Line 35) Unknown keyword" >&2\nexit 5\n',
      0o755,
    );
    refused(await host(0).carillon(...shared('--vip-hosts', HOSTS)), 78, /does not take.*Unknown keyword/);
    await host(0).sh('rm /usr/local/sbin/keepalived');
    await untouched(host(0));
    expect(host(0).read('/etc/carillon/appliance.toml')).not.toContain('vip');
  });
});

describe('a shared address', () => {
  let device: ChildProcess;
  const answers: number[] = [];

  test('is shown by --dry-run and by the preflight, and nothing is changed', async () => {
    const words = shared('--vip-hosts', HOSTS).filter((word) => word !== '--yes');
    const dry = await host(0).carillon(...words, '--dry-run', '--json');
    expect(dry.code, dry.err).toBe(0);
    const steps = dry.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { step?: string });
    expect(steps.map(({ step }) => step)).toContain('vip');
    const checked = await host(0).carillon('preflight', '--json', ...words.slice(1));
    expect(checked.out).toContain('{"check":"vip","verdict":"ok","found":"10.7.0.10/24, eth0"}');
    await untouched(host(0));
  });

  test.each(['guard', 'service', 'vip'])(
    'leaves no half of it when the command is cut at %s',
    async (step) => {
      const words = shared('--vip-hosts', HOSTS, '--json');
      await host(0).cut(['/usr/local/bin/carillon', ...words], begins(step));
      await host(0).sh('systemctl start carillon-maintenance.service');
      await untouched(host(0));
      expect(host(0).read('/etc/carillon/appliance.toml')).not.toContain('vip');
    },
  );

  test('comes up by an answer file, and a second run changes nothing', async () => {
    for (const at of [0, 1] as const) {
      host(at).write('/root/site.toml', `vip = "${VIP}/24"\nvip_hosts = "${HOSTS}"\n`);
      const ran = await host(at).carillon('configure', '--yes', '--answers', '/root/site.toml');
      expect(ran.code, ran.err + ran.out).toBe(0);
      expect(ran.out).toMatch(at === 0 ? /has the shared address|takes part/ : /takes part in/);
    }
    await expect.poll(() => holds(host(0)), { timeout: 20_000 }).toBe(true);
    expect(await holds(host(1))).toBe(false);
    const again = await host(0).carillon('configure', '--yes');
    expect(again.code, again.err).toBe(0);
    expect(again.out).toContain('changed=0');
    expect(await holds(host(0))).toBe(true);
    const state = await host(0).sh('stat -c %U /run/carillon/vip-state; cat /run/carillon/vip-state');
    expect(state.out).toBe('carillon\nMASTER\n');
    expect(await leftovers(host(0))).toEqual([]);
  });

  test('answers SIP at the other host within five seconds when the one that has it dies', async () => {
    device = spawn(
      'ip',
      ['netns', 'exec', LAN, process.execPath, 'test/system/support/ask-address.ts', VIP, '5060'],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    createInterface({ input: device.stdout ?? process.stdin }).on('line', (line) =>
      answers.push((JSON.parse(line) as { atMs: number }).atMs),
    );
    await expect.poll(() => answers.length, { timeout: 30_000 }).toBeGreaterThan(10);
    const before = answers.length;
    await host(0).off();
    machines.shift();
    await expect.poll(() => answers.length, { timeout: 30_000 }).toBeGreaterThan(before + 30);
    const silentMs = Math.max(...answers.slice(before - 5).map((at, n, all) => at - (all[n - 1] ?? at)));
    process.stdout.write(`the shared address was silent for ${Math.round(silentMs)} ms\n`);
    expect(silentMs).toBeGreaterThan(500);
    expect(silentMs).toBeLessThanOrEqual(MOST_SILENT_MS);
    expect(await holds(machines[0] as Machine)).toBe(true);
    device.kill();
  });

  test('is removed when no setting asks for it any more, and with the product', async () => {
    const machine = machines[0] as Machine;
    const cleared = await machine.carillon('configure', '--yes', '--vip', '');
    expect(cleared.code, cleared.err + cleared.out).toBe(0);
    await untouched(machine);
    expect(await holds(machine)).toBe(false);
    expect((await machine.sh('test -e /run/carillon/vip-state')).code).not.toBe(0);
    const again = await machine.carillon(...shared('--vip-hosts', HOSTS));
    expect(again.code, again.err).toBe(0);
    await expect.poll(() => holds(machine), { timeout: 20_000 }).toBe(true);
    const removed = await machine.carillon('uninstall', '--yes');
    expect(removed.code, removed.err).toBe(0);
    expect(await holds(machine)).toBe(false);
    expect((await machine.sh(`test -e ${CONF}`)).code).not.toBe(0);
    expect((await machine.sh('test -s /etc/carillon/appliance.toml')).code, 'what stays').toBe(0);
  });

  test('answers SIP at its IPv6 address and announces its place in the network by NDP', async () => {
    const machine = machines[0] as Machine;
    const lan = (words: string) => run(['ip', 'netns', 'exec', LAN, ...words.split(' ')]);
    await lan('ip address add fd07::1/64 dev lan nodad');
    await machine.sh('ip address add fd07::12/64 dev eth0 nodad');
    const installed = await machine.in([
      'sh',
      '/root/carillon.run',
      '--yes',
      '--no-selftest',
      ...IPV6_LISTENERS,
    ]);
    expect(installed.code, installed.err).toBe(0);
    const request = ['--vip-hosts', 'fd07::11=150,fd07::12=100'];
    // The device has it: found by NDP before anything is changed.
    const taken = await machine.carillon('configure', '--yes', '--vip', 'fd07::1/64', ...request);
    refused(taken, 78, /Another machine on the network has the address.*free address/);
    const placed = await machine.carillon('configure', '--yes', '--vip', 'fd07::10/64', ...request);
    expect(placed.code, placed.err + placed.out).toBe(0);
    await expect.poll(() => holdsSix(machine), { timeout: 20_000 }).toBe(true);
    const asked = await lan(`${process.execPath} test/system/support/ask-address.ts fd07::10 5060 1`);
    expect(asked.code, asked.err).toBe(0);
    const own = (await machine.sh('cat /sys/class/net/eth0/address')).out.trim();
    expect((await lan('ip -6 neighbour show to fd07::10')).out).toContain(`lladdr ${own}`);
  });

  test('goes with the product and all it has kept, when it is purged', async () => {
    const machine = machines[0] as Machine;
    const purged = await machine.carillon('uninstall', '--yes', '--purge');
    expect(purged.code, purged.err).toBe(0);
    await expect.poll(() => holdsSix(machine), { timeout: 5_000 }).toBe(false);
    expect((await machine.sh('systemctl is-active keepalived; systemctl is-enabled keepalived')).out).toMatch(
      /^inactive\ndisabled/,
    );
    const left = [CONF, '/etc/carillon', '/var/lib/carillon', '/run/carillon/vip-state', '/opt/carillon'];
    for (const path of left) expect((await machine.sh(`test -e ${path}`)).code, path).not.toBe(0);
  });

  test('is removed with the Debian package when that is purged, and one that is not ours stays', async () => {
    const machine = machines[0] as Machine;
    machine.put(release.debianFile, '/root/carillon.deb');
    // It kept the services of this root file system from being begun when it was made.
    await machine.sh('rm -f /usr/sbin/policy-rc.d');
    const installed = await machine.sh('dpkg -i --force-depends /root/carillon.deb');
    expect(installed.code, installed.err).toBe(0);
    await machine.until(({ active }) => active === 'active', 60_000);
    const placed = await machine.in(['/usr/bin/carillon', ...shared('--vip-hosts', HOSTS)]);
    expect(placed.code, placed.err + placed.out).toBe(0);
    await expect.poll(() => holds(machine), { timeout: 20_000 }).toBe(true);
    expect((await machine.sh('dpkg --purge carillon')).code).toBe(0);
    expect(await holds(machine)).toBe(false);
    for (const path of [CONF, '/etc/carillon', '/var/lib/carillon'])
      expect((await machine.sh(`test -e ${path}`)).code, path).not.toBe(0);
    machine.write(CONF, 'global_defs {\n}\n');
    expect((await machine.sh('dpkg -i --force-depends /root/carillon.deb')).code).toBe(0);
    expect((await machine.sh('dpkg --purge carillon')).code).toBe(0);
    expect(machine.read(CONF)).toBe('global_defs {\n}\n');
  });
});
