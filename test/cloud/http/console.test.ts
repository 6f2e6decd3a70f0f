import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildConsole } from '../../../installer/build/console.mjs';
import { openApi, type TestApi } from './api.ts';

/** All pages in one file: three quarters of a second over a line of 2 Mbit/s. */
const MOST_BYTES = 190_000;
let folder: string;
let api: TestApi;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-console-'));
  await buildConsole(folder);
  api = await openApi({ consoleFile: (name) => readFile(join(folder, name)) });
});
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true, force: true });
});

const get = (path: string) => api.app.request(path);

describe('the console', () => {
  it('stands where the bare address leads', async () => {
    for (const path of ['/', '/console']) {
      const answer = await get(path);
      expect([answer.status, answer.headers.get('Location')]).toEqual([302, '/console/']);
    }
  });

  it.each([
    ['', 'text/html; charset=utf-8'],
    ['main.js', 'text/javascript; charset=utf-8'],
    ['softphone.js', 'text/javascript; charset=utf-8'],
    ['main.css', 'text/css; charset=utf-8'],
    ['bell.svg', 'image/svg+xml'],
  ])('serves /console/%s', async (name, type) => {
    const answer = await get(`/console/${name}`);
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, type]);
    expect(await answer.text()).toBe(readFileSync(join(folder, name === '' ? 'index.html' : name), 'utf8'));
    const policy = answer.headers.get('Content-Security-Policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
  });

  it.each(['/console/tsconfig.json', '/console/../main.ts', '/console/%2e%2e/main.ts', '/console/main.tsx'])(
    'serves nothing else of its folder: %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );

  it('asks nobody but the place it came from, and is small', () => {
    const script = readFileSync(join(folder, 'main.js'), 'utf8');
    const addresses = [...script.matchAll(/https?:\/\/[\w.-]+/g)].map(([address]) => address);
    // Names of XML vocabularies, which no browser fetches.
    expect(addresses.filter((address) => !address.endsWith('//www.w3.org'))).toEqual([]);
    expect(statSync(join(folder, 'main.js')).size).toBeLessThan(MOST_BYTES);
  });

  it('is not there when it was not built, and the API is', async () => {
    const bare = await openApi();
    expect((await bare.app.request('/console/')).status).toBe(404);
    expect((await bare.app.request('/openapi.json')).status).toBe(200);
    await bare.close();
  });
});
