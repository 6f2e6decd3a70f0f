import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'carillon-sdk-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A program of a stranger: everything from the package alone. */
const PROGRAM = `
import { readFileSync } from 'node:fs';
import { createHandler, createVerifier, createClient } from 'carillon-sdk';
import { say, ask } from 'carillon-sdk/flow';
import { nodeListener } from 'carillon-sdk/node';
const { now, audience, domain, vectors } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const [{ keys: [{ algorithm, key }], authorization, body }] = vectors;
const verify = createVerifier({ keys: [{ algorithm, publicKey: key }], audience, domain, now: () => now * 1000 });
const { iss } = await verify({ authorization, body });
const command = ask([say('Enter your PIN')], { maxDigits: 4 });
console.log(JSON.stringify([iss, command.dtmf.maxDigits, typeof createHandler, typeof createClient, typeof nodeListener]));
`;

/** The programs of the machine. A script of npm puts those of the project, and with them its Node, in front. */
const PATH = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

it('the package installs into an empty folder without a network, and works there', () => {
  const environment = {
    ...process.env,
    PATH,
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  };
  const run = (program: string, args: string[], cwd = folder) =>
    execFileSync(program, args, { cwd, env: environment, encoding: 'utf8' }).trim();
  const packed = run(process.execPath, ['sdk/build/pack.ts', folder], root);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', packed]);
  writeFileSync(join(folder, 'program.mjs'), PROGRAM);
  const vectors = join(root, 'sdk/vectors/callback.json');
  // The Node of the machine, which may be older than that of the project: the package works from Node 20 on.
  const versions = ['node', process.execPath].map((node) => run(node, ['--version']));
  console.log(`the package is tried under Node ${versions.join(' and ')}`);
  for (const node of ['node', process.execPath])
    expect(JSON.parse(run(node, ['program.mjs', vectors]))).toEqual([
      'care.example',
      4,
      'function',
      'function',
      'function',
    ]);
  const installed = JSON.parse(
    readFileSync(join(folder, 'node_modules/carillon-sdk/package.json'), 'utf8'),
  ) as { dependencies?: object };
  expect(installed.dependencies).toBeUndefined();
});
