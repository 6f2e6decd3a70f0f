import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { expect } from 'vitest';

const PROGRAM = resolve(import.meta.dirname, '../../campaign/run.ts');
const SEED = '4711';

/** Runs campaigns as a person would call them. */
export async function campaign(
  ...words: readonly string[]
): Promise<{ readonly code: number; readonly output: string }> {
  const child = spawn(process.execPath, [PROGRAM, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => {
      output += bytes.toString();
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? -1, output };
}

/** One campaign in the size of one change. The table stands in the output. */
export async function keepsItsPromises(name: string): Promise<void> {
  const { code, output } = await campaign(name, '--seed', SEED);
  process.stdout.write(output);
  expect(code, output).toBe(0);
  expect(output).toContain(`${name}: every promise kept`);
}
