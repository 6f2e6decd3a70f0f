import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { expect } from 'vitest';
import { bySize } from '#test/support/vitest/rounds.ts';

const PROGRAM = resolve(import.meta.dirname, '../../campaign/run.ts');
const SEED = '4711';
/** A test of a campaign waits this much longer, ms, so that it is the campaign that says what it was about. */
export const LAST_WORDS_MS = 20_000;

/**
 * Runs campaigns as a person would call them; what they say is shown as they say it. One that is not over within `withinMs`
 * is ended with every program that it has started: what went on would take the machine from the tests behind it.
 */
export async function campaign(
  words: readonly string[],
  withinMs = 60_000,
): Promise<{ readonly code: number; readonly output: string }> {
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => {
      output += bytes.toString();
      process.stdout.write(bytes);
    });
  }
  const late = setTimeout(() => {
    output += `not over within ${withinMs / 1000} s\n`;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, withinMs);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(late);
  return { code: code ?? -1, output };
}

/** That a campaign sees what is broken is shown by `.ci/run --long`. */
const LESS = bySize(['--without-mutants'], []);

/** One campaign in the size of one change. The table stands in the output. */
export async function keepsItsPromises(name: string, withinMs: number): Promise<void> {
  const { code, output } = await campaign([name, '--seed', SEED, ...LESS], withinMs);
  expect(code, output).toBe(0);
  expect(output).toContain(`${name}: every promise kept`);
}
