import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { done } from './program.ts';

export type Debian = 'bookworm' | 'trixie';

const INCLUDE = 'systemd,systemd-sysv,dbus,iproute2,procps,libstdc++6,udev,ca-certificates';
/** Keeps both between runs; a minute each to make. */
const CACHE = join(tmpdir(), 'carillon-system');

/** A small Debian, made once. Returns its folder, which nobody writes to. */
export async function rootFileSystem(debian: Debian): Promise<string> {
  const folder = join(CACHE, debian);
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const part = `${folder}.${process.pid}.part`;
  rmSync(part, { recursive: true, force: true });
  await done(['debootstrap', '--variant=minbase', `--include=${INCLUDE}`, debian, part], {
    withinMs: 600_000,
  });
  renameSync(part, folder);
  return folder;
}
