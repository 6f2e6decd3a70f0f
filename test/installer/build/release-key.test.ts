import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { publicKeyText, readSigningKey } from '#installer/build/minisign.ts';
import { releaseKeys } from '#installer/release/index.ts';
import { secretKey } from './secret-key.ts';

const PROGRAM = join(import.meta.dirname, '../../../installer/build/release-key.ts');
let folder: string;
let keys: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-release-key-'));
  keys = join(folder, 'release-keys.pub');
  writeFileSync(keys, '# Public keys.\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

function releaseKey(...words: readonly string[]) {
  return spawnSync(process.execPath, [PROGRAM, ...words, '--keys', keys], {
    encoding: 'utf8',
    env: { PATH: folder },
  });
}

/** A secret key in the folder. */
function made(name: string): string {
  const file = join(folder, name);
  writeFileSync(file, secretKey().text);
  return file;
}

it('lets builds trust a key, once, and asks for the one in the safe', () => {
  const file = made('first.key');
  const first = releaseKey(file);
  expect([first.status, first.stdout]).toEqual([0, expect.stringContaining('Make a second key')]);
  expect(readFileSync(keys, 'utf8')).toBe(
    `# Public keys.\n${publicKeyText(readSigningKey(readFileSync(file, 'utf8')))}`,
  );
  expect(releaseKey(file).stdout).toContain('holds the key');
  const second = releaseKey(made('second.key'));
  expect([second.status, second.stdout]).toEqual([0, expect.not.stringContaining('second key')]);
  expect(releaseKeys(readFileSync(keys, 'utf8'))).toHaveLength(2);
});

it('takes no third, and makes none in vain', () => {
  for (const name of ['first.key', 'second.key']) releaseKey(made(name));
  const file = join(folder, 'third.key');
  const third = releaseKey(file);
  expect([third.status, third.stderr]).toEqual([64, expect.stringContaining('Take out the lines')]);
  expect(existsSync(file)).toBe(false);
});

it('has minisign make a key that is not there', () => {
  writeFileSync(join(folder, 'given'), secretKey().text);
  const script = `#!/bin/sh\nfor word; do [ "$last" = -s ] && /bin/cp '${folder}/given' "$word"; last=$word; done\n`;
  writeFileSync(join(folder, 'minisign'), script);
  chmodSync(join(folder, 'minisign'), 0o755);
  const file = join(folder, 'new.key');
  expect(releaseKey(file)).toMatchObject({ status: 0, stderr: '' });
  expect(readFileSync(keys, 'utf8')).toContain(publicKeyText(readSigningKey(readFileSync(file, 'utf8'))));
});

it.each([
  ['without minisign', ['new.key'], 69, 'apt-get install minisign'],
  ['with a file that is no key', ['release-keys.pub'], 65, 'not a secret key of minisign'],
  ['without a file', [], 64, "missing required argument 'file'"],
])('stops %s', (_, names, status, says) => {
  const ran = releaseKey(...names.map((name) => join(folder, name)));
  expect([ran.status, ran.stderr]).toEqual([status, expect.stringContaining(says)]);
  expect(readFileSync(keys, 'utf8')).toBe('# Public keys.\n');
});
