import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';

const CI_RUN = join(import.meta.dirname, '../../../.ci/run');
const READERS = ['red-files.mjs', 'longest-files.mjs'];

/** The output and the end of the npm on the PATH, by script and the file it is given alone. */
type Suites = Readonly<Record<string, Suite>>;
interface Suite {
  readonly prints: string;
  readonly status?: number;
  /** Files with a failure, and how many tests passed in each: the report that vitest writes. */
  readonly red?: Readonly<Record<string, number>>;
  /** Two suites of which one ends only when the other one has begun: which of two begins sooner is chance. */
  readonly meets?: 'begins' | 'waits';
}

const MEETING = { begins: 'echo >"$meeting"; ', waits: 'read -r _ <"$meeting"; ' };

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

/**
 * A folder with a copy of `.ci/run` and the suite folders given; apt-get, node and npm only note how they were called.
 * `prepares`: how the making of machines ends.
 */
function checkout(
  suites: Suites,
  folders: readonly string[] = [],
  aptGet = 'exit 0',
  prepares = 'exit 0',
): string {
  const root = mkdtempSync(join(tmpdir(), 'carillon-ci-'));
  made.push(root);
  mkdirSync(join(root, 'path'));
  cpSync(CI_RUN, join(root, '.ci/run'));
  for (const name of READERS) cpSync(join(CI_RUN, '..', name), join(root, '.ci', name));
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  const program = (name: string, script: string) => {
    writeFileSync(join(root, 'path', name), `#!/bin/sh\necho "${name} $*" >> "${root}/log"\n${script}\n`);
    chmodSync(join(root, 'path', name), 0o755);
  };
  program('apt-get', aptGet);
  program('node', `case "$1" in .ci/*) exec ${process.execPath} "$@";; esac`);
  const cases = Object.entries(suites).map(([script, { prints, status = 0, red = {}, meets }]) => {
    const report = JSON.stringify({ testResults: Object.entries(red).map(redFile) });
    return `"${script}") ${meets === undefined ? '' : MEETING[meets]}cat <<'END'\n${prints}\nEND\n[ -z "$report" ] || echo '${report}' > "$report"\nexit ${status};;`;
  });
  if (Object.values(suites).some(({ meets }) => meets !== undefined))
    execFileSync('mkfifo', [join(root, 'meeting')]);
  const lines = [
    `meeting="${root}/meeting"`,
    'script="$*"',
    `case "$script" in "run test:system:prepare"*) ${prepares};; esac`,
    `report=$(echo "$script" | sed -n 's/.*--outputFile.json=//p'); script=$(echo "$script" | sed 's/ --reporter.*//; s/ --$//')`,
    `case "$script" in *system*) echo "release $TEST_RELEASE" >> "${root}/release";; esac`,
    `case "$script" in\n${cases.join('\n')}\n*) exit 99;;\nesac`,
  ];
  program('npm', lines.join('\n'));
  return root;
}

const environment = (root: string, more: Readonly<Record<string, string>> = {}) => ({
  PATH: `${join(root, 'path')}:/usr/bin:/bin`,
  ...more,
});

/** Runs `.ci/run` of such a folder to its end. */
const ciRun = (...given: Parameters<typeof checkout>) => ciRunWith([], ...given);

const ciRunWith = (words: readonly string[], ...given: Parameters<typeof checkout>) =>
  ciRunIn({}, words, ...given);

function ciRunIn(
  more: Readonly<Record<string, string>>,
  words: readonly string[],
  ...given: Parameters<typeof checkout>
) {
  const root = checkout(...given);
  const run = spawnSync(join(root, '.ci/run'), words, {
    cwd: tmpdir(),
    env: environment(root, more),
    encoding: 'utf8',
  });
  return {
    status: run.status,
    said: run.stdout,
    last: run.stdout.trimEnd().split('\n').at(-1),
    calls: (existsSync(join(root, 'log')) ? readFileSync(join(root, 'log'), 'utf8') : '')
      .replace(REPORTED, '')
      .trimEnd()
      .split('\n'),
    faults: run.stderr,
    /** Settings of the system suite for a release: the others begin beside it. */
    release: existsSync(join(root, 'release'))
      ? readFileSync(join(root, 'release'), 'utf8').trimEnd().split('\n').at(-1)
      : undefined,
  };
}

const REPORTED = /( --)? --reporter=default --reporter=json --outputFile.json=.*$|^node \.ci\/.*\n/gm;

const redFile = ([name, green]: [string, number]) => ({
  name,
  status: 'failed',
  startTime: 1_000,
  endTime: 1_000 + green * 2_000,
  assertionResults: [...Array.from({ length: green }, () => ({ status: 'passed' })), { status: 'failed' }],
});

