import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { bySize } from '#test/support/vitest/rounds.ts';
import { refused } from './life/stage.ts';
import { leftovers } from './support/leftover.ts';
import { begins, boot, type Machine } from './support/machine.ts';
import { signed } from './support/release.ts';

/** Debian 13: the package, and the nets under a configuration, a network and an upgrade that no command watches any more. */
const release = inject('release');
const folder = mkdtempSync(join(tmpdir(), 'carillon-package-'));
let machine: Machine;

beforeAll(async () => {
  machine = await boot('trixie');
});

afterAll(async () => {
  await machine?.off();
  rmSync(folder, { recursive: true, force: true });
});

describe('the Debian package', () => {
  beforeAll(() => machine.put(release.debianFile, '/root/carillon.deb'));

  const INSTALL = ['dpkg', '--install', '--force-depends', '--status-fd', '1', '/root/carillon.deb'];
  /** As dpkg says them; each is left behind by a power cut in it. */
  const STATES = ['half-installed', 'unpacked', 'half-configured'] as const;
  const cutIn = (state: string) => machine.cut(INSTALL, new RegExp(`^status: carillon(:\\w+)?: ${state}`));

  test('that is cut at every step is made whole by the next try', async () => {
    for (const state of STATES) await cutIn(state);
    expect((await machine.sh('dpkg --audit')).out).toContain('carillon');
    const ran = await machine.in(INSTALL);
    expect(ran.code, ran.err).toBe(0);
    await machine.until(({ active }) => active === 'active', 60_000);
    expect((await machine.sh('dpkg --audit')).out).toBe('');
    expect(await leftovers(machine)).toEqual([]);
  });

  test('that is cut at every step over another one leaves one of them in service', async () => {
    for (const state of STATES) {
      await cutIn(state);
      await machine.until(({ active }) => active === 'active', 60_000);
    }
    expect((await machine.in(INSTALL)).code).toBe(0);
    await machine.until(({ active }) => active === 'active', 60_000);
    expect((await machine.sh('dpkg --audit')).out).toBe('');
    expect(await leftovers(machine)).toEqual([]);
    expect((await machine.sh('dpkg --purge carillon')).code).toBe(0);
  });

  test('is in service after dpkg -i, and says when it was READY', async () => {
    const ran = await machine.sh('dpkg -i --force-depends /root/carillon.deb');
    expect(ran.code, ran.err).toBe(0);
    await machine.until(({ active }) => active === 'active', 60_000);
    const ms = await machine.readyAfterMs();
    console.log(`Debian package: READY after ${Math.round(ms)} ms`);
  });

  test('is upgraded and removed by apt, and the commands say so', async () => {
    for (const words of [['upgrade', '/root/x'], ['rollback'], ['uninstall']]) {
      const ran = await machine.in(['carillon', ...words, '--yes']);
      expect(ran.code, `${words[0]}: ${ran.err}`).toBe(64);
      expect(ran.err).toMatch(/apt/);
    }
    const installed = await machine.in(['carillon', 'install', '--yes', '--no-selftest']);
    expect(installed.code, installed.err + installed.out).toBe(0);
  });

  test('keeps the configuration over an installation of the same again', async () => {
    await machine.in(['carillon', 'configure', '--yes', '--host-id', 'kept-1']);
    const ran = await machine.sh('dpkg -i --force-depends /root/carillon.deb');
    expect(ran.code, ran.err).toBe(0);
    expect(machine.read('/etc/carillon/appliance.toml')).toContain('kept-1');
    await machine.until(({ active }) => active === 'active', 60_000);
  });

  test('leaves nothing when it is purged', async () => {
    const ran = await machine.sh('dpkg --purge carillon');
    expect(ran.code, ran.err).toBe(0);
    const found = await machine.sh(
      'find /etc /opt /usr /var -xdev -iname "*carillon*" -prune | grep -v -e /var/log/journal -e /var/lib/dpkg',
    );
    expect(found.out).toBe('');
    expect((await machine.sh('getent passwd carillon')).code).not.toBe(0);
  });
});

