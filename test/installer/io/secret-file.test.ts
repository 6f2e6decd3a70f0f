import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withSecretFiles } from '#installer/io/file/secret-file.ts';
import { readSettings, settingTable } from '#shared/setting/index.ts';

let folder: string;
let file: string;
const address = 'https://KEY:se%2Fcret@s3.example/?region=eu-north-1&prefix={domain}/';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-secret-'));
  file = join(folder, 's3');
  writeFileSync(file, `${address}\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('takes a secret setting from a file, as if it stood in the environment', () => {
  const environment = withSecretFiles({ CARILLON_S3_FILE: file, CARILLON_LOG: 'debug', HOME: '/root' });
  expect(environment).toEqual({ CARILLON_S3: address, CARILLON_LOG: 'debug', HOME: '/root' });
  const read = readSettings(settingTable, { flags: {}, environment, file: {} });
  expect(read.ok && read.value.values.s3).toEqual({
    endpoint: 'https://s3.example',
    region: 'eu-north-1',
    keyId: 'KEY',
    secret: 'se/cret',
    prefix: '{domain}/',
  });
});

it('leaves the claim file and settings that are no secret alone', () => {
  const environment = { CARILLON_CLAIM_FILE: '/etc/claim', CARILLON_LOG_FILE: '/tmp/log' };
  expect(withSecretFiles(environment)).toEqual(environment);
  expect(readSettings(settingTable, { flags: {}, environment, file: {} })).toMatchObject({
    ok: false,
    error: { reason: expect.stringContaining('CARILLON_LOG_FILE') },
  });
});

it.each([
  ['a file that is not there', () => ({ CARILLON_S3_FILE: join(folder, 'none') }), /is not there; check/],
  ['both ways at once', () => ({ CARILLON_S3_FILE: file, CARILLON_S3: address }), /leave one out/],
])('refuses %s', (_, environment, reason) => {
  expect(() => withSecretFiles(environment())).toThrow(reason);
});

it.each(['https://KEY:secret@s3.example/?region=x&bucket=y', 'https://KEY:secret@s3.example/?prefix=a%20b'])(
  'an unknown part of the address of the object storage is an error: %s',
  (text) => {
    const read = readSettings(settingTable, { flags: {}, environment: { CARILLON_S3: text }, file: {} });
    expect(read).toMatchObject({ ok: false, error: { code: 'configurationWrong' } });
  },
);
