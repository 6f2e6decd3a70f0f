import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { consoleFiles } from '#cloud/io/console-page/index.ts';
import { buildConsole } from '../../../installer/build/console.mjs';
import { routeSizes } from '../console/console-size.ts';
import { openApi, type TestApi } from './api.ts';

const KB = 1_000;
/** Bytes on the wire as brotli. */
const BUDGET = { first: 250 * KB, route: 80 * KB, editor: 150 * KB } as const;
/** Modules with a text editor or a player of their own, which are fetched when a person needs them. */
const EDITORS: ReadonlySet<string> = new Set(['page/setup/setup.tsx']);

const BUILT = join(import.meta.dirname, '..', '..', '..', 'cloud', 'console', 'dist');

let folder: string;
let api: TestApi;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-console-'));
  // A build takes 14 s of processor time: the one of this checkout is made where the sources are others than before.
  await buildConsole();
  cpSync(BUILT, folder, { recursive: true });
  api = await openApi({ consoleFile: consoleFiles(folder).read });
}, 300_000);
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true, force: true });
});

const get = (path: string, headers = {}) => api.app.request(path, { headers });
const listed = (): string[] =>
  (JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8')) as { files: string[] }).files;
const named = (pattern: RegExp): string => listed().find((name) => pattern.test(name)) ?? 'no such file';

describe('the console', () => {
  it('stands where the bare address leads', async () => {
    for (const path of ['/', '/console']) {
      const answer = await get(path);
      expect([answer.status, answer.headers.get('Location')]).toEqual([302, '/console/']);
    }
  });

  it.each(['/console/', '/console/fleet', '/console/fleet/north/gw-1.example', '/console/alarm/a%2Fb'])(
    'answers %s with its page, which asks again for a newer one',
    async (path) => {
      const answer = await get(path);
      expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(answer.headers.get('Cache-Control')).toBe('no-cache');
      expect(await answer.text()).toContain('<div id="root">');
    },
  );

  it('gives each page a nonce of its own for styles, and no entry for other scripts', async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const answer = await get('/console/');
        const policy = answer.headers.get('Content-Security-Policy') ?? '';
        expect(policy).toContain("default-src 'none'; script-src 'self';");
        expect(policy).not.toContain('unsafe');
        const [, nonce = ''] = /style-src 'self' 'nonce-([\w-]{22})'/.exec(policy) ?? [];
        const html = await answer.text();
        expect(html).toContain(`<meta property="csp-nonce" nonce="${nonce}">`);
        expect(html).not.toContain('__nonce__');
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(2);
  });

  it.each([
    ['scripts', /^asset\/index-[\w-]+\.js$/, 'text/javascript; charset=utf-8'],
    ['styles', /^asset\/index-[\w-]+\.css$/, 'text/css; charset=utf-8'],
    ['the telephone', /^asset\/softphone-[\w-]+\.js$/, 'text/javascript; charset=utf-8'],
  ])('serves %s for ever, packed as the client takes it', async (_, pattern, type) => {
    const name = named(pattern);
    const text = readFileSync(join(folder, name), 'utf8');
    const entries = [
      ['', null, (bytes: Buffer) => bytes],
      ['gzip', 'gzip', gunzipSync],
      ['gzip, deflate, br;q=1', 'br', brotliDecompressSync],
    ] as const;
    for (const [taken, packed, unpack] of entries) {
      const answer = await get(`/console/${name}`, { 'Accept-Encoding': taken });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('Content-Type')).toBe(type);
      expect(answer.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('Content-Encoding')).toBe(packed);
      expect(answer.headers.get('Vary')).toContain('Accept-Encoding');
      expect(unpack(Buffer.from(await answer.arrayBuffer())).toString('utf8')).toBe(text);
    }
  });

  it.each([
    ['service-worker.js', 'text/javascript; charset=utf-8', 'showNotification'],
    ['manifest.webmanifest', 'application/manifest+json', '"start_url": "/console/"'],
  ])('serves %s under a name of its own, which asks again', async (name, type, content) => {
    const answer = await get(`/console/${name}`);
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, type]);
    expect(answer.headers.get('Cache-Control')).toBe('no-cache');
    const text = await answer.text();
    expect(text).toContain(content);
    // A browser starts the worker by itself, and it must find everything in this one file.
    expect(text).not.toMatch(/\b(?:import|export)\b/);
  });

  it.each([
    '/console/tsconfig.json',
    '/console/files.json',
    '/console/../main.ts',
    '/console/%2e%2e/main.ts',
    '/console/main.tsx',
    '/console/asset/..%2findex.html',
    '/console/asset/..%2f..%2fmain.tsx',
    '/console/asset/index-aaaaaaaa.js',
  ])('serves nothing else of its folder: %s', async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  it('asks no other place than the one it came from', () => {
    const text = listed()
      .filter((name) => /\.(?:js|css)$/.test(name))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n');
    const called = [...text.matchAll(/(?:fetch\(|import\(|src=|href=|url\()["'`]?https?:\/\/[\w.-]+/g)];
    expect(called.map(([address]) => address)).toEqual([]);
  });

  it('is fetched within its budget: the first page, and each further one', () => {
    const { first, routes } = routeSizes(folder);
    expect(first).toBeLessThanOrEqual(BUDGET.first);
    expect(routes.size).toBeGreaterThan(10);
    const heavy = [...routes].filter(
      ([name, bytes]) => bytes > (EDITORS.has(name) ? BUDGET.editor : BUDGET.route),
    );
    expect(heavy).toEqual([]);
  });

  it('keeps what the build before it had, for pages that are open', { timeout: 300_000 }, async () => {
    const { files } = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8')) as { files: string[] };
    const old = 'asset/old-AAAAAAAA.js';
    writeFileSync(join(folder, old), 'export {};');
    writeFileSync(
      join(folder, 'files.json'),
      JSON.stringify({ files: [...files.slice(1), old], before: [] }),
    );
    await buildConsole(folder);
    expect((await get(`/console/${old}`)).status).toBe(200);
    const { mtimeMs } = statSync(join(folder, 'files.json'));
    await buildConsole(folder);
    expect(statSync(join(folder, 'files.json')).mtimeMs, 'the same sources are not built again').toBe(
      mtimeMs,
    );
    expect((await get(`/console/${old}`)).status).toBe(200);
  });

  it('is not there when it was not built, and the API is', async () => {
    const bare = await openApi();
    expect((await bare.app.request('/console/')).status).toBe(404);
    expect((await bare.app.request('/openapi.json')).status).toBe(200);
    await bare.close();
  });
});
