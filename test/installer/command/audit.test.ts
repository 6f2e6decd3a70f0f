import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { auditCommands } from '#installer/command/audit.ts';
import { keepLogin } from '#installer/command/operator/login.ts';
import { exitCode } from '#installer/exit-code.ts';
import type { Programs } from '#installer/program.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-audit-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const LOGIN = { cloud: 'https://cloud.example', token: 'of the login' };
const HASH = 'a'.repeat(64);

/** Whom the verification asked, and as whom. */
async function verify(environment: Record<string, string>, ...words: string[]) {
  const asked: { baseUrl: string; token: string; domain: string | undefined }[] = [];
  const programs = {
    verifyAudit: async (run: (typeof asked)[number]) => {
      asked.push(run);
      return { kind: 'whole', head: { seq: 3, hash: HASH } };
    },
  } as unknown as Programs;
  const root = new Command('carillon').exitOverride();
  auditCommands(root, programs, { XDG_CONFIG_HOME: folder, ...environment });
  await root.parseAsync(['audit', 'verify', ...words, '--json'], { from: 'user' });
  return asked;
}

it('the log is read with the login that was kept', async () => {
  keepLogin({ XDG_CONFIG_HOME: folder }, LOGIN);
  expect(await verify({}, 'care.example')).toMatchObject([
    { baseUrl: LOGIN.cloud, token: LOGIN.token, domain: 'care.example' },
  ]);
});

it('flag and environment come before the login, and its token goes to no other cloud', async () => {
  keepLogin({ XDG_CONFIG_HOME: folder }, LOGIN);
  const file = join(folder, 'token');
  writeFileSync(file, 'of the file\n');
  expect(await verify({}, '--token-file', file)).toMatchObject([
    { baseUrl: LOGIN.cloud, token: 'of the file', domain: undefined },
  ]);
  const environment = { CARILLON_CLOUD: 'http://127.0.0.1:1', CARILLON_TOKEN: 'of the environment' };
  expect(await verify(environment)).toMatchObject([
    { baseUrl: environment.CARILLON_CLOUD, token: environment.CARILLON_TOKEN },
  ]);
  await expect(verify({}, '--cloud', 'http://127.0.0.1:2')).rejects.toMatchObject({
    code: exitCode.notPermitted,
  });
});

it('without any login it says how to sign in', async () => {
  await expect(verify({})).rejects.toThrow('Run carillon login');
});
