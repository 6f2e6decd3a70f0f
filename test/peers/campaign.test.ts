import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const PROGRAM = resolve(import.meta.dirname, '../campaign/run.ts');
const SEED = '4711';

/** The campaigns in the size of one change, as a person would call them. The table stands in the output. */
test.each(['kill9', 'powercut', 'loss', 'wan'])('campaign %s keeps every promise', async (name) => {
  const { code, output } = await run(name, '--seed', SEED);
  process.stdout.write(output);
  expect(code, output).toBe(0);
  expect(output).toContain(`${name}: every promise kept`);
});

test('a campaign nobody knows is refused, with the names of those there are', async () => {
  const { code, output } = await run('earthquake');
  expect(code).toBe(64);
  expect(output).toMatch(/there is no campaign earthquake[\s\S]*kill9[\s\S]*powercut[\s\S]*loss[\s\S]*wan/);
});

async function run(...words: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
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
