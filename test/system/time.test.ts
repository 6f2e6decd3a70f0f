import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { refused } from './life/stage.ts';
import { leftovers } from './support/leftover.ts';
import { begins, boot, type Machine } from './support/machine.ts';
import { MACHINE_PACKAGES } from './support/machine-packages.ts';

/** One Debian 13 with chrony, which may not set the clock of the machine that it shares (`-x`). */
const release = inject('release');
const CONF = '/etc/chrony/conf.d/carillon.conf';
const SITE = ['--time-hosts', '10.7.0.11,10.7.0.12'];
let machine: Machine;

beforeAll(async () => {
  machine = await boot('trixie', MACHINE_PACKAGES.time);
  machine.write('/etc/default/chrony', 'DAEMON_OPTS="-x -F 1"\n');
  await machine.sh('mkdir -p /etc/systemd/system/chrony.service.d');
  machine.write('/etc/systemd/system/chrony.service.d/shared.conf', '[Unit]\nConditionCapability=\n');
  await machine.sh(
    'systemctl daemon-reload; systemctl disable --now chrony; ip address add 10.7.0.11/32 dev lo',
  );
  machine.put(release.runFile, '/root/carillon.run');
  const ran = await machine.in(['sh', '/root/carillon.run', '--yes', '--no-selftest']);
  expect(ran.code, ran.err + ran.out).toBe(0);
}, 400_000);
afterAll(() => machine?.off());

const there = async (): Promise<boolean> => (await machine.sh(`test -e ${CONF}`)).code === 0;
const chrony = async (): Promise<string> =>
  (await machine.sh('systemctl is-active chrony; systemctl is-enabled chrony')).out;

test('the time is left alone where chrony stands still, and refused where it cannot be', async () => {
  expect(await there()).toBe(false);
  expect(await chrony()).toBe('inactive\ndisabled\n');
  const elsewhere = await machine.carillon('configure', '--yes', '--time-hosts', '10.7.0.12,10.7.0.13');
  refused(elsewhere, 78, /this machine.*Put the address/);
  await machine.sh('mv /usr/sbin/chronyd /usr/sbin/chronyd.away');
  refused(await machine.carillon('configure', '--yes', '--time', 'chrony'), 69, /apt install chrony/);
  await machine.sh('mv /usr/sbin/chronyd.away /usr/sbin/chronyd');
  machine.write(CONF, 'port 0\n');
  refused(await machine.carillon('configure', '--yes', ...SITE), 78, /not from carillon/);
  await machine.sh(`rm ${CONF}`);
  expect(await chrony()).toBe('inactive\ndisabled\n');
  expect(await leftovers(machine)).toEqual([]);
});

test('a command that is cut behind the step leaves no half of it', async () => {
  await machine.cut(['/usr/local/bin/carillon', 'configure', '--yes', '--json', ...SITE], begins('confirm'));
  expect(await there()).toBe(true);
  await machine.sh('systemctl start carillon-maintenance.service');
  expect(await there()).toBe(false);
  // Not in the sandbox of the maintenance: `disable` of a service with a script of the old kind writes beside the units.
  expect(await chrony()).toMatch(/^inactive\n/);
  expect(machine.read('/etc/carillon/appliance.toml')).not.toContain('time_hosts');
  expect(await leftovers(machine)).toEqual([]);
});

test('the time comes by chrony when it is asked for, and a second run changes nothing', async () => {
  const dry = await machine.carillon('configure', '--dry-run', '--json', ...SITE);
  expect(dry.out).toContain('"step":"time"');
  expect(await there()).toBe(false);
  const placed = await machine.carillon('configure', '--yes', ...SITE);
  expect(placed.code, placed.err + placed.out).toBe(0);
  expect(placed.out).toContain('10.7.0.12');
  expect(machine.read(CONF)).toContain('server 10.7.0.12 iburst');
  expect(await chrony()).toBe('active\nenabled\n');
  expect((await machine.sh('chronyc -n sources')).out).toContain('10.7.0.12');
  // As the appliance asks, without special rights.
  const asked = await machine.sh(
    'setpriv --reuid=carillon --clear-groups chronyc -h 127.0.0.1,::1 -c -n tracking',
  );
  expect(asked.code, asked.err + asked.out).toBe(0);
  expect((await machine.carillon('configure', '--yes')).out).toContain('changed=0');
  expect((await machine.carillon('status')).out).toMatch(/Time from\s+the hosts of the site alone/);
});

test('the drop-in is removed when no setting asks for it any more, and with the product; chrony runs on', async () => {
  const off = await machine.carillon('configure', '--yes', '--time', 'off');
  expect(off.code, off.err + off.out).toBe(0);
  expect(await there()).toBe(false);
  expect(await chrony()).toBe('active\nenabled\n');
  const again = await machine.carillon('configure', '--yes', '--time', 'chrony');
  expect(again.code, again.err + again.out).toBe(0);
  expect(await there()).toBe(true);
  const removed = await machine.carillon('uninstall', '--yes');
  expect(removed.code, removed.err).toBe(0);
  expect(await there()).toBe(false);
  expect(await chrony()).toBe('active\nenabled\n');
});
