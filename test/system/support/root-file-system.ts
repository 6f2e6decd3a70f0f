import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { done, run } from './program.ts';

export type Debian = 'bookworm' | 'trixie';

const INCLUDE = 'systemd,systemd-sysv,dbus,iproute2,procps,libstdc++6,udev,ca-certificates';
/** Keeps both between runs; a minute each to make. */
const CACHE = join(tmpdir(), 'carillon-system');

/** A small Debian and what it shall have besides, made once. Returns its folder, which no test writes to. */
export async function rootFileSystem(debian: Debian, packages: readonly string[] = []): Promise<string> {
  const folder = join(CACHE, [debian, ...packages].join('+'));
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const part = `${folder}.${process.pid}.part`;
  rmSync(part, { recursive: true, force: true });
  if (packages.length > 0) {
    await done(['cp', '-a', await rootFileSystem(debian), part]);
    await added(part, packages);
    renameSync(part, folder);
    return folder;
  }
  await done(['debootstrap', '--variant=minbase', `--include=${INCLUDE}`, debian, part], {
    withinMs: 600_000,
  });
  renameSync(part, folder);
  return folder;
}

/** Packages of the mirror of this machine. None of their services is begun, now or when a machine starts. */
async function added(root: string, packages: readonly string[]): Promise<void> {
  copyFileSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'));
  writeFileSync(join(root, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  const install = ['apt-get', 'install', '--yes', '--quiet', '--no-install-recommends', ...packages];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };
  await done(['chroot', root, 'apt-get', 'update', '--quiet'], { withinMs: 300_000, env });
  await done(['chroot', root, ...install], { withinMs: 600_000, env });
  await run(
    ['chroot', root, 'systemctl', 'disable', 'NetworkManager', 'keepalived', 'NetworkManager-wait-online'],
    { env },
  );
}
