import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { boot, type Machine } from './support/machine.ts';
import { signed } from './support/release.ts';

/** Debian 13: the package, and the net under an upgrade that nobody watches any more. */
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

  test('is in service after dpkg -i, READY within 10 s', async () => {
    const ran = await machine.sh('dpkg -i --force-depends /root/carillon.deb');
    expect(ran.code, ran.err).toBe(0);
    await machine.until(({ active }) => active === 'active', 60_000);
    const ms = await machine.readyAfterMs();
    expect(ms).toBeLessThan(10_000);
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

describe('a change of the network', () => {
  const set = (...words: readonly string[]) =>
    machine.carillon('network', 'set', 'v0', '--yes', '--address', '10.9.0.2/24', ...words);
  const addresses = async () => (await machine.sh('ip -4 -o address show v0')).out;

  test('begins on an interface that networkd owns', async () => {
    machine.put(release.runFile, '/root/carillon.run');
    const ran = await machine.in(['sh', '/root/carillon.run', '--yes', '--no-selftest']);
    expect(ran.code, ran.err + ran.out).toBe(0);
    machine.write(
      '/etc/systemd/network/50-v0.network',
      '[Match]\nName=v0\n\n[Network]\nAddress=10.9.0.1/24\n',
    );
    await machine.sh(
      'ip link add v0 type veth peer name v1; ip link set v1 up; systemctl start systemd-networkd',
    );
    await expect.poll(addresses, { timeout: 20_000 }).toContain('10.9.0.1/24');
  });

  test('of an interface that nobody owns, or that is not there, is refused', async () => {
    const strange = await machine.carillon('network', 'set', 'nope0', '--yes', '--dhcp');
    expect(strange.code).toBe(69);
    expect(strange.err).toMatch(/no interface nope0.*v0/);
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

  test('that nobody confirms is taken back', async () => {
    const ran = await set('--confirm-within', '3');
    expect(ran.code, ran.err).toBe(4);
    await expect.poll(addresses, { timeout: 10_000 }).toContain('10.9.0.1/24');
    expect((await machine.sh('ls /etc/systemd/network')).out).not.toContain('carillon');
  });

  test('whose command dies is taken back by the watch', async () => {
    const argv = ['/usr/local/bin/carillon', 'network', 'set', 'v0', '--yes', '--json'];
    const words = ['--address', '10.9.0.2/24', '--confirm-within', '1'];
    expect(
      await machine.cut([...argv, ...words], (line) => line.startsWith('{"step":"confirm","state":"begun"')),
    ).toBe(true);
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

describe('an upgrade whose command died', () => {
  test('to a release that hangs is taken back by the watch it armed', async () => {
    const slot = `/opt/carillon/releases/${release.version}`;
    machine.write(`${slot}/assets/installer/io/release-keys.pub`, readFileSync(release.publicKey, 'utf8'));
    const file = join(folder, 'hangs-alone');
    writeFileSync(file, '#!/bin/sh\ncase $1 in\nappliance) exec sleep 600 ;;\n*) exit 0 ;;\nesac\n', {
      mode: 0o755,
    });
    await signed(release, file, 'hangs-alone', { version: '0.9.0' });
    machine.put(join(release.folder, 'hangs-alone'), '/root/hangs');
    machine.put(join(release.folder, 'hangs-alone.minisig'), '/root/hangs.minisig');
    const argv = ['/usr/local/bin/carillon', 'upgrade', '/root/hangs', '--yes', '--json'];
    expect(await machine.cut(argv, (line) => line.startsWith('{"step":"ready","state":"begun"'))).toBe(true);
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
