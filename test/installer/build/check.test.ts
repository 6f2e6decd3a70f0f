import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';

const CHECK = join(import.meta.dirname, '../../../installer/build/check.mjs');
const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

/** Runs a copy of the script beside programs that do what the shell scripts given say; else they succeed loudly. */
function check(scripts: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'carillon-check-'));
  made.push(root);
  cpSync(CHECK, join(root, 'installer/build/check.mjs'));
  const bin = join(root, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  for (const program of ['biome', 'tsc', 'knip', 'vitest']) {
    writeFileSync(join(bin, program), `#!/bin/sh\n${scripts[program] ?? 'echo all is well'}\n`);
    chmodSync(join(bin, program), 0o755);
  }
  const run = spawnSync(process.execPath, [join(root, 'installer/build/check.mjs')], {
    env: { PATH: '/usr/bin:/bin' },
    encoding: 'utf8',
  });
  const shown = run.stdout.replaceAll(/ +\d+\.\d s$/gm, '').trimEnd();
  return { status: run.status, lines: shown.split('\n').map((line) => line.trimEnd()) };
}

it('shows one line per step, and not what good steps print', () => {
  expect(check({})).toEqual({
    status: 0,
    lines: [
      'ok     format and lint',
      'ok     types',
      'ok     types of the console',
      'ok     unused code',
      'ok     architecture',
      'Steps  5 passed (5)',
    ],
  });
});

it('runs every step although an earlier one failed, and shows what the failed ones say', () => {
  const run = check({ biome: 'echo badly written; exit 1', knip: 'echo unused >&2; exit 2' });
  expect(run).toEqual({
    status: 1,
    lines: [
      'FAILED format and lint',
      '    badly written',
      'ok     types',
      'ok     types of the console',
      'FAILED unused code',
      '    unused',
      'ok     architecture',
      'Steps  2 failed | 3 passed (5)',
    ],
  });
});

it('fails when a program cannot be started, and says which', () => {
  const { status, lines } = check({ biome: 'rm "$(dirname "$0")/knip"' });
  expect(status).toBe(1);
  expect(lines).toContain('FAILED unused code');
  expect(lines.join('\n')).toContain('knip ENOENT');
});
