import { once } from 'node:events';
import { createRequire } from 'node:module';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { type Listener, openPublicListener } from '#cloud/io/listener/index.ts';

/** Node's own table of parsers that no connection uses. */
const { parsers } = createRequire(import.meta.url)('_http_common') as {
  readonly parsers: { readonly list: readonly unknown[] };
};

const CONNECTIONS = 120;
let listener: Listener | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await listener?.close();
});

it('the parsers of connections that have ended are given back, but for a few', async () => {
  listener = await openPublicListener({ host: '127.0.0.1', port: 0 }, undefined);
  const { port } = listener;
  const ends: Promise<unknown>[] = [];
  for (let each = 0; each < CONNECTIONS; each++) {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    expect(String(bytes)).toContain('503');
    ends.push(once(socket, 'close'));
  }
  for (const socket of sockets) socket.end();
  await Promise.all(ends);
  // The server's ends close a moment after ours, one more request comes behind them.
  await listener.close();
  expect(parsers.list.length).toBeGreaterThan(0);
  expect(parsers.list.length).toBeLessThanOrEqual(32);
});
