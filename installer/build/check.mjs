/**
 * `npm run check`: everything that can be said about the sources without running the product. Every step runs even
 * when an earlier one failed; the output of a step is shown only when it failed. The last line counts the steps in
 * the words vitest uses for tests, so that `.ci/run` reads both alike.
 */
import { spawnSync } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const STEPS = [
  {
    name: 'format and lint',
    command: ['biome', 'check', '.', '--error-on-warnings', '--max-diagnostics=200'],
  },
  { name: 'types', command: ['tsc', '--noEmit'] },
  { name: 'types of the console', command: ['tsc', '-p', 'cloud/console'] },
  { name: 'unused code', command: ['knip', '--no-progress'] },
  {
    name: 'architecture',
    command: ['vitest', 'run', '--config', 'test/vitest.config.ts', 'test/architecture'],
  },
];

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const environment = {
  ...process.env,
  PATH: join(root, 'node_modules', '.bin') + delimiter + (process.env.PATH ?? ''),
  ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }),
};

const failed = STEPS.filter((step) => !passes(step)).length;
const passed = STEPS.length - failed;
const counts = failed > 0 ? `${failed} failed | ${passed} passed` : `${passed} passed`;
process.stdout.write(`Steps  ${counts} (${STEPS.length})\n`);
process.exitCode = failed > 0 ? 1 : 0;

/** Runs one step, prints its line and, when it failed, what it had to say. */
function passes({ name, command: [program, ...args] }) {
  const startMs = performance.now();
  const run = spawnSync(program, args, {
    cwd: root,
    env: environment,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
  });
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  const good = run.status === 0;
  process.stdout.write(`${good ? 'ok    ' : 'FAILED'} ${name.padEnd(21)} ${seconds.padStart(5)} s\n`);
  if (!good) process.stdout.write(`${indented(run.error?.message ?? `${run.stdout}${run.stderr}`)}\n`);
  return good;
}

function indented(text) {
  return text.trimEnd().replace(/^/gm, '    ');
}
