import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CallbackClient, createCallbackClient } from '#cloud/io/callback/index.ts';
import { openFolderAuthority } from '#test/support/installation/folder-authority.ts';

const folder = mkdtempSync(join(tmpdir(), 'carillon-callback-'));
const ANSWER = '{"action":"drop"}';
const PACKED: Readonly<Record<string, { readonly encoding: string; readonly bytes: Uint8Array }>> = {
  '/gzip': { encoding: 'gzip', bytes: gzipSync(ANSWER) },
  '/deflate': { encoding: 'deflate', bytes: deflateSync(ANSWER) },
  '/raw': { encoding: 'deflate', bytes: deflateRawSync(ANSWER) },
  '/br': { encoding: 'br', bytes: brotliCompressSync(ANSWER) },
  '/zstd': { encoding: 'zstd', bytes: zstdCompressSync(ANSWER) },
  '/twice': { encoding: 'gzip, br', bytes: brotliCompressSync(gzipSync(ANSWER)) },
  '/plain': { encoding: 'gzip', bytes: Buffer.from(ANSWER) },
  '/bomb': { encoding: 'gzip', bytes: gzipSync(Buffer.alloc(8 * 1024 * 1024)) },
  '/torn': { encoding: 'gzip', bytes: gzipSync(ANSWER).subarray(0, 12) },
  '/lzma': { encoding: 'lzma', bytes: Buffer.from(ANSWER) },
};
let server: Server;
let port: number;
let ca: string;
let asked: string[];
const clients: CallbackClient[] = [];