describe('a configuration', () => {
  const FILE = '/etc/carillon/appliance.toml';
  const STEPS = bySize(
    ['configuration', 'service', 'confirm'],
    ['guard', 'folders', 'configuration', 'service', 'ready', 'confirm'],
  );
  const cutAt = (step: string, ...words: readonly string[]) =>
    machine.cut(['/usr/local/bin/carillon', 'configure', '--yes', '--json', ...words], begins(step));

  beforeAll(async () => {
    machine.put(release.runFile, '/root/carillon.run');
    const ran = await machine.in(['sh', '/root/carillon.run', '--yes', '--no-selftest']);
    expect(ran.code, ran.err + ran.out).toBe(0);
  });

  test('that systemd itself fails at is taken back, with 1', async () => {
    const before = machine.read('/etc/carillon/appliance.toml');
    const fails = 'case "$*" in "restart carillon-appliance"*) echo no bus >&2; exit 1 ;; esac';
    machine.write('/usr/local/sbin/systemctl', `#!/bin/sh\n${fails}\nexec /usr/bin/systemctl "$@"\n`, 0o755);
    refused(
      await machine.carillon('configure', '--yes', '--log', 'debug'),
      1,
      /ended with 1: no bus.*taken back/,
    );
    await machine.sh('rm /usr/local/sbin/systemctl');
    expect(machine.read('/etc/carillon/appliance.toml')).toBe(before);
    expect((await machine.unit()).active).toBe('active');
    expect(await leftovers(machine)).toEqual([]);
  });

  test('is taken back by the next command when its own is cut at any step', async () => {
    const before = machine.read(FILE);
    for (const step of STEPS) {
      await cutAt(step, '--host-id', `cut-${step}`);
      const back = await machine.carillon('maintenance');
      expect(back.code, back.err).toBe(0);
      expect(back.out, step).toContain('is taken back');
      expect(machine.read(FILE), step).toBe(before);
      await machine.until(({ active }) => active === 'active', 30_000);
      expect(await leftovers(machine), step).toEqual([]);
    }
  });

  test('that the service refuses, and whose command died, is taken back when the service fails', async () => {
    const before = machine.read(FILE);
    const wrong = ['--tls-cert', '/no/such.pem', '--tls-key', '/no/such.key'];
    await cutAt('service', ...wrong);
    expect(machine.read(FILE)).not.toBe(before);
    // As after a power cut: only systemd is there.
    await machine.sh('systemctl stop carillon-configure-watch.timer; systemctl restart carillon-appliance');
    await expect.poll(() => machine.read(FILE), { timeout: 60_000, interval: 500 }).toBe(before);
    await machine.until(({ active }) => active === 'active', 30_000);
    // The program that took it back ends a moment after the service runs.
    await expect.poll(() => leftovers(machine), { timeout: 30_000, interval: 500 }).toEqual([]);
  });

  test('that no program watches any more is taken back in its time', async () => {
    const before = machine.read(FILE);
    await cutAt('ready', '--host-id', 'left-alone');
    expect((await machine.sh('systemctl is-active carillon-configure-watch.timer')).out).toMatch(/^active/);
    // Its time is over.
    await machine.sh('systemctl start carillon-configure-watch.service');
    await expect.poll(() => machine.read(FILE), { timeout: 60_000, interval: 500 }).toBe(before);
    await machine.until(({ active }) => active === 'active', 30_000);
    // The program that took it back ends a moment after the service runs.
    await expect.poll(() => leftovers(machine), { timeout: 30_000, interval: 500 }).toEqual([]);
  });
});

