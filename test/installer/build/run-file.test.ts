import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { runFile, runScript } from '#installer/build/run-file.ts';

const BINARY = Buffer.from('#!/bin/sh\necho "installs with $*"\n');
const SUM = createHash('sha256').update(BINARY).digest('hex');

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

/** What a host says of itself; `payload` is what stands behind the script. */
interface Host {
  readonly id?: string;
  readonly cpu?: string;
  readonly glibc?: string;
  readonly freeKb?: number;
  readonly systemd?: boolean;
  readonly payload?: Buffer;
}

/** Runs the file on a host whose programs answer as told. */
function first({
  id = '0',
  cpu = 'x86_64',
  glibc = 'glibc 2.36',
  freeKb = 1e6,
  systemd = true,
  payload,
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
  if (systemd) mkdirSync(join(root, 'run/systemd/system'), { recursive: true });
  const file = join(root, 'carillon.run');
  const script = runScript('1.2.3', 'x64', SUM, root);
  writeFileSync(file, Buffer.concat([Buffer.from(script), payload ?? gzipSync(BINARY)]));
  const run = spawnSync('sh', [file, '--yes', 'two words'], {
    encoding: 'utf8',
    env: { PATH: `${join(root, 'path')}:${process.env.PATH}` },
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

  it.each<[string, Host, number, string]>([
    ['without root', { id: '1000' }, 77, 'must run as root'],
    ['on another CPU', { cpu: 'aarch64' }, 65, 'this machine is aarch64'],
    ['without systemd', { systemd: false }, 69, 'systemd does not run here'],
    ['with an old glibc', { glibc: 'glibc 2.31' }, 69, 'this system has 2.31'],
    ['without glibc', { glibc: '' }, 69, 'glibc 2.34 or later is needed'],
    ['without space', { freeKb: 399 * 1024 }, 74, '400 MB must be free'],
    ['with a file that was cut', { payload: gzipSync(BINARY).subarray(0, 30) }, 65, 'is damaged'],
    ['with another binary in it', { payload: gzipSync('echo other') }, 65, 'is damaged'],
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
  it('holds the script and the binary behind it, the same each time', async () => {
    const file = await runFile(BINARY, '1.2.3', 'arm64');
    const script = runScript('1.2.3', 'arm64', SUM);
    expect(file.toString('latin1').startsWith(script)).toBe(true);
    expect(script).toContain(`tail -c +${Buffer.byteLength(script) + 1} `);
    expect((await runFile(BINARY, '1.2.3', 'arm64')).equals(file)).toBe(true);
  });
});
