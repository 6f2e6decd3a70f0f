import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPrompts } from '#appliance/io/prompt/index.ts';
import type { Prompts } from '#appliance/media/prompt/index.ts';
import { sine, wavOf } from './sound.ts';

const go = new AbortController().signal;
const sound = wavOf(sine(500, 1, 8_000), 8_000);
type Page = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let origin: string;
let prompts: Prompts;
const pages = new Map<string, Page>();
let asked: IncomingMessage[] = [];
let number = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request);
    pages.get((request.url ?? '').split('?')[0] ?? '')?.(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  prompts = await openPrompts({
    allowPrivate: ['127.0.0.0/8'],
    patience: { firstByteMs: 300, wholeMs: 600 },
    voices: { espeak: null },
  });
});
afterAll(async () => {
  await prompts.close();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
});

/** A page of its own for each test. */
function page(answer: Page): string {
  const path = `/prompt-${++number}.wav`;
  pages.set(path, answer);
  return `${origin}${path}?signature=secret`;
}
const giving = (headers: Record<string, string>, status = 200, body: Buffer | string = sound) =>
  page((_, response) => response.writeHead(status, headers).end(body));
const prepare = (url: string, signal = go) => prompts.prepare({ kind: 'url', url }, signal);
async function hits(url: string, times: number): Promise<unknown[]> {
  const found = [];
  for (let i = 0; i < times; i++) {
    const prepared = await prepare(url);
    found.push(prepared.ok ? prepared.value.cacheHit : prepared.error);
  }
  return found;
}

describe('a page and its headers', () => {
  it('is fetched once while it is fresh', async () => {
    expect(await hits(giving({ 'cache-control': 'max-age=600' }), 3)).toEqual([false, true, true]);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.headers).toMatchObject({ 'accept-encoding': 'identity' });
  });

  it('is asked about when it is stale, and not sent again', async () => {
    const url = page((request, response) => {
      const same = request.headers['if-none-match'] === '"one"';
      response
        .writeHead(same ? 304 : 200, { etag: '"one"', 'cache-control': 'no-cache' })
        .end(same ? '' : sound);
    });
    expect(await hits(url, 3)).toEqual([false, true, true]);
    expect(asked.map((request) => request.headers['if-none-match'])).toEqual([undefined, '"one"', '"one"']);
  });

  it('is not kept when that is forbidden', async () => {
    expect(await hits(giving({ 'cache-control': 'no-store, max-age=600' }), 2)).toEqual([false, false]);
  });

  it('is played from the stale copy when its server fails, unless that is forbidden', async () => {
    for (const [control, played] of [
      ['max-age=0', true],
      ['max-age=0, must-revalidate', false],
    ] as const) {
      let broken = false;
      const url = page((_, response) => {
        response.writeHead(broken ? 503 : 200, { 'cache-control': control }).end(broken ? '' : sound);
      });
      await prepare(url);
      broken = true;
      expect(await prepare(url)).toMatchObject(
        played
          ? { ok: true, value: { stale: true, cacheHit: true } }
          : { ok: false, error: { code: 'Unreachable' } },
      );
    }
  });
});

describe('a refused address', () => {
  it.each<[string, () => string, string, RegExp]>([
    [
      'a redirect',
      () => giving({ location: 'http://127.0.0.1:1/' }, 302),
      'Refused',
      /answered 302; redirects/,
    ],
    ['a page that is not there', () => giving({}, 404), 'NotFound', /is not there \(404\)/],
    ['an error', () => giving({}, 500), 'Unreachable', /answered 500 instead of sound/],
    [
      'a page of text',
      () => giving({ 'content-type': 'audio/wav' }, 200, '<html>'),
      'Unreadable',
      /no sound/,
    ],
    ['a packed page', () => giving({ 'content-encoding': 'gzip' }), 'Unreadable', /content encoding gzip/],
    [
      'a page that says it is huge',
      () => giving({ 'content-length': '60000000' }),
      'TooLarge',
      /larger than/,
    ],
    [
      'a page shorter than it says',
      () =>
        page((_, response) => {
          response.writeHead(200, { 'content-length': '90000' }).write(sound);
          setImmediate(() => response.destroy());
        }),
      'Unreachable',
      /could not be fetched/,
    ],
    ['a page that never begins', () => page(() => undefined), 'Late', /sent nothing within 0.3 s/],
    [
      'a page that sends its head only',
      () => page((_, r) => r.writeHead(200).flushHeaders()),
      'Late',
      /sent nothing/,
    ],
    ['a page that never ends', () => page((_, response) => drip(response)), 'Late', /did not come to an end/],
    ['a page of endless bytes', () => page((_, response) => pour(response)), 'TooLarge|Late', /./],
    ['a port below 1024', () => 'http://127.0.0.1:22/a.wav', 'Refused', /port 22/],
    ['another scheme', () => 'file:///etc/passwd', 'Refused', /https: or http:/],
    ['a password', () => 'http://me:hunter2@127.0.0.1:8080/', 'Refused', /are not sent/],
    ['no URL', () => 'hello', 'Refused', /is no URL/],
    [
      'a private address that is not listed',
      () => 'http://192.168.1.1:8080/',
      'Refused',
      /must not be called/,
    ],
    ['the same in another spelling', () => 'http://[::ffff:10.0.0.1]:8080/', 'Refused', /must not be called/],
    [
      'a name with such an address',
      () => 'http://localhost.localdomain.invalid:8080/',
      'Unreachable',
      /fetched/,
    ],
  ])('%s', async (_, url, code, reason) => {
    const prepared = await prepare(url());
    expect(!prepared.ok && prepared.error.code).toMatch(new RegExp(`^(${code})$`));
    expect(!prepared.ok && prepared.error.reason).toMatch(reason);
    expect(JSON.stringify(prepared)).not.toMatch(/secret|hunter2/);
  });

  it('our own listeners', async () => {
    const port = Number(new URL(origin).port);
    const own = await openPrompts({
      allowPrivate: ['127.0.0.0/8'],
      listeners: [{ address: '127.0.0.1', port }],
      voices: { espeak: null },
    });
    const prepared = await own.prepare({ kind: 'url', url: `${origin}/x.wav` }, go);
    expect(prepared).toMatchObject({ ok: false, error: { code: 'Refused' } });
    await own.close();
  });

  it('closes the connection of a request that is no longer waited for', async () => {
    const closed = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const url = page((_, response) => {
      response.writeHead(200).flushHeaders();
      response.on('close', () => closed.resolve());
      begun.resolve();
    });
    const aborted = new AbortController();
    const prepared = prepare(url, aborted.signal);
    await begun.promise;
    aborted.abort();
    expect(await prepared).toMatchObject({ ok: false, error: { code: 'Stopped' } });
    await closed.promise;
  });
});

function drip(response: ServerResponse): void {
  response.writeHead(200);
  const beat = setInterval(() => response.write('x'), 20);
  response.on('close', () => clearInterval(beat));
}

function pour(response: ServerResponse): void {
  const block = Buffer.alloc(1 << 20);
  const more = () => {
    while (!response.destroyed && response.write(block));
  };
  response.writeHead(200).on('drain', more);
  more();
}
