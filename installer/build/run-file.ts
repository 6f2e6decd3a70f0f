import { createHash } from 'node:crypto';
import { type Cpu, KERNEL_CPU } from './cpu.ts';

/** glibc that the database library was linked against. */
const LEAST_GLIBC = [2, 34] as const;
const FREE_MB = 400;

/**
 * First contact with a host: a short script that says what a binary cannot say (another CPU, too old a glibc), and the
 * Debian package behind it, out of which it takes the binary. `sh file.run` also works from a stick that is mounted `noexec`.
 */
export function runFile(binary: Buffer, debianPackage: Buffer, version: string, cpu: Cpu): Buffer {
  const sha256 = createHash('sha256').update(binary).digest('hex');
  const script = runScript(version, cpu, { sha256, ...dataOf(debianPackage) });
  return Buffer.concat([Buffer.from(script), debianPackage]);
}

/** The program in a package, and where what is installed lies in it (a tar archive under xz), in bytes from its beginning. */
export interface Payload {
  readonly sha256: string;
  readonly from: number;
  readonly length: number;
}

const AR_HEAD = 8;
const AR_ENTRY = 60;

/** The member `data.tar.xz` of a Debian package, deb(5). */
export function dataOf(debianPackage: Buffer): { readonly from: number; readonly length: number } {
  for (let at = AR_HEAD; at + AR_ENTRY <= debianPackage.length; ) {
    const name = debianPackage.toString('latin1', at, at + 16).trim();
    const length = Number(debianPackage.toString('latin1', at + 48, at + 58));
    if (name === 'data.tar.xz') return { from: at + AR_ENTRY, length };
    at += AR_ENTRY + length + (length % 2);
  }
  throw new Error('the Debian package holds no data.tar.xz');
}

/**
 * The script alone; its last line is the last before the package. Debian and Ubuntu have `dpkg-deb` and often no `xz`, others
 * the other way round. `--unpack FILE` takes the program out and does no more. `root` is put before each path in tests.
 */
export function runScript(version: string, cpu: Cpu, payload: Payload, root = ''): string {
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

unpacker=$(command -v dpkg-deb || command -v xz) || stop 69 "this file is unpacked by dpkg-deb or xz, and neither is here: install xz"
program() {
  case $unpacker in
  *dpkg-deb) tail -c +${skip} "$0" | dpkg-deb --fsys-tarfile - ;;
  *) tail -c +${skip + payload.from} "$0" | head -c ${payload.length} | xz -dc ;;
  esac | tar -xOf - ./opt/carillon/releases/${version}/carillon
}
unpack() {
  program >"$1" 2>/dev/null && sum=$(sha256sum "$1") && [ "\${sum%% *}" = ${payload.sha256} ] || stop 65 "this file is damaged: copy it again"
}
[ "\${1-}" != --unpack ] || { unpack "$2"; exit; }

mkdir -p "$slot" || stop 74 "$slot cannot be made"
free=$(df -Pk "$slot" | awk 'NR == 2 { print int($4 / 1024) }')
[ "$free" -ge ${FREE_MB} ] || stop 74 "${FREE_MB} MB must be free under /opt, there are $free"

part=$slot/carillon.part
trap 'rm -f "$part"' EXIT
unpack "$part"
chmod 755 "$part"
sync -f "$part" || stop 74 "$part cannot be written"
mv -f "$part" "$slot/carillon"
trap - EXIT
exec "$slot/carillon" install "$@"
`;
  // Its own length stands in it, and so do places behind it.
  let length = 0;
  while (text(length + 1).length !== length) length = text(length + 1).length;
  return text(length + 1);
}
