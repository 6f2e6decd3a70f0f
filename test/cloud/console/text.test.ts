import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const CONFIG = join(ROOT, 'cloud', 'console', 'lingui.config.ts');
const LINGUI = join(ROOT, 'node_modules', '@lingui', 'cli', 'dist', 'lingui.js');

/** The faults that Lingui finds; empty: none. `npm run texts` mends the first kind, a person the second. */
async function found(...args: string[]): Promise<string> {
  const command = [LINGUI, 'check', ...args, '--config', CONFIG, '--workers', '1', '--verbose'];
  const run = promisify(execFile)(process.execPath, command, { cwd: ROOT });
  return await run.then(
    () => '',
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
  );
}

describe('the texts of the console', { timeout: 120_000 }, () => {
  it('stand in the catalog of each language, and no catalog has one that nothing uses', async () => {
    expect(await found('sync', '--clean')).toBe('');
  });

  it('are said in each language', async () => {
    expect(await found('missing', '--mode', 'catalog')).toBe('');
  });
});
