import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockFolder } from '#appliance/io/sqlite/index.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('lockFolder', () => {
  it('lets one in, and the next one when the first has left', () => {
    const unlock = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow(/is in use by another appliance; end that one/);
    unlock();
    lockFolder(folder)();
  });

  it('outlives the garbage collector and dies with a holder that is killed', async () => {
    const module = new URL('../../../../appliance/io/sqlite/index.ts', import.meta.url).href;
    const script = `import(${JSON.stringify(module)}).then((m) => { m.lockFolder(${JSON.stringify(folder)}); setImmediate(() => { gc(); setImmediate(() => console.log('held')); }); setInterval(() => {}, 1000); });`;
    const holder = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', script]);
    await new Promise<void>((resolve) => holder.stdout.once('data', () => resolve()));
    expect(() => lockFolder(folder)).toThrow('in use');
    const exited = new Promise<void>((resolve) => holder.once('exit', () => resolve()));
    holder.kill('SIGKILL');
    await exited;
    lockFolder(folder)();
  });
});
