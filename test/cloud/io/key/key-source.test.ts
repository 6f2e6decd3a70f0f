import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type KeySource, openVault } from '#cloud/io/key/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'carillon-source-'));
afterAll(() => rmSync(folder, { recursive: true }));

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64url');
const empty = () => mkdtempSync(join(folder, 'place-'));
const nameOf = (byte: number) => openVault(empty(), { given: key(byte) }).keyName;

function file(text: string, mode = 0o600): string {
  const path = join(empty(), 'vault-key');
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}
const program = (lines: string) => file(`#!/bin/sh\n${lines}\n`, 0o700);
const credentials = (byte: number) => join(file(`${key(byte)}\n`), '..');

describe('the vault key', () => {
  it.each<[string, () => KeySource]>([
    ['the environment', () => ({ given: key(1) })],
    ['a program', () => ({ command: program(`echo ${key(1)}\necho 'more is not read'`) })],
    ['a systemd credential', () => ({ credentials: credentials(1) })],
    ['base64 instead of base64url', () => ({ given: Buffer.alloc(32, 1).toString('base64') })],
  ])('comes from %s, and none is made then', (_, source) => {
    const place = empty();
    expect(openVault(place, source()).keyName).toBe(nameOf(1));
    expect(existsSync(join(place, 'vault.key'))).toBe(false);
  });

  it('is made in the folder of a first site, where only its owner reads it', () => {
    const place = empty();
    const { keyName } = openVault(place, { credentials: empty() });
    expect(statSync(join(place, 'vault.key')).mode & 0o777).toBe(0o400);
    expect(openVault(place).keyName).toBe(keyName);
  });

  it.each<[string, () => KeySource]>([
    ['environment and program', () => ({ given: key(1), command: program(`echo ${key(1)}`) })],
    ['program and credential', () => ({ command: program(`echo ${key(1)}`), credentials: credentials(1) })],
    ['environment and credential', () => ({ given: key(1), credentials: credentials(1) })],
  ])('from two sources is refused: %s', (_, source) => {
    expect(() => openVault(empty(), source())).toThrow(/both give a vault key: keep one/);
  });

  it.each<[string, () => KeySource, RegExp]>([
    ['that is no key', () => ({ given: 'short' }), /^CARILLON_VAULT_KEY must hold 32 bytes in base64url/],
    [
      'of a program that fails',
      () => ({ command: program('exit 3') }),
      /CARILLON_VAULT_KEY_COMMAND gave no key/,
    ],
    ['of a program that prints none', () => ({ command: program('echo no') }), /COMMAND must hold 32 bytes/],
  ])('%s is refused by the name of its setting', (_, source, said) => {
    expect(() => openVault(empty(), source())).toThrow(said);
  });

  it('that is another one than the database was sealed with is refused with both names', () => {
    expect(() => openVault(empty(), { given: key(2) }, nameOf(1))).toThrow(
      `sealed with the vault key ${nameOf(1)}, and the key of CARILLON_VAULT_KEY is ${nameOf(2)}: give the one that sealed it`,
    );
    expect(openVault(empty(), { given: key(1) }, nameOf(1)).keyName).toBe(nameOf(1));
    const place = empty();
    const own = openVault(place).keyName;
    expect(() => openVault(place, { given: key(2) }, own)).toThrow(
      `the one that sealed it lies in ${join(place, 'vault.key')}`,
    );
  });

  it('that is missing is named with the settings that give it, and none is made in its place', () => {
    const place = empty();
    expect(() => openVault(place, {}, nameOf(1))).toThrow(
      new RegExp(
        `sealed with the vault key ${nameOf(1)}, and this process has none.*CARILLON_VAULT_KEY_FILE`,
      ),
    );
    expect(existsSync(join(place, 'vault.key'))).toBe(false);
  });
});
