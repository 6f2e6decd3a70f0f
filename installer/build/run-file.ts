import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Cpu, KERNEL_CPU } from './cpu.ts';

const compressed = promisify(gzip);

/** glibc that the database library was linked against. */
const LEAST_GLIBC = [2, 34] as const;
const FREE_MB = 400;

/**
 * First contact with a host: a short script that says what a binary cannot say (another CPU, too old a glibc), and the
 * binary behind it. `sh file.run` also works from a stick that is mounted `noexec`.
 */
export async function runFile(binary: Buffer, version: string, cpu: Cpu): Promise<Buffer> {
  const script = runScript(version, cpu, createHash('sha256').update(binary).digest('hex'));
  return Buffer.concat([Buffer.from(script), await compressed(binary, { level: 9 })]);
}

/** The script alone; its last line is the last before the compressed binary. `root` is put before each path in tests. */
export function runScript(version: string, cpu: Cpu, sha256: string, root = ''): string {
  const text = (skip: number): string => `#!/bin/sh
# Carillon ${version} for Linux on ${cpu}. Puts itself into /opt/carillon and starts \`carillon install\` with your words.
set -eu
stop() { code=$1; shift; echo "carillon: $*" >&2; exit "$code"; }
releases=${root}/opt/carillon/releases
slot=$releases/${version}

[ "$(id -u)" = 0 ] || stop 77 "this must run as root: sudo sh $0"
[ "$(uname -m)" = ${KERNEL_CPU[cpu]} ] || stop 65 "this file is for ${KERNEL_CPU[cpu]}, this machine is $(uname -m): get the other one"
[ -d ${root}/run/systemd/system ] || stop 69 "systemd does not run here; Carillon is started and watched by it"

glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null) || glibc='glibc 0.0'
glibc=\${glibc#glibc }
major=\${glibc%%.*}
minor=\${glibc#*.}
minor=\${minor%%.*}
[ "$major" -gt ${LEAST_GLIBC[0]} ] || { [ "$major" -eq ${LEAST_GLIBC[0]} ] && [ "$minor" -ge ${LEAST_GLIBC[1]} ]; } ||
  stop 69 "glibc ${LEAST_GLIBC.join('.')} or later is needed, this system has $glibc: Debian 12, Ubuntu 22.04 or RHEL 9 have it"

mkdir -p "$slot" || stop 74 "$slot cannot be made"
free=$(df -Pk "$slot" | awk 'NR == 2 { print int($4 / 1024) }')
[ "$free" -ge ${FREE_MB} ] || stop 74 "${FREE_MB} MB must be free under /opt, there are $free"

part=$slot/carillon.part
trap 'rm -f "$part"' EXIT
tail -c +${skip} "$0" | gzip -dc >"$part" || stop 65 "this file is damaged: copy it again"
sum=$(sha256sum "$part")
[ "\${sum%% *}" = ${sha256} ] || stop 65 "this file is damaged: copy it again"
chmod 755 "$part"
sync -f "$part" || stop 74 "$part cannot be written"
mv -f "$part" "$slot/carillon"
trap - EXIT
exec "$slot/carillon" install "$@"
`;
  // Its own length stands in it.
  let length = text(10_000).length;
  length = text(length + 1).length;
  return text(length + 1);
}