const CHECK = { prints: 'ok     types  0.7 s\nSteps  4 passed (4)' };
const TEST = { prints: ' Test Files  2 passed (2)\n      Tests  120 passed (120)\n   Start at  11:00:00' };

const PREPARED = 'run test:system:prepare';
const UNITS = 'test -- --project together --project pages --project apart';
const BESIDE = 'run test:peers -- --project beside --project replaced';
const ALONE = 'run test:peers -- --project by twos --project alone';
const PEERS = {
  [BESIDE]: { prints: '      Tests  7 passed (7)' },
  [ALONE]: { prints: '      Tests  2 passed (2)' },
};

describe('.ci/run', () => {
  it('installs the peers, then the packages, then runs check and test, and adds up', () => {
    const { status, last, calls } = ciRun({ 'run check': CHECK, [UNITS]: TEST });
    expect({ status, last }).toEqual({ status: 0, last: '124 passed, 0 failed' });
    expect(calls.map((call) => call.replace(/ --no-install-recommends .*/, ''))).toEqual([
      'apt-get update -qq',
      'apt-get install -y -qq',
      'node installer/build/ensure-deps.mjs',
      'npm run check',
      `npm ${UNITS}`,
    ]);
  });

  it('runs the suites whose folder is there', () => {
    const { last, calls } = ciRun({ 'run check': CHECK, [UNITS]: TEST, ...PEERS }, ['test/peers']);
    expect(last).toBe('133 passed, 0 failed');
    expect(calls.slice(-2)).toEqual([`npm ${BESIDE}`, `npm ${ALONE}`]);
    expect(calls).not.toContain('npm run test:system');
  });

  it('goes on after a failure, counts it and ends with 1', () => {
    const check = {
      prints: 'FAILED types  0.7 s\n    Tests  9 failed (9)\nSteps  1 failed | 3 passed (4)',
      status: 1,
    };
    const test = { prints: '      Tests  2 failed | 118 passed (120)', status: 1 };
    const { status, last } = ciRun({ 'run check': check, [UNITS]: test });
    expect({ status, last }).toEqual({ status: 1, last: '121 passed, 3 failed' });
  });

  it('counts one failure for a suite that ends badly without naming any', () => {
    const { status, last } = ciRun({
      'run check': CHECK,
      [UNITS]: { prints: 'Segmentation fault', status: 139 },
    });
    expect({ status, last }).toEqual({ status: 1, last: '4 passed, 1 failed' });
  });

  it('does not take silence for success', () => {
    const { status, last } = ciRun({ 'run check': CHECK, [UNITS]: { prints: 'nothing to say' } });
    expect({ status, last }).toEqual({ status: 1, last: '4 passed, 1 failed' });
  });

  it('counts one failure when the packages cannot be had', () => {
    const { status, last, calls } = ciRun({}, [], 'exit 100');
    expect({ status, last }).toEqual({ status: 1, last: '0 passed, 1 failed' });
    expect(calls).toEqual(['apt-get update -qq']);
  });

  it('takes --long: the packages of a virtual machine, and its suite at the end', () => {
    const vm = {
      'run test:system': { prints: '      Tests  1 passed (1)' },
      'run test:vm': { prints: '      Tests  3 passed (3)' },
    };
    const { status, last, calls } = ciRunWith(['--long'], { 'run check': CHECK, [UNITS]: TEST, ...vm }, [
      'test/system/vm',
    ]);
    expect({ status, last }).toEqual({ status: 0, last: '128 passed, 0 failed' });
    expect(calls.find((call) => call.includes('--no-install-recommends'))).toContain('qemu-system-x86');
    expect(calls.at(-1)).toBe('npm run test:vm');
  });

  it('takes no other word', () => {
    const { status, faults, calls } = ciRunWith(['--quick'], { 'run check': CHECK, [UNITS]: TEST });
    expect({ status, calls }).toEqual({ status: 64, calls: [''] });
    expect(faults).toContain("unknown argument '--quick'");
  });

  describe('a suite with a red file', () => {
    const first = {
      prints: '      Tests  1 failed | 119 passed (120)',
      status: 1,
      red: { 'test/a.test.ts': 4 },
    };
    const alone = (prints: string, status = 0) => ({ 'test -- test/a.test.ts': { prints, status } });

    it('is green when the file is green alone, and says so', () => {
      const { status, said, last, calls } = ciRun({
        ...{ 'run check': CHECK, [UNITS]: first },
        ...alone('      Tests  5 passed (5)'),
      });
      expect({ status, last }).toEqual({ status: 0, last: '124 passed, 0 failed' });
      expect(calls.slice(-2)).toEqual([`npm ${UNITS}`, 'npm test -- test/a.test.ts']);
      expect(said).toContain('second look at test/a.test.ts: red at first, green alone');
      expect(said).toContain('    8 s  test/a.test.ts');
    });

    it('is red when the file is red alone', () => {
      const { status, said, last } = ciRun({
        ...{ 'run check': CHECK, [UNITS]: first },
        ...alone('      Tests  1 failed | 4 passed (5)', 1),
      });
      expect({ status, last }).toEqual({ status: 1, last: '123 passed, 1 failed' });
      expect(said).toContain('second look at test/a.test.ts: red at first, red alone');
    });

    it('is red when the file ends alone without a word', () => {
      const { status, last } = ciRun({ ...{ 'run check': CHECK, [UNITS]: first }, ...alone('', 1) });
      expect({ status, last }).toEqual({ status: 1, last: '119 passed, 1 failed' });
    });

    it('is red at once when there are many', () => {
      const red = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`test/${name}.test.ts`, 1]));
      const test = { prints: '      Tests  4 failed | 116 passed (120)', status: 1, red };
      const { status, last, calls } = ciRun({ 'run check': CHECK, [UNITS]: test });
      expect({ status, last }).toEqual({ status: 1, last: '120 passed, 4 failed' });
      expect(calls.at(-1)).toBe(`npm ${UNITS}`);
    });
  });

  it('begins the machines beside the units and the peers behind both, and adds up all', () => {
    const units = { ...TEST, meets: 'waits' } as const;
    const system = { prints: '      Tests  1 failed | 3 passed (4)', status: 1, meets: 'begins' } as const;
    const { said, last, calls } = ciRun(
      { 'run check': CHECK, [UNITS]: units, ...PEERS, 'run test:system': system },
      ['test/peers', 'test/system'],
    );
    expect(last).toBe('136 passed, 1 failed');
    // The parts of the machines are made in the background: the line of that program may stand anywhere.
    const [check, ...rest] = calls.filter((call) => call.startsWith('npm') && !call.includes(PREPARED));
    expect(check).toBe('npm run check');
    expect(rest.slice(0, 2).toSorted()).toEqual(['npm run test:system', `npm ${UNITS}`]);
    expect(rest.slice(2)).toEqual([`npm ${BESIDE}`, `npm ${ALONE}`]);
    expect(said.indexOf('7 passed')).toBeGreaterThan(said.indexOf('=== npm run test:system'));
  });

  it('lets each suite have a slow machine alone, which its check shows', () => {
    const { last, calls } = ciRunIn(
      { QUICK_CHECK_S: '-1' },
      [],
      {
        'run check': CHECK,
        [UNITS]: TEST,
        ...PEERS,
        'run test:system': { prints: '      Tests  3 passed (3)' },
      },
      ['test/peers', 'test/system'],
    );
    expect(last).toBe('136 passed, 0 failed');
    const npm = calls.filter((call) => call.startsWith('npm') && !call.includes(PREPARED));
    expect(npm).toEqual([
      'npm run check',
      `npm ${UNITS}`,
      'npm run test:system',
      `npm ${BESIDE}`,
      `npm ${ALONE}`,
    ]);
  });

  it('ends what a suite has started when it is ended itself', async () => {
    const root = checkout({ 'run check': CHECK, [UNITS]: TEST });
    // The suite says on a pipe when it runs, and holds the pipe open as long as it does.
    const lasting = `#!/bin/sh\ncase "$*" in test*) echo runs >&9; sleep 300;; *) echo 'Steps  1 passed (1)';; esac\n`;
    writeFileSync(join(root, 'path/npm'), lasting);
    const run = spawn(join(root, '.ci/run'), {
      env: environment(root),
      stdio: [...Array.from({ length: 9 }, () => 'ignore' as const), 'pipe'],
    });
    const suite = (run.stdio as readonly unknown[])[9] as Readable;
    await once(suite, 'data');
    run.kill();
    suite.resume();
    await once(suite, 'end');
    expect(run.signalCode ?? run.exitCode).toBeTruthy();
  });

  describe('the machines of the system suite', () => {
    const suites = {
      'run check': CHECK,
      [UNITS]: TEST,
      'run test:system': { prints: '      Tests  7 passed (7)' },
    };

    it('are made from before the first suite, which goes first', () => {
      const { last, calls, release } = ciRun(suites, ['test/system']);
      expect(last).toBe('131 passed, 0 failed');
      const prepared = calls.find((call) => call.includes(PREPARED));
      expect(prepared).toMatch(/^npm run test:system:prepare -- \S+\/release$/);
      expect(release).toBe(`release ${prepared?.split(' ').at(-1)}`);
    });

    it('are left to the suite when that failed, and it is said why', () => {
      const { last, said, release } = ciRun(suites, ['test/system'], 'exit 0', 'echo no mirror; exit 1');
      expect(last).toBe('131 passed, 0 failed');
      expect(said).toContain('no mirror');
      expect(release).toBe('release');
    });
  });
});