describe('the service', () => {
  test('listens below port 1024 when it is configured to, and gives the right back', async () => {
    const low = await machine.carillon('configure', '--yes', '--dc09', '0.0.0.0:700');
    expect(low.code, low.err).toBe(0);
    expect((await machine.sh('ss -Hltn sport = :700')).out).toContain(':700');
    const usual = await machine.carillon('configure', '--yes', '--dc09', '0.0.0.0:6060');
    expect(usual.code, usual.err).toBe(0);
    const right = await machine.sh('systemctl show -p CapabilityBoundingSet --value carillon-appliance');
    expect(right.out.trim()).toBe('');
    expect(await leftovers(machine)).toEqual([]);
  });

  test('ends with 78 over a configuration that was damaged, without a loop, and serves when it is mended', async () => {
    const good = machine.read('/etc/carillon/appliance.toml');
    await machine.sh(
      `echo 'sip_udp = "nowhere"' >>/etc/carillon/appliance.toml; systemctl restart carillon-appliance`,
    );
    await machine.until(({ active }) => active === 'failed', 30_000);
    const shown = await machine.sh('systemctl show -p ExecMainStatus -p NRestarts carillon-appliance');
    expect(shown.out.trim().split('\n').sort()).toEqual(['ExecMainStatus=78', 'NRestarts=0']);
    machine.write('/etc/carillon/mended', good);
    await machine.sh('cat /etc/carillon/mended >/etc/carillon/appliance.toml; rm /etc/carillon/mended');
    await machine.sh('systemctl reset-failed carillon-appliance; systemctl start carillon-appliance');
    await machine.until(({ active }) => active === 'active', 30_000);
  });

  test('is started again when it hangs', async () => {
    const { pid } = await machine.unit();
    // Its own patience is 30 s; what is proven is that a process which says nothing is replaced.
    machine.write(
      '/etc/systemd/system/carillon-appliance.service.d/90-impatient.conf',
      '[Service]\nWatchdogSec=10s\n',
    );
    await machine.sh('systemctl daemon-reload; systemctl restart carillon-appliance');
    await machine.until((unit) => unit.active === 'active' && unit.pid !== pid, 60_000);
    const hung = (await machine.unit()).pid;
    await machine.sh('systemctl kill --kill-whom=main -s STOP carillon-appliance');
    const ms = await machine.until((unit) => unit.active === 'active' && unit.pid !== hung, 60_000);
    const why = await machine.sh('journalctl -u carillon-appliance -o cat | grep -c "Watchdog timeout"');
    expect(Number(why.out)).toBeGreaterThan(0);
    console.log(`a service that hangs was replaced after ${Math.round(ms)} ms (watchdog 10 s)`);
    await machine.sh(
      'rm /etc/systemd/system/carillon-appliance.service.d/90-impatient.conf; systemctl daemon-reload',
    );
    await machine.sh('systemctl restart carillon-appliance');
    await machine.until(({ active }) => active === 'active', 30_000);
  });
});

