import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ROOT } from './repository.ts';

/**
 * Types prove nothing about loading: a named import from CommonJS passes the compiler and fails under Node. So every
 * file that Node is started with, or that is loaded on demand, is loaded once by Node itself.
 */
const LOADED_ON_DEMAND = ['appliance/main.ts', 'cloud/main.ts', 'appliance/simulator/index.ts'];
const COMMANDS = ['', 'demo', 'cloud', 'appliance', 'simulate', 'config'];
const manifest: { bin: Record<string, string>; scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
);

interface Ending {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Only the sentence of an uncaught error. */
const summary = (stderr: string): string => /^\w*Error.*(\n[A-Z].*)*/m.exec(stderr)?.[0] ?? stderr;

function node(...args: string[]): Promise<Ending> {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (part) => (stdout += part));
  child.stderr.on('data', (part) => (stderr += part));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, stdout, stderr: summary(stderr) }));
  });
}

/** Loads a module as the main thread does; it must load, do nothing by itself and let Node end. */
const load = (path: string) => {
  const url = pathToFileURL(join(ROOT, path)).href;
  return node('--input-type=module', '--eval', `await import(${JSON.stringify(url)});`);
};

describe('every file that package.json starts', () => {
  const started = Object.values(manifest.scripts).flatMap(
    (script) => /^node (\S+)/.exec(script)?.slice(1) ?? [],
  );
  const configured = Object.values(manifest.scripts).flatMap(
    (script) => /--config (\S+)/.exec(script)?.slice(1) ?? [],
  );

  it.each([...new Set([...Object.values(manifest.bin), ...started, ...configured])])(
    '%s is there',
    (path) => {
      expect(existsSync(join(ROOT, path))).toBe(true);
    },
  );

  it('has its packages installed first', () => {
    const alone = new Set(['carillon']);
    const names = Object.keys(manifest.scripts).filter((name) => !/^pre/.test(name) && !alone.has(name));
    const unprepared = names.filter((name) => manifest.scripts[`pre${name}`] !== manifest.scripts.prestart);
    expect(unprepared).toEqual([]);
  });
});

describe('the command line', () => {
  it.each(COMMANDS)('carillon %s --help ends with 0', { timeout: 60_000 }, async (command) => {
    const words = command === '' ? [] : [command];
    const { status, stdout, stderr } = await node('installer/carillon.ts', ...words, '--help');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(['carillon', ...words].join(' '));
  });

  it('answers wrong use with 64', { timeout: 60_000 }, async () => {
    expect(await node('installer/carillon.ts', '--no-such-flag')).toMatchObject({ status: 64 });
  });
});

describe('modules that are loaded on demand', () => {
  it.each(LOADED_ON_DEMAND)('%s loads under Node', { timeout: 60_000 }, async (path) => {
    expect(await load(path)).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('turns red by a named import that CommonJS does not have', async () => {
    const planted = `import { applyPatch } from 'fast-json-patch'; applyPatch({}, []);`;
    const { status, stderr } = await node('--input-type=module', '--eval', planted);
    expect(status).toBe(1);
    expect(stderr).toContain('Named export');
  });
});
