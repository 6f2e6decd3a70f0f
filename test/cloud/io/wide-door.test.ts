import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type Server } from 'node:net';
import { setImmediate as nextRound } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import { listenOnAnyAddress, type WildcardListener } from '#cloud/io/listener/index.ts';

const PLACE = { host: '127.0.0.1', port: 0 };
/** So many find a place to wait even at one socket. */
const GUESTS = 32;

/** Connects so many, says so by the memory it shares, and leaves when the memory says so. */
const CROWD = `
const { workerData: { port, guests, here }, parentPort } = require('node:worker_threads');
const { connect } = require('node:net');
const sockets = Array.from({ length: guests }, () => connect(port, '127.0.0.1', () => {
  if (Atomics.add(here, 0, 1) === guests - 1) Atomics.notify(here, 0);
}));
for (const socket of sockets) socket.on('error', () => {});
parentPort.once('message', () => { for (const socket of sockets) socket.destroy(); });
`;

const listeners: WildcardListener[] = [];
const opened = async (server: Server, port = 0): Promise<WildcardListener> => {
  const listener = await listenOnAnyAddress(server, { ...PLACE, port }, {});
  listeners.push(listener);
  return listener;
};
afterEach(async () => void (await Promise.all(listeners.splice(0).map((listener) => listener.close()))));

describe('a port with several listening sockets', () => {
  test('takes a crowd that waits in a few rounds of the loop', async () => {
    let came = 0;
    const { port } = await opened(createServer((socket) => socket.on('error', () => {}).resume() && came++));
    const here = new Int32Array(new SharedArrayBuffer(4));
    const crowd = new Worker(CROWD, { eval: true, workerData: { port, guests: GUESTS, here } });
    await once(crowd, 'online');
    // The thread stands still until all are connected, as the system sees it: none has been taken by us since.
    for (let looks = 0; Atomics.load(here, 0) < GUESTS && looks < 200; looks++)
      Atomics.wait(here, 0, Atomics.load(here, 0), 50);
    expect(here[0]).toBe(GUESTS);
    const before = came;
    let rounds = 0;
    for (; came < GUESTS; rounds++) await nextRound();
    expect((GUESTS - before) / rounds).toBeGreaterThan(2);
    crowd.postMessage('go');
    await once(crowd, 'exit');
  });

  test('is taken for the next one who asks, wide or not', async () => {
    const { port } = await opened(createServer());
    await expect(opened(createServer(), port)).rejects.toThrow('EADDRINUSE');
    const narrow = createServer().listen(port, PLACE.host);
    const [error] = await once(narrow, 'error');
    expect(error).toMatchObject({ code: 'EADDRINUSE' });
  });

  test('is free once it has closed', async () => {
    const listener = await opened(createServer((socket) => socket.end()));
    await listener.close();
    const [error] = await once(connect(listener.port, PLACE.host), 'error');
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    expect(await opened(createServer(), listener.port)).toMatchObject({ port: listener.port });
  });

  test('answers at each of its sockets', async () => {
    const server = createHttpServer((request, response) => response.end(request.url));
    const { port } = await opened(server);
    const asked = Array.from({ length: GUESTS }, (_, n) => `/${n}`);
    const answers = await Promise.all(
      asked.map(async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).text()),
    );
    expect(answers).toEqual(asked);
    server.closeAllConnections();
  });
});