beforeAll(async () => {
  const authority = await openFolderAuthority(folder, Date.now());
  ca = authority.ca;
  server = createServer(
    await authority.issueServer(['arc.test', '127.0.0.1'], Date.now()),
    (request, response) => {
      asked.push(`${request.headers.host} ${request.url}`);
      if (request.url === '/redirect') response.writeHead(302, { Location: 'https://arc.test/' });
      else if (request.url === '/busy') response.writeHead(503, { 'Retry-After': '7' });
      else if (request.url === '/slow') return;
      const packed = PACKED[request.url ?? ''];
      if (packed !== undefined) {
        response.writeHead(200, { 'Content-Encoding': packed.encoding });
        response.end(packed.bytes);
        return;
      }
      response.end(request.url === '/huge' ? Buffer.alloc(300 * 1024) : '{}');
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as { port: number }).port;
  asked = [];
});
afterAll(async () => {
  for (const client of clients) await client.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

function client(allowPrivate: string[], resolved: string | string[] = '127.0.0.1', own = 0): CallbackClient {
  const answers = [resolved].flat();
  const made = createCallbackClient({
    allowPrivate,
    listeners: () => [{ address: '127.0.0.1', port: own }],
    extraCas: [ca],
    resolve: async () => {
      const address = answers.length > 1 ? (answers.shift() ?? '') : (answers[0] ?? '');
      return [{ address, family: address.includes(':') ? 6 : 4 }];
    },
  });
  clients.push(made);
  return made;
}

const post = (sender: CallbackClient, url: string, timeoutMs = 5_000) =>
  sender.post({ url, headers: { 'Content-Type': 'application/json' }, body: '{}', timeoutMs });

describe('questions to sites', () => {
  const ask = (path: string, timeoutMs = 5_000) =>
    client(['127.0.0.0/8']).ask({
      url: `https://arc.test:${port}${path}`,
      headers: {},
      body: '{}',
      timeoutMs,
    });

  it('give status and body, and say whether it was late or could not be reached', async () => {
    expect(await ask('/x')).toEqual({ ok: true, value: { status: 200, body: '{}' } });
    expect(await ask('/busy')).toMatchObject({ ok: true, value: { status: 503 } });
    expect(await ask('/slow', 100)).toMatchObject({ ok: false, error: { code: 'late' } });
    expect(await ask('/huge')).toMatchObject({ ok: false, error: { code: 'unreachable' } });
    expect(await ask('/redirect')).toMatchObject({ ok: false, error: { code: 'redirectRefused' } });
  });
});

describe('a compressed answer of a site', () => {
  const ask = (path: string) =>
    client(['127.0.0.0/8']).ask({
      url: `https://arc.test:${port}${path}`,
      headers: {},
      body: '{}',
      timeoutMs: 5_000,
    });

  it.each(['gzip', 'deflate', 'raw', 'br', 'zstd', 'twice', 'plain'])('is read: %s', async (path) => {
    expect(await ask(`/${path}`)).toEqual({ ok: true, value: { status: 200, body: ANSWER } });
  });

  it.each([
    ['bomb', 'tooLarge', 'larger than 262144 bytes behind gzip'],
    ['torn', 'malformed', 'the answer is no gzip'],
    ['lzma', 'malformed', 'Content-Encoding lzma is not understood'],
  ])('is refused with its reason: %s', async (path, code, reason) => {
    expect(await ask(`/${path}`)).toMatchObject({
      ok: false,
      error: { code, reason: expect.stringContaining(reason) },
    });
  });
});

describe('callbacks', () => {
  it('reach a listed private network under the name of the URL', async () => {
    expect(await post(client(['127.0.0.0/8']), `https://arc.test:${port}/x?y=1`)).toEqual({
      ok: true,
      value: { status: 200 },
    });
    expect(asked.at(-1)).toBe(`arc.test:${port} /x?y=1`);
    expect(await post(client(['127.0.0.0/8']), `https://arc.test:${port}/busy`)).toEqual({
      ok: true,
      value: { status: 503, retryAfterS: 7 },
    });
  });

  it.each([
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '::1',
    'fe80::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '::7f00:1',
  ])('do not reach a name that stands for %s', async (address) => {
    const before = asked.length;
    expect((await post(client([], address), `https://arc.test:${port}/`)).ok).toBe(false);
    expect(asked.length).toBe(before);
  });

  it.each(['127.0.0.1', '2130706433', '0x7f000001', '[::1]', '[::ffff:127.0.0.1]', '169.254.169.254'])(
    'do not reach the literal %s',
    async (host) => {
      const before = asked.length;
      expect(await post(client([]), `https://${host}:${port}/`)).toMatchObject({
        ok: false,
        error: { code: 'addressRefused' },
      });
      expect(asked.length).toBe(before);
    },
  );

  it('do not reach this program itself, whatever is listed', async () => {
    expect((await post(client(['127.0.0.0/8'], '127.0.0.1', port), `https://arc.test:${port}/`)).ok).toBe(
      false,
    );
    expect((await post(client(['127.0.0.0/8'], '127.0.0.1', port), `https://127.0.0.1:${port}/`)).ok).toBe(
      false,
    );
  });

  it('connect to the address that was checked: a second look-up is never asked for', async () => {
    const sender = client(['127.0.0.0/8'], ['127.0.0.1', '169.254.169.254']);
    expect((await post(sender, `https://arc.test:${port}/`)).ok).toBe(true);
  });

  it.each([
    ['http', () => `http://arc.test:${port}/`],
    ['a low port', () => 'https://arc.test:22/'],
    ['no URL', () => 'arc.test'],
  ])('do not go to %s', async (_, url) => {
    expect(await post(client(['127.0.0.0/8']), url())).toMatchObject({
      ok: false,
      error: { code: 'addressRefused' },
    });
  });

  it('follow no redirect, leave a long answer unread, and do not wait for ever', async () => {
    const sender = client(['127.0.0.0/8']);
    expect(await post(sender, `https://arc.test:${port}/redirect`)).toMatchObject({
      ok: false,
      error: { code: 'redirectRefused' },
    });
    expect(await post(sender, `https://arc.test:${port}/huge`)).toEqual({ ok: true, value: { status: 200 } });
    expect((await post(sender, `https://arc.test:${port}/slow`, 200)).ok).toBe(false);
  });

  it('are not sent to a name the certificate does not bear', async () => {
    expect((await post(client(['127.0.0.0/8']), `https://other.test:${port}/`)).ok).toBe(false);
  });
});