describe('a change of the network', () => {
  const set = (...words: readonly string[]) =>
    machine.carillon('network', 'set', 'v0', '--yes', '--address', '10.9.0.2/24', ...words);
  const addresses = async () => (await machine.sh('ip -4 -o address show v0')).out;

  test('begins on an interface that networkd owns', async () => {
    machine.write(
      '/etc/systemd/network/50-v0.network',
      '[Match]\nName=v0\n\n[Network]\nAddress=10.9.0.1/24\n',
    );
    await machine.sh(
      'ip link add v0 type veth peer name v1; ip link set v1 up; systemctl start systemd-networkd',
    );
    await expect.poll(addresses, { timeout: 20_000 }).toContain('10.9.0.1/24');
  });

  test('is refused for an interface that is not managed, or that is not there', async () => {
    const strange = await machine.carillon('network', 'set', 'nope0', '--yes', '--dhcp');
    expect(strange.code).toBe(69);
    expect(strange.err).toMatch(/interface nope0 does not exist.*v0/);
    const both = await machine.carillon('network', 'set', 'v0', '--yes');
    expect(both.code).toBe(64);
  });

  test('that would end the login is refused', async () => {
    const ran = await machine.sh(
      'SSH_CONNECTION="10.9.0.9 50000 10.9.0.1 22" carillon network set v0 --yes --address 10.9.0.2/24',
    );
    expect(ran.code).toBe(64);
    expect(ran.err).toContain('lose-ssh');
    expect(await addresses()).toContain('10.9.0.1/24');
  });

  test('that is not confirmed is taken back', async () => {
    const ran = await set('--confirm-within', '3');
    expect(ran.code, ran.err).toBe(4);
    await expect.poll(addresses, { timeout: 10_000 }).toContain('10.9.0.1/24');
    expect((await machine.sh('ls /etc/systemd/network')).out).not.toContain('carillon');
  });

  test('is taken back by the watch when its command dies', async () => {
    const argv = ['/usr/local/bin/carillon', 'network', 'set', 'v0', '--yes', '--json'];
    const words = ['--address', '10.9.0.2/24', '--confirm-within', '1'];
    await machine.cut([...argv, ...words], begins('confirm'));
    expect(await addresses()).toContain('10.9.0.2/24');
    await expect.poll(addresses, { timeout: 60_000, interval: 500 }).toContain('10.9.0.1/24');
  });

  test('that is confirmed stays', async () => {
    const changing = set('--confirm-within', '60');
    await expect.poll(addresses, { timeout: 30_000 }).toContain('10.9.0.2/24');
    await expect
      .poll(async () => (await machine.carillon('network', 'confirm')).code, { timeout: 30_000 })
      .toBe(0);
    const ran = await changing;
    expect(ran.code, ran.err).toBe(0);
    expect(await addresses()).toContain('10.9.0.2/24');
    expect((await machine.sh('systemctl is-active carillon-network-watch.timer')).out).not.toMatch(/^active/);
  });
});

describe('an upgrade', () => {
  test('to a release that fails its self-test is taken back', async () => {
    const slot = `/opt/carillon/releases/${release.version}`;
    machine.write(`${slot}/assets/installer/io/release-keys.pub`, readFileSync(release.publicKey, 'utf8'));
    const file = join(folder, 'sick');
    const daemon = 'systemd-notify --ready; exec sleep 600';
    const found = '{"point":"sip-call","verdict":"failure"}';
    writeFileSync(
      file,
      `#!/bin/sh\ncase $1 in\nappliance) ${daemon} ;;\nselftest) echo '${found}'; exit 3 ;;\n*) exit 0 ;;\nesac\n`,
      { mode: 0o755 },
    );
    await signed(release, file, 'sick', { version: '0.8.0' });
    machine.put(join(release.folder, 'sick'), '/root/sick');
    machine.put(join(release.folder, 'sick.minisig'), '/root/sick.minisig');
    const ran = await machine.carillon('upgrade', '/root/sick', '--yes');
    expect(ran.code, ran.err).toBe(4);
    expect(ran.err).toMatch(/sip-call/);
    await machine.until(({ active, slot: now }) => active === 'active' && now === release.version, 30_000);
    expect(await leftovers(machine)).toEqual([]);
  });
});

describe('an upgrade whose command died', () => {
  test('to a release that hangs is taken back by the watch it armed', async () => {
    const file = join(folder, 'hangs-alone');
    writeFileSync(file, '#!/bin/sh\ncase $1 in\nappliance) exec sleep 600 ;;\n*) exit 0 ;;\nesac\n', {
      mode: 0o755,
    });
    await signed(release, file, 'hangs-alone', { version: '0.9.0' });
    machine.put(join(release.folder, 'hangs-alone'), '/root/hangs');
    machine.put(join(release.folder, 'hangs-alone.minisig'), '/root/hangs.minisig');
    const argv = ['/usr/local/bin/carillon', 'upgrade', '/root/hangs', '--yes', '--json'];
    await machine.cut(argv, begins('ready'));
    const ms = await machine.until(
      ({ active, slot: now }) => active === 'active' && now === release.version,
      130_000,
    );
    console.log(`the watch took an upgrade back after ${Math.round(ms)} ms`);
    // The next command finds the rest and takes it back, too.
    const next = await machine.carillon('rollback', '--yes');
    expect(next.code, next.err).toBe(0);
    await machine.until(({ active, slot: now }) => active === 'active' && now === release.version, 30_000);
  });
});
