import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const CI_RUN = join(import.meta.dirname, '../../../.ci/run');

/** What the npm on the PATH prints and how it ends, by script. */
type Suites = Readonly<Record<string, { readonly prints: string; readonly status?: number }>>;

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

/** Runs a copy of `.ci/run` in a folder with the suite folders given; apt-get, node and npm only note how they were called. */
function ciRun(suites: Suites, folders: readonly string[] = [], aptGet = 'exit 0') {
  const root = mkdtempSync(join(tmpdir(), 'carillon-ci-'));
  made.push(root);
  mkdirSync(join(root, 'path'));
  cpSync(CI_RUN, join(root, '.ci/run'));
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  const program = (name: string, script: string) => {
    writeFileSync(join(root, 'path', name), `#!/bin/sh\necho "${name} $*" >> "${root}/log"\n${script}\n`);
    chmodSync(join(root, 'path', name), 0o755);
  };
  program('apt-get', aptGet);
  program('node', 'exit 0');
  const cases = Object.entries(suites).map(
    ([script, { prints, status = 0 }]) => `"${script}") cat <<'END'\n${prints}\nEND\nexit ${status};;`,
  );
  program('npm', `case "$*" in\n${cases.join('\n')}\n*) exit 99;;\nesac`);
  const run = spawnSync(join(root, '.ci/run'), {
    cwd: tmpdir(),
    env: { PATH: `${join(root, 'path')}:/usr/bin:/bin` },
    encoding: 'utf8',
  });
  return {
    status: run.status,
    last: run.stdout.trimEnd().split('\n').at(-1),
    calls: readFileSync(join(root, 'log'), 'utf8').trimEnd().split('\n'),
  };
}

const CHECK = { prints: 'ok     types  0.7 s\nSteps  4 passed (4)' };
const TEST = { prints: ' Test Files  2 passed (2)\n      Tests  120 passed (120)\n   Start at  11:00:00' };

describe('.ci/run', () => {
  it('installs the peers, then the packages, then runs check and test, and adds up', () => {
    const { status, last, calls } = ciRun({ 'run check': CHECK, test: TEST });
    expect({ status, last }).toEqual({ status: 0, last: '124 passed, 0 failed' });
    expect(calls.map((call) => call.replace(/ --no-install-recommends .*/, ''))).toEqual([
      'apt-get update -qq',
      'apt-get install -y -qq',
      'node installer/build/ensure-deps.mjs',
      'npm run check',
      'npm test',
    ]);
  });

  it('runs the suites whose folder is there', () => {
    const peers = { prints: '      Tests  7 passed (7)' };
    const { last, calls } = ciRun({ 'run check': CHECK, test: TEST, 'run test:peers': peers }, [
      'test/peers',
    ]);
    expect(last).toBe('131 passed, 0 failed');
    expect(calls).toContain('npm run test:peers');
    expect(calls).not.toContain('npm run test:system');
  });

  it('goes on after a failure, counts it and ends with 1', () => {
    const check = {
      prints: 'FAILED types  0.7 s\n    Tests  9 failed (9)\nSteps  1 failed | 3 passed (4)',
      status: 1,
    };
    const test = { prints: '      Tests  2 failed | 118 passed (120)', status: 1 };
    const { status, last } = ciRun({ 'run check': check, test });
    expect({ status, last }).toEqual({ status: 1, last: '121 passed, 3 failed' });
  });

  it('counts one failure for a suite that ends badly without naming any', () => {
    const { status, last } = ciRun({
      'run check': CHECK,
      test: { prints: 'Segmentation fault', status: 139 },
    });
    expect({ status, last }).toEqual({ status: 1, last: '4 passed, 1 failed' });
  });

  it('does not take silence for success', () => {
    const { status, last } = ciRun({ 'run check': CHECK, test: { prints: 'nothing to say' } });
    expect({ status, last }).toEqual({ status: 1, last: '4 passed, 1 failed' });
  });

  it('counts one failure when the packages cannot be had', () => {
    const { status, last, calls } = ciRun({}, [], 'exit 100');
    expect({ status, last }).toEqual({ status: 1, last: '0 passed, 1 failed' });
    expect(calls).toEqual(['apt-get update -qq']);
  });
});
