import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectSecure } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Listener, openEdgeListener, openPublicListener } from '#cloud/io/listener/index.ts';
import { openFolderAuthority } from '#test/support/installation/folder-authority.ts';
import { FROM_V4, FROM_V6, proxyHeader } from './proxy-bytes.ts';

const HOST = '127.0.0.1';
/** Another address of this machine that is no load balancer. */
const DIRECT = '127.0.0.2';
const REQUEST = 'GET / HTTP/1.1\r\nHost: cloud.example\r\nConnection: close\r\n\r\n';

const folder = mkdtempSync(join(tmpdir(), 'carillon-proxied-'));
const refused: { address: string; reason: string }[] = [];
const trust = {
  networks: [`${HOST}/32`, 'fd00::/8'],
  onRefused: (each: (typeof refused)[number]) => refused.push(each),
};
let authority: Awaited<ReturnType<typeof openFolderAuthority>>;
let plain: Listener;
let secure: Listener;

beforeAll(async () => {
  authority = await openFolderAuthority(folder, Date.now());
  plain = await openPublicListener({ host: '0.0.0.0', port: 0 }, undefined, trust);
  secure = await openEdgeListener(
    { host: '0.0.0.0', port: 0 },
    await authority.issueServer([HOST], Date.now()),
    20,
    trust,
  );
  for (const listener of [plain, secure])
    listener.serve(
      (_, env) => new Response((env as { incoming: { socket: Socket } }).incoming.socket.remoteAddress),
    );
});
afterAll(async () => {
  await Promise.all([plain.close(), secure.close()]);
  rmSync(folder, { recursive: true });
});

interface Caller {
  readonly from?: string;
  /** The bytes before everything else, in these pieces. */
  readonly pieces?: readonly Buffer[];
  readonly isSecure?: boolean;
}

/** The answer over a connection that begins like this. */
async function ask({ from = HOST, pieces = [], isSecure = false }: Caller): Promise<string> {
  const { port } = isSecure ? secure : plain;
  const raw = connect({ port, host: HOST, localAddress: from, noDelay: true });
  await new Promise((resolve) => raw.once('connect', resolve));
  for (const piece of pieces) {
    raw.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const stream = isSecure ? connectSecure({ socket: raw, rejectUnauthorized: false }) : raw;
  return await new Promise((resolve) => {
    let text = '';
    stream.on('data', (bytes) => {
      text += bytes;
    });
    stream.on('error', () => undefined).on('close', () => resolve(text));
    stream.write(REQUEST);
  });
}

describe('listeners behind a load balancer', () => {
  it.each([
    ['plain', false],
    ['TLS', true],
  ])('answer the address that the header names (%s)', async (_, isSecure) => {
    expect(await ask({ isSecure, pieces: [proxyHeader()] })).toMatch(/203\.0\.113\.7$/);
    const v6 = proxyHeader({ family: 0x21, rest: FROM_V6 });
    expect(await ask({ isSecure, pieces: [v6] })).toMatch(/2001:db8::7$/);
  });

  it.each([
    ['plain', false],
    ['TLS', true],
  ])('read a header that comes byte by byte (%s)', async (_, isSecure) => {
    const pieces = [...proxyHeader()].map((byte) => Buffer.from([byte]));
    expect(await ask({ isSecure, pieces })).toMatch(/203\.0\.113\.7$/);
  });

  it('take header and request in one piece', async () => {
    const [head, rest] = [REQUEST.slice(0, 20), REQUEST.slice(20)];
    const raw = connect(plain.port, HOST);
    raw.write(Buffer.concat([proxyHeader(), Buffer.from(head)]));
    const text = new Promise<string>((resolve) => {
      let all = '';
      raw.on('data', (bytes) => {
        all += bytes;
      });
      raw.on('close', () => resolve(all));
    });
    raw.write(rest);
    expect(await text).toMatch(/203\.0\.113\.7$/);
  });

  it('take a check of the load balancer for its own', async () => {
    const local = proxyHeader({ command: 0x20, family: 0, rest: Buffer.alloc(0) });
    expect(await ask({ pieces: [local] })).toMatch(/127\.0\.0\.1$/);
  });

  it.each([
    ['plain', false],
    ['TLS', true],
  ])('believe no header of others, and serve them without one (%s)', async (_, isSecure) => {
    expect(await ask({ isSecure, from: DIRECT })).toMatch(/127\.0\.0\.2$/);
    const lie = await ask({ isSecure, from: DIRECT, pieces: [proxyHeader({ rest: FROM_V4 })] });
    expect(lie).not.toMatch(/203\.0\.113\.7|200 OK/);
  });

  it.each([
    ['no header', [], /something else came in place/],
    ['version 1', [Buffer.from('PROXY TCP4 203.0.113.7 192.0.2.1 1 2\r\n')], /version 1/],
    ['half a header and then a request', [proxyHeader().subarray(0, 9)], /something else came in place/],
    ['a header without addresses', [proxyHeader({ rest: Buffer.alloc(3) })], /cut off/],
  ] as const)('close a connection of the load balancer with %s, and say why', async (_, pieces, reason) => {
    refused.length = 0;
    expect(await ask({ pieces })).toBe('');
    expect(refused).toEqual([{ address: HOST, reason: expect.stringMatching(reason) }]);
  });

  it('that leave serve on, and close a kept connection behind its answer', async () => {
    const own = await openPublicListener({ host: HOST, port: 0 }, undefined);
    own.serve(() => new Response('served'));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const kept = () =>
      new Promise<string | undefined>((resolve, reject) => {
        get({ host: HOST, port: own.port, agent }, (answer) => {
          answer.resume().on('end', () => resolve(answer.headers.connection));
        }).on('error', reject);
      });
    expect(await kept()).toBe('keep-alive');
    own.leave();
    expect([await kept(), await kept()]).toEqual(['close', 'close']);
    agent.destroy();
    await own.close();
  });

  it('close for good: no connection waits, and the port is free again', async () => {
    const own = await openPublicListener({ host: HOST, port: 0 }, undefined, trust);
    const open = connect(own.port, HOST);
    await new Promise((resolve) => open.once('connect', resolve));
    open.write(proxyHeader());
    const ended = new Promise((resolve) => open.once('close', resolve));
    open.on('error', () => undefined);
    await own.close();
    await ended;
    const again = await openPublicListener({ host: HOST, port: own.port }, undefined, trust);
    await again.close();
  });
});
