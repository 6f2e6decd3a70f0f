import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type CallbackClient,
  type CallbackClientSetting,
  createCallbackClient,
} from '#appliance/io/http/index.ts';
import { CallbackReceiver, makeAuthority } from './callback-receiver.ts';

let authority: Awaited<ReturnType<typeof makeAuthority>>;
let receiver: CallbackReceiver;
const clients: CallbackClient[] = [];

beforeAll(async () => {
  authority = await makeAuthority();
});
beforeEach(async () => {
  receiver = new CallbackReceiver(authority);
  await receiver.listen();
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await receiver.close();
});

function client(setting: CallbackClientSetting = {}): CallbackClient {
  const made = createCallbackClient({ allowPrivate: ['127.0.0.0/8'], extraCas: [authority.ca], ...setting });
  clients.push(made);
  return made;
}
const request = (url: string, timeoutMs = 5_000) => ({ url, headers: {}, body: '{"a":1}', timeoutMs });
const codeOf = async (made: CallbackClient, url: string, timeoutMs?: number): Promise<string> => {
  const result = await made.postJson(request(url, timeoutMs));
  return result.ok ? `answer ${result.value.status}` : result.error.code;
};

describe('a request', () => {
  it('is a POST of JSON whose answer comes back with status, headers and body', async () => {
    receiver.answer = (_request, response) => {
      response.writeHead(201, { 'X-Kind': 'a', 'Retry-After': '7' });
      response.end('{"action":"drop"}');
    };
    const result = await client().postJson({
      ...request(receiver.url('/a/b?c=d')),
      headers: { 'x-trace-id': 't' },
    });
    expect(result).toMatchObject({
      ok: true,
      value: { status: 201, body: '{"action":"drop"}', headers: { 'x-kind': 'a', 'retry-after': '7' } },
    });
    expect(receiver.received).toMatchObject([
      {
        url: '/a/b?c=d',
        body: '{"a":1}',
        headers: { 'content-type': 'application/json', 'x-trace-id': 't' },
      },
    ]);
  });

  it('uses connections that are there', async () => {
    const made = client();
    for (let n = 0; n < 20; n++) expect(await codeOf(made, receiver.url())).toBe('answer 200');
    // A second one may be made while the first is still finishing its answer.
    expect(receiver.connections).toBeLessThanOrEqual(2);
  });

  it('keeps Host and name of the certificate when the address came from the resolver', async () => {
    const made = client({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
    expect(await codeOf(made, receiver.url('/', 'receiver.test'))).toBe('answer 200');
    expect(receiver.received[0]?.headers.host).toBe(`receiver.test:${receiver.port}`);
    expect(await codeOf(made, receiver.url('/', 'other.test'))).toBe('unreachable');
  });

  it('reaches an application that has an IPv6 address only, by name and by address', async () => {
    await receiver.close();
    receiver = new CallbackReceiver(authority);
    await receiver.listen('::1');
    const resolve = async () => [{ address: '::1', family: 6 }];
    const made = client({ allowPrivate: ['::1/128'], resolve });
    expect(await codeOf(made, receiver.url('/', 'receiver.test'))).toBe('answer 200');
    expect(await codeOf(made, receiver.url('/', '[::1]'))).toBe('answer 200');
    expect(receiver.received[0]?.headers.host).toBe(`receiver.test:${receiver.port}`);
    expect(await codeOf(client({ allowPrivate: [], resolve }), receiver.url('/', 'receiver.test'))).toBe(
      'addressRefused',
    );
  });

  it('to an application that speaks HTTP/2 only says so', async () => {
    const server = createSecureServer({ ...authority, allowHTTP1: false });
    server.on('error', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const result = await client().postJson(request(`https://127.0.0.1:${port}/`));
    server.close();
    expect(result).toMatchObject({ ok: false, error: { code: 'unreachable' } });
    expect(result.ok ? '' : result.error.reason).toMatch(/it does not speak HTTP\/1\.1/);
  });

  it('does not trust a certificate of an unknown authority', async () => {
    expect(await codeOf(client({ extraCas: [] }), receiver.url())).toBe('unreachable');
    expect(receiver.received).toEqual([]);
  });
});

describe('addresses', () => {
  it.each([
    'https://2130706433:8443/',
    'https://0x7f.1:8443/',
    'https://0177.0.0.1:8443/',
    'https://127.0.0.1:8443/',
    'https://[::1]:8443/',
    'https://[::ffff:127.0.0.1]:8443/',
    'https://[::ffff:7f00:1]:8443/',
    'https://[::7f00:1]:8443/',
    'https://[64:ff9b::127.0.0.1]:8443/',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/',
    'https://0/',
    'http://8.8.8.8/',
    'ftp://8.8.8.8/',
    'https://8.8.8.8:80/',
    'https://8.8.8.8:22/',
    'https://8.8.8.8:1023/',
    'no url at all',
    'https://user@:443',
  ])('%s is refused before anything is sent', async (url) => {
    expect(await codeOf(client({ allowPrivate: [] }), url, 300)).toBe('addressRefused');
  });

  it('are all checked for a name: one that is forbidden refuses the name', async () => {
    const made = client({
      allowPrivate: [],
      resolve: async () => [
        { address: '93.184.215.14', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ],
    });
    expect(await codeOf(made, receiver.url('/', 'receiver.test'))).toBe('addressRefused');
    expect(receiver.connections).toBe(0);
  });

  it('are asked for once: a name that answers differently the second time gains nothing', async () => {
    let asked = 0;
    const made = client({
      allowPrivate: ['127.0.0.1/32'],
      resolve: async () => [{ address: asked++ === 0 ? '127.0.0.1' : '169.254.169.254', family: 4 }],
    });
    expect(await codeOf(made, receiver.url('/', 'receiver.test'))).toBe('answer 200');
    expect(asked).toBe(1);
    await receiver.close();
    receiver = new CallbackReceiver(authority);
    await receiver.listen();
    expect(await codeOf(made, receiver.url('/', 'receiver.test'))).toBe('addressRefused');
    expect(asked).toBe(2);
  });

  it('are asked for once by all who wait for the same name', async () => {
    let asked = 0;
    const made = client({
      resolve: async () => {
        asked++;
        return [{ address: '127.0.0.1', family: 4 }];
      },
    });
    const url = receiver.url('/', 'receiver.test');
    const answers = await Promise.all(Array.from({ length: 20 }, () => codeOf(made, url)));
    expect(new Set(answers)).toEqual(new Set(['answer 200']));
    expect(receiver.connections).toBeGreaterThan(1);
    expect(asked).toBeLessThan(receiver.connections);
  });

  it('are refused when they are of the program itself although the network is allowed', async () => {
    const listeners = () => [{ address: '0.0.0.0', port: receiver.port }];
    const made = client({ listeners, resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
    expect(await codeOf(made, receiver.url())).toBe('addressRefused');
    expect(await codeOf(made, receiver.url('/', 'receiver.test'))).toBe('addressRefused');
    expect(receiver.connections).toBe(0);
  });

  it('that do not exist are a value too', async () => {
    const failing = async () => {
      throw Object.assign(new Error('getaddrinfo ENOTFOUND nowhere.test'), { code: 'ENOTFOUND' });
    };
    expect(await codeOf(client({ resolve: failing }), 'https://nowhere.test/')).toBe('unreachable');
    expect(await codeOf(client({ resolve: async () => [] }), 'https://nowhere.test/')).toBe('unreachable');
  });
});

describe('an answer of a foreign server', () => {
  it.each([301, 302, 303, 307, 308])('a redirect with %i is not followed', async (status) => {
    receiver.answer = (received, response) => {
      if (received.url === '/there') response.end('{}');
      else response.writeHead(status, { Location: receiver.url('/there') }).end();
    };
    expect(await codeOf(client(), receiver.url('/here'))).toBe('redirectRefused');
    expect(receiver.received.map(({ url }) => url)).toEqual(['/here']);
  });

  it('is cut when it is larger than 256 KiB, announced or not', async () => {
    receiver.answer = (received, response) => {
      if (received.url === '/announced') response.setHeader('Content-Length', 300_000);
      response.write('x'.repeat(150_000));
      response.end('x'.repeat(150_000));
    };
    expect(await codeOf(client(), receiver.url('/announced'))).toBe('tooLarge');
    expect(await codeOf(client(), receiver.url('/chunked'))).toBe('tooLarge');
    receiver.answer = (_received, response) => response.end('x'.repeat(256 * 1024));
    expect(await codeOf(client(), receiver.url())).toBe('answer 200');
  });

  it('is not waited for longer than the timeout: no answer, and one that trickles', async () => {
    receiver.answer = () => undefined;
    expect(await codeOf(client(), receiver.url(), 80)).toBe('timeout');
    receiver.answer = (_received, response) => {
      const timer = setInterval(() => response.write('x'), 10);
      response.on('close', () => clearInterval(timer));
    };
    expect(await codeOf(client(), receiver.url(), 80)).toBe('timeout');
  });

  it('is not waited for when no server takes the connection', async () => {
    const silent = createTcpServer();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const open: { destroy(): void }[] = [];
    silent.on('connection', (socket) => open.push(socket));
    expect(await codeOf(client(), `https://127.0.0.1:${port}/`, 80)).toBe('timeout');
    for (const socket of open) socket.destroy();
    silent.close();
    await once(silent, 'close');
    expect(await codeOf(client(), `https://127.0.0.1:${port}/`)).toBe('unreachable');
  });

  it.each([
    ['100', (response: ServerResponse) => response.writeContinue()],
    [
      'three of 100',
      (response: ServerResponse) => {
        for (let i = 0; i < 3; i++) response.writeContinue();
      },
    ],
    ['102', (response: ServerResponse) => response.writeProcessing()],
    ['103', (response: ServerResponse) => response.writeEarlyHints({ link: '</a>; rel=preload' })],
  ])('behind interim answers counts, and the connection goes on: %s', async (_, interim) => {
    receiver.answer = (_request, response) => {
      interim(response);
      response.end('{"action":"drop"}');
    };
    const made = client();
    for (let i = 0; i < 3; i++)
      expect(await made.postJson(request(receiver.url()))).toMatchObject({
        ok: true,
        value: { status: 200, body: '{"action":"drop"}' },
      });
    expect(receiver.received).toHaveLength(3);
    expect(receiver.connections).toBeLessThan(3);
  });

  it('behind a 100 that comes byte by byte counts', async () => {
    receiver.answer = (_request, response, socket) => {
      const text = 'HTTP/1.1 100 Continue\r\nX-A: b\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';
      void (async () => {
        for (const sign of text) await new Promise<void>((done) => socket.write(sign, () => done()));
      })();
      response.detachSocket(socket);
    };
    expect(await client().postJson(request(receiver.url()))).toMatchObject({
      value: { status: 200, body: '{}' },
    });
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
    ['identity', (text: string) => Buffer.from(text)],
    ['gzip', (text: string) => Buffer.from(text)],
    ['deflate, gzip', (text: string) => gzipSync(deflateSync(text))],
  ] as const)('in Content-Encoding %s is decoded', async (encoding, pack) => {
    receiver.answer = (_request, response) => {
      response.writeHead(200, { 'Content-Encoding': encoding });
      response.end(pack('{"action":"drop"}'));
    };
    expect(await client().postJson(request(receiver.url()))).toMatchObject({
      value: { body: '{"action":"drop"}' },
    });
  });

  it.each([
    ['gzip', gzipSync(Buffer.alloc(50_000_000)), 'tooLarge'],
    ['br', brotliCompressSync(Buffer.alloc(5_000_000)), 'tooLarge'],
    ['gzip', Buffer.from('no gzip'), 'malformed'],
    ['lzma', Buffer.from('{}'), 'malformed'],
    ['gzip, gzip, gzip, gzip', gzipSync('{}'), 'malformed'],
  ])('in Content-Encoding %s that is no answer of use is refused', async (encoding, body, code) => {
    receiver.answer = (_request, response) => {
      response.writeHead(200, { 'Content-Encoding': encoding });
      response.end(body);
    };
    expect(await codeOf(client(), receiver.url())).toBe(code);
  });

  it('that breaks off is a lost connection', async () => {
    receiver.answer = (_received, _response, socket) => socket.destroy();
    expect(await codeOf(client(), receiver.url())).toBe('connectionLost');
  });

  it.each([
    ['HTTP/1.1 abc OK\r\n\r\n', 'malformed'],
    ['SSH-2.0-OpenSSH_9.2\r\n', 'malformed'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\nhello', 'malformed'],
    [`HTTP/1.1 200 OK\r\nX-Large: ${'x'.repeat(100_000)}\r\n\r\n`, 'malformed'],
  ])('%# that is not HTTP is a value', async (text, code) => {
    const server = createTlsServer({ ...authority }, (socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(text));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    expect(await codeOf(client(), `https://127.0.0.1:${(server.address() as AddressInfo).port}/`)).toBe(code);
    server.close();
    await once(server, 'close');
  });
});

describe('TLS', () => {
  it('older than 1.2 is refused', async () => {
    const old = new CallbackReceiver({
      ...authority,
      minVersion: 'TLSv1.1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    await old.listen();
    expect(await codeOf(client(), old.url())).toBe('unreachable');
    await old.close();
  });
});
