import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { TransportOptions } from '#appliance/io/sip-transport/index.ts';
import type { Flow } from '#appliance/sip/endpoint/index.ts';
import { closeAll, loopback, sip, until } from './loopback.ts';

const OK = 'SIP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n';
const servers: Server[] = [];
/** As long as a control frame may be (RFC 6455 5.5). */
const PING = 'p'.repeat(125);

afterEach(async () => {
  await closeAll();
  for (const listener of servers.splice(0)) await new Promise((resolve) => listener.close(resolve));
});

/** A plain HTTP listener in front of the transport: what the site's HTTPS listener does, without the certificate. */
async function site(
  options: Partial<TransportOptions> = {},
  onMessage?: (text: string) => string,
  inUse?: (flow: Flow) => boolean,
) {
  const here = await loopback(options, onMessage, inUse);
  const listener = createServer();
  listener.on('upgrade', (request, socket, head) => here.transport.upgrade({ request, socket, head }));
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  servers.push(listener);
  const address = listener.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { ...here, url: `ws://127.0.0.1:${port}/sip` };
}

async function phone(url: string, protocols: string | string[] = 'sip') {
  const socket = new WebSocket(url, protocols);
  const frames: { text: string; binary: boolean }[] = [];
  socket.on('message', (data, binary) => frames.push({ text: String(data), binary }));
  const closed = once(socket, 'close').then(([code]: number[]) => code);
  await once(socket, 'open');
  return { socket, frames, closed };
}

describe('a phone over WebSocket', () => {
  test('sends one message per frame, text or binary, and gets its answers over the same connection', async () => {
    const here = await site({}, () => OK);
    const there = await phone(here.url);
    expect(there.socket.protocol).toBe('sip');
    there.socket.send(sip('one'));
    there.socket.send(Buffer.from(sip('two')));
    await until('two answers', () => there.frames.length === 2);
    expect(here.messages.map(({ text, flow }) => [text, flow.transport, flow.reliable])).toEqual([
      [sip('one'), 'WS', true],
      [sip('two'), 'WS', true],
    ]);
    expect(there.frames).toEqual([
      { text: OK, binary: false },
      { text: OK, binary: false },
    ]);
    expect(here.messages[0]?.flow).toBe(here.messages[1]?.flow);
  });

  test('gets what is no UTF-8 in a binary frame', async () => {
    const here = await site();
    const there = await phone(here.url);
    there.socket.send(sip('hello'));
    await until('the message', () => here.messages.length === 1);
    const [{ flow }] = here.messages as [(typeof here.messages)[number]];
    here.transport.send(flow, Buffer.from([0xff, 0xfe]));
    await until('the frame', () => there.frames.length === 1);
    expect(there.frames[0]?.binary).toBe(true);
  });

  test('gets its line ends back, which are no message', async () => {
    const here = await site();
    const there = await phone(here.url);
    there.socket.send('\r\n\r\n');
    await until('the pong', () => there.frames.length === 1);
    expect(there.frames[0]?.text).toBe('\r\n');
    expect(here.messages).toEqual([]);
  });

  test('with another subprotocol, or none, learns what is missing', async () => {
    const here = await site();
    for (const protocols of [[], ['xmpp']]) {
      const socket = new WebSocket(here.url, protocols);
      const [, answer] = await once(socket, 'unexpected-response');
      let text = '';
      for await (const chunk of answer) text += chunk;
      expect(answer.statusCode).toBe(400);
      expect(text).toContain('subprotocol "sip"');
    }
  });

  test('may choose sip among several', async () => {
    const here = await site();
    expect((await phone(here.url, ['xmpp', 'sip'])).socket.protocol).toBe('sip');
  });
});

describe('limits', () => {
  test('a frame longer than a message may be closes the connection (1009)', async () => {
    const here = await site({ limits: { headerBytes: 1_000, bodyBytes: 1_000 } });
    const there = await phone(here.url);
    there.socket.send('x'.repeat(2_001));
    expect(await there.closed).toBe(1009);
    await until('told', () => here.closed.length === 1);
    expect(here.messages).toEqual([]);
  });

  test('a message in fragments without end closes the connection (1009), however small each is', async () => {
    const here = await site({ limits: { headerBytes: 1_000, bodyBytes: 1_000 } });
    const there = await phone(here.url);
    for (let n = 0; n < 2_001; n++) there.socket.send('x', { fin: false });
    expect(await there.closed).toBe(1009);
    expect(here.messages).toEqual([]);
  });

  test('fragments that never become a message keep no connection', async () => {
    const here = await site({ limits: { idleMs: 100, sweepMs: 10 } });
    const there = await phone(here.url);
    const drip = setInterval(() => there.socket.send('', { fin: false }), 5);
    expect(await there.closed).toBe(1000);
    clearInterval(drip);
    await until('told', () => here.closed.length === 1);
    expect(here.closed[0]?.reason).toBe('idle');
  });

  test('pings whose answers are not read close the connection before they fill the memory', async () => {
    const here = await site();
    const there = await phone(here.url);
    there.socket.pause();
    there.socket.on('error', () => undefined);
    // A hundred megabytes of answers: the kernel keeps only a few of them.
    for (let n = 0; n < 800_000 && here.closed.length === 0; n++) {
      there.socket.ping(PING);
      if (n % 2_000 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await until('cut off', () => here.closed.length === 1);
    there.socket.terminate();
  });

  test('connections of one source are counted together with all others', async () => {
    const here = await site({ limits: { connectionsPerSource: 1 } });
    await phone(here.url);
    const second = new WebSocket(here.url, 'sip');
    await once(second, 'error');
    expect(here.events).toContainEqual({ kind: 'refused', remoteAddress: '127.0.0.1', limit: 'source' });
  });

  test('a phone that is lost without a word is found by an unanswered ping', async () => {
    const here = await site({ limits: { webSocketPingMs: 20, webSocketPongMs: 20, sweepMs: 10 } });
    const there = await phone(here.url);
    // Answers are the library's; without reading there are none.
    there.socket.pause();
    await until('gone', () => here.closed.length === 1);
    expect(here.closed[0]?.reason).toBe('idle');
    there.socket.terminate();
  });

  test('a phone that answers pings stays', async () => {
    const here = await site({ limits: { webSocketPingMs: 10, webSocketPongMs: 1_000, sweepMs: 5 } });
    const there = await phone(here.url);
    let pings = 0;
    there.socket.on('ping', () => pings++);
    await until('three pings', () => pings >= 3);
    expect(here.closed).toEqual([]);
  });

  test('silence closes a connection that is in use no more', async () => {
    let asked = 0;
    const here = await site({ limits: { idleMs: 30, sweepMs: 5 } }, undefined, () => ++asked < 3);
    const calling = await phone(here.url);
    expect(await calling.closed).toBe(1000);
    expect(asked).toBe(3);
  });

  test('the end of the transport closes politely', async () => {
    const here = await site();
    const there = await phone(here.url);
    await here.transport.close();
    expect(await there.closed).toBe(1001);
  });
});
