import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { Flow } from '#appliance/sip/endpoint/index.ts';
import { afterwards, client, closeAll, loopback, sip, until } from './loopback.ts';

afterEach(closeAll);

const tcp = [{ host: '127.0.0.1', port: 0 }];
const OK = 'SIP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n';

describe('messages', () => {
  test('two in one segment, one in three: each arrives whole, answers go back over the connection', async () => {
    const here = await loopback({ tcp }, () => OK);
    const there = await client(here.port('TCP'));
    there.socket.write(sip('MESSAGE', 'one') + sip('MESSAGE', 'two'));
    await until('two answers', () => there.read() === OK + OK);
    const third = sip('MESSAGE', 'three');
    for (const part of [third.slice(0, 9), third.slice(9, -2), third.slice(-2)]) {
      there.socket.write(part);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until('the third', () => here.messages.length === 3);
    expect(here.messages.map((message) => message.text)).toEqual([
      sip('MESSAGE', 'one'),
      sip('MESSAGE', 'two'),
      third,
    ]);
    expect(here.messages[0]?.flow).toMatchObject({ transport: 'TCP', reliable: true, connection: 1 });
    there.socket.destroy();
    await until('the end', () => here.closed.length === 1);
    expect(here.closed[0]).toMatchObject({ reason: 'peer', flow: { connection: 1 } });
  });

  test('CRLF CRLF is answered by CRLF and delivers nothing', async () => {
    const here = await loopback({ tcp });
    const there = await client(here.port('TCP'));
    there.socket.write('\r\n\r\n');
    await until('the pong', () => there.read() === '\r\n');
    expect(here.messages).toHaveLength(0);
  });

  test('IPv6', async () => {
    const here = await loopback({ tcp: [{ host: '::1', port: 0 }] }, () => OK);
    const there = await client(here.port('TCP'), '::1');
    there.socket.write(sip('OPTIONS'));
    await until('the answer', () => there.read() === OK);
    expect(here.messages[0]?.flow.remoteAddress).toBe('::1');
  });
});

describe('a refused connection', () => {
  test('a wrong length is answered and then closed', async () => {
    const here = await loopback(
      { tcp, limits: { sweepMs: 10 } },
      () => 'SIP/2.0 400 Bad Content-Length\r\n\r\n',
    );
    const there = await client(here.port('TCP'));
    there.socket.write('MESSAGE sip:scaip@a.test SIP/2.0\r\nContent-Length: -999\r\n\r\nabc');
    await once(there.socket, 'end');
    expect(there.read()).toBe('SIP/2.0 400 Bad Content-Length\r\n\r\n');
    await until('the end', () => here.closed.length === 1);
    expect(here.closed[0]?.reason).toBe('contentLength');
  });

  test.each([
    ['no SIP', 'GET / HTTP/1.1\r\nHost: a.test\r\n\r\n', 'notSip'],
    [
      'header fields without end',
      `${sip('MESSAGE').slice(0, -2)}${'X: 1\r\n'.repeat(12_000)}`,
      'headerTooLarge',
    ],
  ])('%s is closed at once', async (_name, text, reason) => {
    const here = await loopback({ tcp });
    const there = await client(here.port('TCP'));
    there.socket.write(text);
    await until('the end', () => here.closed.length === 1);
    expect(here.closed[0]?.reason).toBe(reason);
    expect(here.messages).toHaveLength(0);
  });

  test('a body above the limit is answered by its header section and then closed', async () => {
    const here = await loopback(
      { tcp, limits: { sweepMs: 10, bodyBytes: 100 } },
      () => 'SIP/2.0 413 Too Large\r\n\r\n',
    );
    const there = await client(here.port('TCP'));
    const oversize = sip('MESSAGE', 'x'.repeat(101));
    there.socket.write(oversize);
    await once(there.socket, 'end');
    expect(there.read()).toBe('SIP/2.0 413 Too Large\r\n\r\n');
    expect(here.messages.map((message) => message.text)).toEqual([oversize.slice(0, -101)]);
    await until('the end', () => here.closed[0]?.reason === 'bodyTooLarge');
  });

  test('a reset in the middle of a message ends that connection', async () => {
    const here = await loopback({ tcp });
    const there = await client(here.port('TCP'));
    there.socket.write(sip('MESSAGE').slice(0, 20), () => there.socket.resetAndDestroy());
    await until('the end', () => here.closed.length === 1);
    expect(here.closed[0]?.reason).toBe('peer');
  });

  test('a half message is closed at its deadline, and dripping does not extend it', async () => {
    const here = await loopback({ tcp, limits: { halfMessageMs: 150, sweepMs: 10 } });
    const there = await client(here.port('TCP'));
    const begun = performance.now();
    const drip = setInterval(() => there.socket.write('X'), 10);
    there.socket.write('MESSAGE sip:scaip@a.test SIP/2.0\r\nX: ');
    await until('the end', () => here.closed.length === 1);
    clearInterval(drip);
    expect(here.closed[0]?.reason).toBe('halfMessageTimeout');
    expect(performance.now() - begun).toBeGreaterThan(140);
  });

  test('a peer that has ended its half gets what it asked for, and no longer than until then', async () => {
    const here = await loopback({ tcp, limits: { sweepMs: 10, closeMs: 60_000 } });
    const { socket, read } = await client(here.port('TCP'));
    const ended = once(socket, 'end');
    socket.end(sip('MESSAGE', 'one') + sip('MESSAGE', 'two'));
    await until('both', () => here.messages.length === 2);
    const [{ flow } = { flow: undefined }] = here.messages;
    if (flow === undefined) throw new Error('no flow');
    await afterwards(here, here.port('TCP'));
    for (const text of ['SIP/2.0 100 Trying\r\n\r\n', OK]) {
      here.transport.send(flow, Buffer.from(text));
      await until('what was sent', () => read().endsWith(text));
      expect(here.closed).toEqual([]);
    }
    here.transport.send(flow, Buffer.from(OK));
    await ended;
    await until('the end', () => here.closed.length === 1);
    expect(here.closed[0]?.reason).toBe('peer');
    expect(here.transport.send(flow, Buffer.from(OK))).toMatchObject({ ok: false });
  });

  test('a peer that has ended its half and is never answered is closed after the closing time', async () => {
    const here = await loopback({ tcp, limits: { sweepMs: 10, closeMs: 100 } });
    const { socket } = await client(here.port('TCP'));
    socket.end(sip('MESSAGE'));
    await until('the end', () => here.closed.length === 1);
    expect(here.closed[0]?.reason).toBe('peer');
  });

  test('a peer that ends with nothing left to answer is closed at once, also when it owed us an answer', async () => {
    const here = await loopback({ tcp, limits: { closeMs: 60_000 } }, () => OK);
    const { socket, read } = await client(here.port('TCP'));
    socket.write(sip('MESSAGE'));
    await until('the answer', () => read() === OK);
    socket.end(`${OK}${sip('ACK')}`);
    await until('the end', () => here.closed.length === 1);
  });

  test('an idle connection is closed, one that is in use stays as long as that', async () => {
    const asked: Flow[] = [];
    const uses = new Set([1, 2, 3]);
    const here = await loopback({ tcp, limits: { idleMs: 30, sweepMs: 5 } }, undefined, (flow) => {
      asked.push(flow);
      return uses.delete(asked.length);
    });
    await client(here.port('TCP'));
    await until('the end', () => here.closed.length === 1);
    expect(here.closed[0]?.reason).toBe('idle');
    // Asked once for each time of silence, not with each look.
    expect(asked).toHaveLength(4);
    expect(new Set(asked.map(({ connection }) => connection)).size).toBe(1);
  });

  test('a peer that does not read is cut when its queue is full', async () => {
    const here = await loopback({ tcp, limits: { writeQueueBytes: 100_000 } });
    const there = await client(here.port('TCP'));
    there.socket.write(sip('OPTIONS'));
    await until('the flow', () => here.messages.length === 1);
    there.socket.pause();
    const flow = here.messages[0]?.flow;
    if (flow === undefined) throw new Error('no flow');
    const big = Buffer.alloc(50_000, 'x');
    let sent = here.transport.send(flow, big);
    for (let i = 0; i < 1_000 && sent.ok; i++) {
      sent = here.transport.send(flow, big);
      if (i % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(sent).toMatchObject({ ok: false, error: { code: 'Congested' } });
    await until('the end', () => here.closed.length === 1);
    expect(here.closed[0]?.reason).toBe('congested');
    there.socket.destroy();
  });

  test('as many of 1,000 connections from one source live as the limit says, and places come back', async () => {
    const here = await loopback({ tcp, limits: { connectionsPerSource: 100 } }, () => OK);
    const all = await Promise.all(Array.from({ length: 1_000 }, () => client(here.port('TCP'))));
    await until('900 refusals', () => here.events.filter((event) => event.kind === 'refused').length === 900);
    for (const { socket } of all) socket.write(sip('OPTIONS'));
    await until('100 answers', () => all.filter((one) => one.read() === OK).length === 100);
    expect(here.messages).toHaveLength(100);
    for (const { socket } of all) socket.destroy();
    await until('the ends', () => here.closed.length === 100);
    const next = await client(here.port('TCP'));
    next.socket.write(sip('OPTIONS'));
    await until('the answer', () => next.read() === OK);
  });

  test('the total is limited too', async () => {
    const here = await loopback({ tcp, limits: { connections: 1 } });
    await client(here.port('TCP'));
    await client(here.port('TCP'));
    await until('the refusal', () =>
      here.events.some((event) => event.kind === 'refused' && event.limit === 'total'),
    );
  });
});

describe('connections of our own', () => {
  test('one per target, used again, carrying answers in both directions', async () => {
    const there = await loopback({ tcp }, () => OK);
    const here = await loopback({});
    const first = await here.transport.connect('TCP', '127.0.0.1', there.port('TCP'));
    const second = await here.transport.connect('TCP', '127.0.0.1', there.port('TCP'));
    if (!first.ok || !second.ok) throw new Error('not connected');
    expect(second.value).toBe(first.value);
    expect(here.transport.send(first.value, Buffer.from(sip('MESSAGE'))).ok).toBe(true);
    await until('the answer', () => here.messages[0]?.text === OK);
  });

  test('two callers at the same time share the attempt', async () => {
    const there = await loopback({ tcp });
    const here = await loopback({});
    const both = await Promise.all(
      [1, 2].map(() => here.transport.connect('TCP', '127.0.0.1', there.port('TCP'))),
    );
    expect(both[0]?.ok && both[1]?.ok && both[0].value === both[1].value).toBe(true);
  });

  test('a connection that ended is opened again by the next message', async () => {
    const there = await loopback({ tcp, limits: { idleMs: 30, sweepMs: 10 } });
    const here = await loopback({});
    const flow = await here.transport.connect('TCP', '127.0.0.1', there.port('TCP'));
    if (!flow.ok) throw new Error(flow.error.reason);
    await until('the end', () => here.closed.length === 1);
    expect(here.transport.send(flow.value, Buffer.from(sip('MESSAGE', 'late'))).ok).toBe(true);
    await until('the message', () => there.messages.length === 1);
    expect(there.messages[0]?.text).toBe(sip('MESSAGE', 'late'));
  });

  test('and when that cannot be, the sink hears of it', async () => {
    const server = createServer((socket) => socket.destroy());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const here = await loopback({});
    const flow = await here.transport.connect('TCP', '127.0.0.1', port);
    if (!flow.ok) throw new Error(flow.error.reason);
    server.close();
    await until('the end', () => here.closed.length === 1);
    here.transport.send(flow.value, Buffer.from(sip('MESSAGE')));
    await until('the failure', () => here.failed.length === 1);
    expect(here.failed[0]?.failure.code).toBe('Unreachable');
  });

  test('a connection the peer had opened is not opened by us', async () => {
    const here = await loopback({ tcp });
    const there = await client(here.port('TCP'));
    there.socket.write(sip('OPTIONS'));
    await until('the message', () => here.messages.length === 1);
    there.socket.destroy();
    await until('the end', () => here.closed.length === 1);
    const flow = here.messages[0]?.flow;
    if (flow === undefined) throw new Error('no flow');
    expect(here.transport.send(flow, Buffer.from(OK))).toMatchObject({
      ok: false,
      error: { code: 'Unreachable' },
    });
  });

  test('no listener', async () => {
    const here = await loopback({ tcp });
    const port = here.port('TCP');
    await here.transport.close();
    const other = await loopback({});
    const refused = await other.transport.connect('TCP', '127.0.0.1', port);
    expect(refused).toMatchObject({ ok: false, error: { code: 'Unreachable' } });
    expect(await here.transport.connect('TCP', '127.0.0.1', port)).toMatchObject({
      ok: false,
      error: { code: 'Closed' },
    });
  });
});
