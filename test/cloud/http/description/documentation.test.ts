import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtDocumentation } from '#cloud/io/documentation/index.ts';
import { openApi, type TestApi } from '../api.ts';

/** A built site as `npm run docs` leaves it. */
const SITE: Readonly<Record<string, string>> = {
  'index.html': '<h1>Carillon</h1>',
  'index.md': '# Carillon',
  'start/first-alarm/index.html': '<h1>First alarm</h1>',
  'start/first-alarm.md': '# First alarm',
  'llms.txt': '# Carillon\n',
  '404.html': '<h1>No page</h1>',
  '_astro/page.a1b2.js': 'export {};',
  'pagefind/wasm.en.pagefind': '\0asm',
};

let folder: string;
let api: TestApi;
let bare: TestApi;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-documentation-'));
  const files = Object.entries(SITE);
  writeFileSync(
    join(folder, 'files.json'),
    JSON.stringify(files.map(([name, text]) => [name, Buffer.byteLength(text)])),
  );
  writeFileSync(join(folder, 'files.zst'), zstdCompressSync(files.map(([, text]) => text).join('')));
  const documentation = builtDocumentation(folder);
  if (documentation === undefined) throw new Error('the build was not found');
  api = await openApi({ documentation });
  bare = await openApi();
});
afterAll(async () => {
  await Promise.all([api.close(), bare.close()]);
  rmSync(folder, { recursive: true, force: true });
});

const get = (path: string) => api.app.request(path);

describe('the documentation', () => {
  it.each([
    ['/docs', 'index.html', 'text/html; charset=utf-8'],
    ['/docs/start/first-alarm', 'start/first-alarm/index.html', 'text/html; charset=utf-8'],
    ['/docs/start/first-alarm.md', 'start/first-alarm.md', 'text/markdown; charset=utf-8'],
    ['/docs/llms.txt', 'llms.txt', 'text/plain; charset=utf-8'],
    ['/llms.txt', 'llms.txt', 'text/plain; charset=utf-8'],
    ['/docs/_astro/page.a1b2.js', '_astro/page.a1b2.js', 'text/javascript; charset=utf-8'],
    ['/docs/pagefind/wasm.en.pagefind', 'pagefind/wasm.en.pagefind', 'application/octet-stream'],
  ])('%s is %s', async (path, name, type) => {
    const answer = await get(path);
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, type]);
    expect(await answer.text()).toBe(SITE[name]);
  });

  it('leads an address with a slash to the one without', async () => {
    const answer = await get('/docs/start/first-alarm/');
    expect([answer.status, answer.headers.get('Location')]).toEqual([302, '/docs/start/first-alarm']);
  });

  it.each(['/docs/start/other', '/docs/files.json', '/docs/../package.json', '/docs/%2e%2e/files.zst'])(
    'has nothing at %s',
    async (path) => expect((await get(path)).status).toBe(404),
  );

  it('runs scripts and styles of this place alone, and the WebAssembly of the search', async () => {
    for (const path of ['/docs', '/docs/start/other', '/docs/_astro/page.a1b2.js']) {
      const policy = (await get(path)).headers.get('Content-Security-Policy') ?? '';
      expect(policy).toContain("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self';");
      expect(policy).not.toContain('unsafe-inline');
      expect(policy).not.toContain("'unsafe-eval'");
    }
  });

  it('gives WebAssembly to no other page', async () => {
    for (const path of ['/docs/try', '/docs/try/start.js', '/openapi.json', '/healthz'])
      expect((await get(path)).headers.get('Content-Security-Policy') ?? '').not.toContain('wasm');
  });

  it('keeps files for ever whose names come from their content, and asks again for pages', async () => {
    expect((await get('/docs/_astro/page.a1b2.js')).headers.get('Cache-Control')).toContain('immutable');
    expect((await get('/docs')).headers.get('Cache-Control')).toBe('no-cache');
  });

  it('says how to build it where it is not built', async () => {
    const answer = await bare.app.request('/docs');
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('npm run docs');
    expect((await bare.app.request('/docs/start/first-alarm')).status).toBe(404);
  });
});
