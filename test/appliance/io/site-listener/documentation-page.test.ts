import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtDocumentation } from '#appliance/io/documentation/index.ts';
import { answerDocumentation, isDocumentationPath } from '#appliance/io/site-listener/documentation-page.ts';

/* The pages of a site without WAN: a host serves what its release has brought. */

const SITE = {
  'index.html': '<h1>Carillon</h1>',
  'guides/technician.md': '# Technician',
  'llms.txt': '# Carillon',
};
let folder: string;
let empty: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-documentation-'));
  empty = mkdtempSync(join(tmpdir(), 'carillon-documentation-'));
  const files = Object.entries(SITE);
  writeFileSync(join(folder, 'files.json'), JSON.stringify(files.map(([name, text]) => [name, text.length])));
  writeFileSync(join(folder, 'files.zst'), zstdCompressSync(files.map(([, text]) => text).join('')));
});
afterAll(() => {
  for (const each of [folder, empty]) rmSync(each, { recursive: true, force: true });
});

async function get(path: string, method = 'GET'): Promise<Response> {
  const files = builtDocumentation(folder);
  if (files === undefined) throw new Error('the build was not found');
  return await answerDocumentation(new Request(`https://host.example${path}`, { method }), path, files);
}

describe('the documentation of a host', () => {
  it.each([
    ['/docs', SITE['index.html']],
    ['/docs/guides/technician.md', SITE['guides/technician.md']],
    ['/llms.txt', SITE['llms.txt']],
  ])('%s', async (path, text) => {
    const answer = await get(path);
    expect([answer.status, await answer.text()]).toEqual([200, text]);
    expect(answer.headers.get('Content-Security-Policy')).toContain("script-src 'self' 'wasm-unsafe-eval'");
  });

  it('has no other file, and takes no other method', async () => {
    for (const path of ['/docs/files.json', '/docs/try', '/docs/../etc/passwd'])
      expect((await get(path)).status).toBe(404);
    expect((await get('/docs', 'POST')).status).toBe(405);
  });

  it('has its paths alone', () => {
    expect(['/docs', '/docs/x', '/llms.txt'].every(isDocumentationPath)).toBe(true);
    expect(['/doc', '/docsx', '/healthz', '/technician'].some(isDocumentationPath)).toBe(false);
  });

  it('is absent where it was not built, and says so when list and bytes are of two builds', async () => {
    expect(builtDocumentation(empty)).toBeUndefined();
    writeFileSync(join(empty, 'files.json'), JSON.stringify([['index.html', 5]]));
    writeFileSync(join(empty, 'files.zst'), zstdCompressSync('other length'));
    await expect(builtDocumentation(empty)?.()).rejects.toThrow('are of two builds. Build it again.');
  });
});
