import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Found, packPlugin } from '#installer/build/pack-plugin.ts';
import { Agent, request } from '#installer/build/packed/undici.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** The files that a program of the binary holds, as the build bundles it; a daemon keeps all of them in memory. */
async function filesOf(
  entry: string,
): Promise<{ readonly files: readonly string[]; readonly bytes: number }> {
  const found: Found = { workers: new Set(), parts: new Set(), files: new Set() };
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'dist',
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: 'error',
    external: ['@wasm-audio-decoders/opus-ml'],
    define: { 'import.meta.url': '"file:///"' },
    plugins: [packPlugin(ROOT, found)],
  });
  const [output] = Object.values(metafile.outputs);
  const used = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return { files: used.map(([file]) => file), bytes: output?.bytes ?? 0 };
}

describe('a daemon of the binary', () => {
  it('has no command for people in its entry', async () => {
    const { files, bytes } = await filesOf('installer/carillon.ts');
    expect(
      files.filter((file) => /node_modules\/(zod|@peculiar)|installer\/command\/(?!daemon|shell)/.test(file)),
    ).toEqual([]);
    expect(bytes).toBeLessThan(200_000);
  });

  it('holds no part of a package that it has no use for', async () => {
    const { files } = await filesOf('appliance/compose/appliance.ts');
    expect(files.length).toBeGreaterThan(500);
    const needless =
      /undici\/(index\.js|lib\/(mock|interceptor|cache)\/)|zod\/v4\/locales\/(?!en|index)|@peculiar\/x509/;
    expect(files.filter((file) => needless.test(file))).toEqual([]);
  });
});

describe('a command of the binary', () => {
  it('is judged where its failures are thrown, since each program has classes of its own', async () => {
    expect(readFileSync(join(ROOT, 'installer/carillon.ts'), 'utf8')).not.toMatch(
      /instanceof (Stop|CommanderError)/,
    );
    for (const entry of ['installer/command/root.ts', 'installer/command/daemon.ts'])
      expect((await filesOf(entry)).files).toEqual(
        expect.arrayContaining(['installer/command/shell/ending.ts', 'installer/exit-code.ts']),
      );
  });
});

describe('undici of the binary', () => {
  const server = createServer((asked, answer) => {
    asked.setEncoding('utf8');
    let body = '';
    asked.on('data', (text: string) => {
      body += text;
    });
    asked.on('end', () =>
      answer.end(`${asked.method} ${asked.url} ${asked.headers['x-name'] ?? '-'} ${body}`),
    );
  });
  const agent = new Agent();
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(async () => {
    await agent.destroy();
    server.close();
  });
  const at = (path: string): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

  it.each([
    ['GET', {}, 'GET /a/b?c=d - '],
    ['PUT, since there is a body', { body: 'text' }, 'PUT /a/b?c=d - text'],
    ['POST', { method: 'POST', body: 'text', headers: { 'x-name': 'value' } }, 'POST /a/b?c=d value text'],
  ] as const)('asks by %s', async (_, options, expected) => {
    const answer = await request(at('/a/b?c=d'), { dispatcher: agent, ...options });
    expect([answer.statusCode, await answer.body.text()]).toEqual([200, expected]);
  });

  it('asks by the agent itself', async () => {
    const { origin } = new URL(at('/'));
    const answer = await agent.request({ origin, path: '/x', method: 'GET' });
    expect(await answer.body.text()).toBe('GET /x - ');
  });

  it('has no dispatcher of the whole process', () => {
    expect(() => request(at('/'))).toThrow('names its dispatcher');
  });
});
