import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { currentProgram } from '../../../installer/build/program/index.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SOURCES: Readonly<Record<string, string>> = {
  'package-lock.json': '{}',
  'shared/greeting.ts': `export const greeting: string = 'good morning';`,
  'appliance/thread.ts': `
    import { parentPort } from 'node:worker_threads';
    import { greeting } from '../shared/greeting.ts';
    parentPort?.postMessage([greeting, process.features.typescript && import.meta.filename]);`,
  'cloud/part.ts': `
    import { readFileSync } from 'node:fs';
    export const note: string = readFileSync(new URL('./note.txt', import.meta.url), 'utf8');`,
  'cloud/note.txt': 'a file beside its module',
  'installer/carillon.ts': `
    import { once } from 'node:events';
    import { Worker } from 'node:worker_threads';
    import { greeting } from '../shared/greeting.ts';
    const worker = new Worker(new URL('../appliance/thread.ts', import.meta.url));
    const [said] = await once(worker, 'message');
    const { note } = await import('../cloud/part.ts');
    console.log(JSON.stringify({ greeting, said, note, folder: import.meta.dirname, words: process.argv.slice(2) }));`,
};

let root: string;
let said: string[];
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const program = (): Promise<string> => currentProgram((line) => said.push(line), root);
const run = (...words: string[]) => spawnSync(process.execPath, words, { encoding: 'utf8' });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'carillon-program-'));
  said = [];
  for (const [path, text] of Object.entries(SOURCES)) write(path, text);
});
afterEach(() => rmSync(root, { recursive: true }));

describe('the bundle of a checkout', () => {
  it('runs with its threads, its parts on demand and the files beside its modules', async () => {
    const entry = await program();
    const { stdout, stderr } = run(entry, 'one', 'two');
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      greeting: 'good morning',
      said: ['good morning', join(root, 'appliance/thread.ts')],
      note: 'a file beside its module',
      folder: join(root, 'installer'),
      words: ['one', 'two'],
    });
    // Nothing is left that Node would have to strip of types.
    expect(run('--no-strip-types', entry).status).toBe(0);
  });

  it('is made once for a state of the sources, and says when it is made', async () => {
    const entry = await program();
    expect(said).toEqual([expect.stringMatching(/makes a bundle of its sources/)]);
    expect(await program()).toBe(entry);
    expect(said).toHaveLength(1);
    write('shared/greeting.ts', `export const greeting = 'good evening';`);
    const next = await program();
    expect(next).not.toBe(entry);
    expect(said).toHaveLength(2);
    expect(JSON.parse(run(next).stdout)).toMatchObject({ greeting: 'good evening' });
    // A program that was started from the one before goes on.
    expect(existsSync(entry)).toBe(true);
  });

  it('is the same for several that make it at once, and leaves nothing half made', async () => {
    const entries = await Promise.all([program(), program(), program()]);
    expect(new Set(entries).size).toBe(1);
    expect(readdirSync(join(root, 'node_modules/.cache/carillon/program'))).toHaveLength(1);
    expect(run(entries[0]).status).toBe(0);
  });

  it('goes when it is old and five others were used since', async () => {
    const entries: string[] = [];
    for (let n = 0; n < 5; n++) {
      write('shared/greeting.ts', `export const greeting = '${n}';`);
      entries.push(await program());
      const at = new Date(Date.UTC(2001, 0, 1 + n));
      utimesSync(dirname(dirname(entries[n] ?? '')), at, at);
    }
    expect(entries.map((entry) => existsSync(entry))).toEqual(Array(5).fill(true));
    write('shared/greeting.ts', `export const greeting = 'last';`);
    entries.push(await program());
    expect(entries.map((entry) => existsSync(entry))).toEqual([false, true, true, true, true, true]);
  });

  it('says which file cannot be bundled', async () => {
    write('cloud/part.ts', 'export const note: = 1;');
    await expect(program()).rejects.toThrow(/cloud\/part\.ts/);
    expect(readdirSync(join(root, 'node_modules/.cache/carillon/program'))).toEqual([]);
  });
});

describe('the command line of a checkout', () => {
  beforeEach(() => {
    for (const path of [
      'installer/bin.ts',
      'installer/build/program',
      'installer/build/source',
      'installer/io/terminal/terminal.ts',
    ])
      cpSync(join(ROOT, path), join(root, path), { recursive: true });
    write('package.json', '{ "type": "module" }');
    write(
      'installer/carillon.ts',
      `console.log('front', import.meta.url.endsWith('.ts'), new Error().stack);`,
    );
    mkdirSync(join(root, 'node_modules'));
    for (const name of ['esbuild', '@esbuild'])
      symlinkSync(join(ROOT, 'node_modules', name), join(root, 'node_modules', name));
  });
  const bin = (...words: string[]) => run(join(root, 'installer/bin.ts'), ...words);

  it('starts from the bundle, and says once that it makes it', () => {
    const first = bin('demo');
    expect(first.stderr).toMatch(/^Carillon makes a bundle of its sources.*\n$/);
    expect(first.stdout).toMatch(/front.*\n.*carillon\/program\//);
    const second = bin('demo');
    expect(second.stderr).toBe('');
    expect(second.stdout).toMatch(/front.*\n.*carillon\/program\//);
  });

  it('runs a small command from the sources, which costs less than to look for the bundle', () => {
    const { stdout, stderr } = bin('version');
    expect(stderr).toBe('');
    expect(stdout).not.toMatch(/carillon\/program\//);
  });

  it('starts from the sources without esbuild, and says why', () => {
    rmSync(join(root, 'node_modules/esbuild'));
    const { status, stdout, stderr } = bin('demo');
    expect(status).toBe(0);
    expect(stderr).toMatch(/^.*\nCarillon starts from its sources.*: Cannot find package 'esbuild'.*\n$/);
    expect(stdout).not.toMatch(/carillon\/program\//);
  });

  it('starts from the sources where they cannot be bundled, and says why', () => {
    write('installer/carillon.ts', `console.log('front'); if (process.argv[9]) import('../cloud/none.ts');`);
    const { status, stdout, stderr } = bin('demo');
    expect(status).toBe(0);
    expect(stdout).toBe('front\n');
    expect(stderr).toMatch(/^.*\nCarillon starts from its sources.*cloud\/none\.ts.*\n$/);
  });
});
