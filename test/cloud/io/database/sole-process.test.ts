import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockForOneProcess } from '#cloud/io/database/index.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-lock-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Another process that holds the lock of `file` until it is killed. */
async function holder(file: string) {
  const source = `import { lockForOneProcess } from '#cloud/io/database/index.ts';
    lockForOneProcess(${JSON.stringify(file)}); console.log('held'); setInterval(() => {}, 1e6);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

describe('the lock of a SQLite database', () => {
  it('is held by one process, with a sentence for the second', async () => {
    const file = join(folder, 'cloud.db');
    const other = await holder(file);
    expect(() => lockForOneProcess(file)).toThrow(
      `Another control plane works on ${file}, and SQLite serves one process. Stop the other one`,
    );
    // The kernel ends it with a process that was killed: the next one begins at once.
    other.kill('SIGKILL');
    await once(other, 'exit');
    lockForOneProcess(file)();
  });

  it('is free again when its holder lets go', () => {
    const file = join(folder, 'other.db');
    const end = lockForOneProcess(file);
    expect(() => lockForOneProcess(file)).toThrow('SQLite serves one process');
    end();
    lockForOneProcess(file)();
  });

  it('says why where it cannot be made', () => {
    expect(() => lockForOneProcess(join(folder, 'missing', 'cloud.db'))).toThrow('directory does not exist');
  });
});
