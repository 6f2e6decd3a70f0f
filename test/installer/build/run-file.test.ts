import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { dataOf, runFile, runScript } from '#installer/build/run-file.ts';

const BINARY = Buffer.from('#!/bin/sh\necho "installs with $*"\n');
const SUM = createHash('sha256').update(BINARY).digest('hex');

/** As dpkg-deb packs it; `text` is the program. */
function packed(text: string | Buffer): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-tar-'));
  made.push(folder);
  const slot = 'opt/carillon/releases/1.2.3';
  mkdirSync(join(folder, slot), { recursive: true });
  writeFileSync(join(folder, slot, 'carillon'), text);
  return spawnSync('tar', ['-cf', '-', '.'], { cwd: folder }).stdout;
}

/** A member of an ar(5) archive. */
function member(name: string, bytes: Buffer): Buffer {
  const head = `${name.padEnd(16)}${'0'.padEnd(12)}${'0'.padEnd(12)}${'100644'.padEnd(8)}${String(bytes.length).padEnd(10)}\`\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.alloc(bytes.length % 2, '\n')]);
}

const FRONT = [
  Buffer.from('!<arch>\n'),
  member('debian-binary', Buffer.from('2.0')),
  member('control.tar.xz', Buffer.from('x')),
];
const inPackage = (tar: Buffer): Buffer => Buffer.concat([...FRONT, member('data.tar.xz', tar)]);

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

/** The host as its programs describe it; `payload` stands behind the script. */
interface Host {
  readonly id?: string;
  readonly cpu?: string;
  readonly glibc?: string;
  readonly freeKb?: number;
  readonly systemd?: boolean;
  readonly payload?: Buffer;
  /** Has xz and no dpkg-deb. */
  readonly foreign?: boolean;
}

/** Runs the file on a host whose programs answer as the test says. */
function first({
  id = '0',
  cpu = 'x86_64',
  glibc = 'glibc 2.36',
  freeKb = 1e6,
  systemd = true,
  payload = packed(BINARY),
  foreign = false,
}: Host) {
  const root = mkdtempSync(join(tmpdir(), 'carillon-run-'));
  made.push(root);
  const says = (name: string, text: string): void => {
    writeFileSync(join(root, 'path', name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(root, 'path', name), 0o755);
  };
  mkdirSync(join(root, 'path'));
  says('id', `echo ${id}`);
  says('uname', `echo ${cpu}`);
  says('getconf', glibc === '' ? 'exit 1' : `echo ${glibc}`);
  says('df', `echo Filesystem; echo /dev/sda1 0 0 ${freeKb} 0% /`);
  // Content and compression of a package are a matter of its tools: here it is a plain archive.
  says(foreign ? 'xz' : 'dpkg-deb', 'exec cat');
  const others = [
    'tail',
    'head',
    'cat',
    'tar',
    'sha256sum',
    'awk',
    'mkdir',
    'chmod',
    'sync',
    'mv',
    'rm',
    'sh',
  ];
  for (const name of others) says(name, `PATH='${process.env.PATH}' exec ${name} "$@"`);
  if (systemd) mkdirSync(join(root, 'run/systemd/system'), { recursive: true });
  const file = join(root, 'carillon.run');
  const wrapped = foreign ? inPackage(payload) : payload;
  const place = foreign ? dataOf(wrapped) : { from: 0, length: payload.length };
  const script = runScript('1.2.3', 'x64', { sha256: SUM, ...place }, root);
  writeFileSync(file, Buffer.concat([Buffer.from(script), wrapped]));
  const run = spawnSync('/bin/sh', [file, '--yes', 'two words'], {
    encoding: 'utf8',
    env: { PATH: join(root, 'path') },
  });
  const slot = join(root, 'opt/carillon/releases/1.2.3');
  return { status: run.status, stdout: run.stdout, stderr: run.stderr, slot };
}

describe('first contact', () => {
  it('puts the binary into its slot and hands the words on', () => {
    const { status, stdout, slot } = first({});
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'installs with install --yes two words\n' });
    expect(readFileSync(join(slot, 'carillon')).equals(BINARY)).toBe(true);
    expect(existsSync(join(slot, 'carillon.part'))).toBe(false);
  });

  it('is unpacked by xz where no Debian is', () => {
    const { status, slot } = first({ foreign: true });
    expect(status).toBe(0);
    expect(readFileSync(join(slot, 'carillon')).equals(BINARY)).toBe(true);
  });

  it.each<[string, Host, number, string]>([
    ['without root', { id: '1000' }, 77, 'must run as root'],
    ['on another CPU', { cpu: 'aarch64' }, 65, 'this machine is aarch64'],
    ['without systemd', { systemd: false }, 69, 'systemd does not run here'],
    ['with an old glibc', { glibc: 'glibc 2.31' }, 69, 'this system has 2.31'],
    ['without glibc', { glibc: '' }, 69, 'glibc 2.34 or later is needed'],
    ['without space', { freeKb: 399 * 1024 }, 74, '400 MB must be free'],
    ['with a file that was cut', { payload: packed(BINARY).subarray(0, 30) }, 65, 'is damaged'],
    ['with another binary in it', { payload: packed('echo other') }, 65, 'is damaged'],
  ])('%s ends with its code and a sentence', (_, host, code, says) => {
    const { status, stderr, slot } = first(host);
    expect({ status, stderr }).toEqual({ status: code, stderr: expect.stringContaining(says) });
    expect(existsSync(join(slot, 'carillon'))).toBe(false);
    expect(existsSync(join(slot, 'carillon.part'))).toBe(false);
  });

  it.each(['2.34', '2.36', '3.0', '2.34.1'])('takes glibc %s', (version) => {
    expect(first({ glibc: `glibc ${version}` }).status).toBe(0);
  });
});

describe('the file', () => {
  it('holds the script and the package behind it, and the script knows where', () => {
    const tar = packed(BINARY);
    const deb = inPackage(tar);
    const file = runFile(BINARY, deb, '1.2.3', 'arm64');
    const script = file.subarray(0, file.length - deb.length).toString();
    expect(script).toBe(runScript('1.2.3', 'arm64', { sha256: SUM, ...dataOf(deb) }));
    expect(script).toContain(`tail -c +${Buffer.byteLength(script) + 1} `);
    expect(script).toMatch(/install "\$@"\n$/);
    const [, from, length] = /tail -c \+(\d+) "\$0" \| head -c (\d+)/.exec(script) ?? [];
    const data = file.subarray(Number(from) - 1, Number(from) - 1 + Number(length));
    expect(data.equals(tar)).toBe(true);
  });

  it('is refused without what a package installs', () => {
    expect(() => dataOf(Buffer.concat(FRONT))).toThrow(/data\.tar\.xz/);
  });
});
