import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { Aedes } from 'aedes';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openMqtt } from '#appliance/io/mqtt/index.ts';
import type { BrokerAddress } from '#appliance/site/index.ts';
import { openFolderAuthority } from '#test/support/installation/folder-authority.ts';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function authority() {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-authority-'));
  closers.push(async () => rmSync(folder, { recursive: true }));
  return await openFolderAuthority(folder, Date.now());
}

async function broker(
  authenticate?: (password: string | undefined) => boolean,
  tls?: { readonly cert: string; readonly key: string },
) {
  const aedes = await Aedes.createBroker();
  if (authenticate) {
    aedes.authenticate = (_client, _user, password, done) => done(null, authenticate(password?.toString()));
  }
  const server: Server = tls === undefined ? createServer(aedes.handle) : createTlsServer(tls, aedes.handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  closers.push(async () => {
    await new Promise<void>((resolve) => aedes.close(() => resolve()));
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return { aedes, url: `${tls === undefined ? 'mqtt' : 'mqtts'}://127.0.0.1:${address.port}` };
}

/** Opens a connection and turns its callbacks into promises. */
function opened(
  url: string,
  password?: string,
  { tls, trust }: { readonly tls: BrokerAddress['tls']; readonly trust?: string } = { tls: undefined },
) {
  const messages: string[] = [];
  let connection: ReturnType<typeof openMqtt> | undefined;
  let arrived = (_topic: string): void => {};
  const message = new Promise<string>((resolve) => {
    arrived = resolve;
  });
  let lostBecause = (_reason: string): void => {};
  const lost = new Promise<string>((resolve) => {
    lostBecause = resolve;
  });
  const open = new Promise<void>((resolve) => {
    connection = openMqtt(
      {
        url,
        uid: 'host1',
        password,
        tls,
        will: { topic: 'up/state', payload: '{"st":"off"}' },
      },
      {
        opened: resolve,
        message: (topic, payload) => {
          messages.push(`${topic} ${payload}`);
          arrived(topic);
        },
        lost: (reason) => lostBecause(reason),
      },
      trust,
    );
  });
  if (connection === undefined) throw new Error('not made');
  return { connection, open, lost, message, messages };
}

describe('openMqtt', () => {
  it('publishes, subscribes and takes its will back when it ends', async () => {
    const { aedes, url } = await broker();
    const wills: string[] = [];
    aedes.on('publish', (packet) => {
      if (packet.topic === 'up/state') wills.push(packet.payload.toString());
    });
    const host = opened(url);
    await host.open;
    await host.connection.subscribe('dn/twin');
    await host.connection.publish('dn/twin', 'hello', { qos: 1 });
    await host.message;
    expect(host.messages).toEqual(['dn/twin hello']);
    await host.connection.end();
    expect(wills).toEqual([]);
  });

  it('sends its packets at once, behind one that is not acknowledged yet', async () => {
    const { url } = await broker();
    const set = vi.spyOn(Socket.prototype, 'setNoDelay');
    closers.push(async () => set.mockRestore());
    const host = opened(url);
    await host.open;
    const { port } = new URL(url);
    const sockets = set.mock.contexts as readonly Socket[];
    const own = sockets.filter(({ remotePort }) => String(remotePort) === port);
    expect([own.length, set.mock.calls.flat()]).toEqual([1, [true]]);
    await host.connection.end();
  });

  it('leaves its will when the connection breaks, and says so once', async () => {
    const { aedes, url } = await broker();
    const will = new Promise<string>((resolve) => {
      aedes.on('publish', (packet) => {
        if (packet.topic === 'up/state') resolve(`${packet.payload} ${packet.retain}`);
      });
    });
    const host = opened(url);
    const client = new Promise<{ conn: { destroy(): void } }>((resolve) => {
      aedes.on('clientReady', (each) => resolve(each as unknown as { conn: { destroy(): void } }));
    });
    await host.open;
    (await client).conn.destroy();
    expect(await host.lost).toBe('the broker closed the connection');
    expect(await will).toBe('{"st":"off"} true');
    await expect(host.connection.publish('x', 'y', { qos: 1 })).rejects.toThrow();
  });

  it('reports a refused password and a closed port as lost', async () => {
    const { url } = await broker((password) => password === 'right');
    const refused = opened(url, 'wrong');
    expect(await refused.lost).toMatch(/not authori[sz]ed|refused/i);
    const unreachable = opened('mqtt://127.0.0.1:9');
    expect(await unreachable.lost).toMatch(/ECONNREFUSED/);
  });

  it('trusts a broker of another authority by CARILLON_TRUST alone, and says why not', async () => {
    const platform = await authority();
    const foreign = await authority();
    const host = await platform.issueOwner('host1', Date.now());
    const tls = { ...host, ca: platform.ca };
    const { cert, key } = await foreign.issueServer(['127.0.0.1'], Date.now());
    const { url } = await broker(undefined, { cert, key });
    const refused = opened(url, undefined, { tls });
    expect(await refused.lost).toMatch(/certificate/);
    const trusted = opened(url, undefined, { tls, trust: foreign.ca });
    await trusted.open;
    await trusted.connection.end();
    const withToken = opened(url, 'token', { tls: undefined, trust: foreign.ca });
    await withToken.open;
    await withToken.connection.end();
  });
});
