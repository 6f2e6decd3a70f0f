import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { openLibc } from '#appliance/io/libc/index.ts';
import { Descriptors, openRtpPair, type RtpNetwork, type RtpSocket } from '#appliance/io/rtp-socket/index.ts';
import { nodeNetwork } from '#appliance/io/rtp-socket/node-network.ts';
import { SystemNetwork } from '#appliance/io/rtp-socket/system-network.ts';

/** The same of both networks: what a leg sees must not depend on where its sockets come from. */

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const system = async (descriptors = new Descriptors(64)): Promise<RtpNetwork> => {
  const libc = await openLibc((reason) => {
    throw new Error(reason);
  });
  const network = libc && SystemNetwork.open(libc, descriptors);
  if (network === undefined) throw new Error('no network');
  closing.push(() => network.close());
  return network;
};

const NETWORKS = [
  { title: 'of the kernel', network: system },
  { title: 'of Node', network: async () => nodeNetwork },
] as const;

describe.each(NETWORKS)('sockets $title', ({ network }) => {
  test.each([
    { host: '127.0.0.1', family: 4 },
    { host: '::1', family: 6 },
  ] as const)('carry datagrams in both directions at $host', async ({ host, family }) => {
    const [peer, peerPort] = await telephone(host);
    const socket = await opened(await network(), host, family);
    const received = nextOf(peer);
    socket.send(Buffer.from('hello'), host, peerPort);
    const { bytes, port } = await received;
    expect(bytes.toString()).toBe('hello');
    const answer = arriving(socket, 1);
    peer.send('back', port, host);
    expect(await answer).toEqual([{ text: 'back', host, port: peerPort }]);
  });

  test('name each source by its own address, one after the other', async () => {
    const socket = await opened(await network(), '127.0.0.1', 4);
    const own = await portOf(socket);
    const [first, firstPort] = await telephone('127.0.0.2');
    const [second, secondPort] = await telephone('127.0.0.3');
    const all = arriving(socket, 3);
    for (const [from, text] of [
      [first, 'a'],
      [second, 'b'],
      [first, 'c'],
    ] as const)
      await new Promise<void>((sent) => from.send(text, own, '127.0.0.1', () => sent()));
    expect(await all).toEqual([
      { text: 'a', host: '127.0.0.2', port: firstPort },
      { text: 'b', host: '127.0.0.3', port: secondPort },
      { text: 'c', host: '127.0.0.2', port: firstPort },
    ]);
  });

  test('send to one after the other, and nowhere where the address is none', async () => {
    const [first, firstPort] = await telephone('127.0.0.2');
    const [second, secondPort] = await telephone('127.0.0.3');
    const socket = await opened(await network(), '127.0.0.1', 4);
    const [one, two] = [nextOf(first), nextOf(second)];
    socket.send(Buffer.from('1'), '127.0.0.2', firstPort);
    if (socket.constructor.name === 'SystemSocket') socket.send(Buffer.from('x'), 'nowhere', 9);
    socket.send(Buffer.from('2'), '127.0.0.3', secondPort);
    expect([(await one).bytes.toString(), (await two).bytes.toString()]).toEqual(['1', '2']);
  });

  test('hand out all of a burst, in its order', async () => {
    const [peer] = await telephone('127.0.0.1');
    const socket = await opened(await network(), '127.0.0.1', 4);
    const own = await portOf(socket);
    const all = arriving(socket, 100);
    for (let i = 0; i < 100; i++) peer.send(`${i}`, own, '127.0.0.1');
    expect((await all).map(({ text }) => Number(text))).toEqual(Array.from({ length: 100 }, (_, i) => i));
  });

  test('say when a port is taken', async () => {
    const [, port] = await telephone('127.0.0.1');
    const found = await (await network()).open('127.0.0.1', 4, port);
    expect(found).toMatchObject({ ok: false, error: { code: 'PortTaken' } });
    expect(!found.ok && found.error.reason).toContain(`No RTP socket at 127.0.0.1 port ${port}: `);
  });

  test('say when an address is not ours', async () => {
    const found = await (await network()).open('192.0.2.1', 4, 0);
    expect(found).toMatchObject({ ok: false, error: { code: 'NoSocket' } });
    expect(!found.ok && found.error.reason).toMatch(/EADDRNOTAVAIL/);
  });

  test('give a pair back when its second port is taken', async () => {
    const even = await evenPair();
    const [taken] = await telephone('127.0.0.1', even + 1);
    const networkOf = await network();
    expect(await openRtpPair(networkOf, '127.0.0.1', 4, even)).toMatchObject({
      ok: false,
      error: { code: 'PortTaken' },
    });
    await ended(taken);
    const found = await openRtpPair(networkOf, '127.0.0.1', 4, even);
    expect(found.ok).toBe(true);
    if (found.ok)
      closing.push(
        () => found.value.rtp.close(),
        () => found.value.rtcp.close(),
      );
  });

  test('may be closed by what they hand out', async () => {
    const [peer] = await telephone('127.0.0.1');
    const socket = await opened(await network(), '127.0.0.1', 4);
    const own = await portOf(socket);
    let received = 0;
    const first = new Promise<void>((resolve) => {
      socket.deliverTo(() => {
        received++;
        socket.close();
        resolve();
      });
    });
    for (let i = 0; i < 5; i++) peer.send('x', own, '127.0.0.1');
    await first;
    socket.send(Buffer.from('too late'), '127.0.0.1', own);
    expect(received).toBe(1);
  });
});

describe('sockets of the kernel', () => {
  test('are not handed a datagram cut short', async () => {
    const [peer] = await telephone('127.0.0.1');
    const socket = await opened(await system(), '127.0.0.1', 4);
    const own = await portOf(socket);
    const all = arriving(socket, 2);
    peer.send(Buffer.alloc(2_048, 'a'), own, '127.0.0.1');
    peer.send(Buffer.alloc(2_049, 'b'), own, '127.0.0.1');
    peer.send('c', own, '127.0.0.1');
    expect((await all).map(({ text }) => text.length)).toEqual([2_048, 1]);
  });

  test('are read at once by who asks', async () => {
    const [peer] = await telephone('127.0.0.1');
    const network = await system();
    const socket = await opened(network, '127.0.0.1', 4);
    const own = await portOf(socket);
    const received: string[] = [];
    socket.deliverTo((bytes) => received.push(Buffer.from(bytes).toString()));
    await new Promise<void>((sent) => peer.send('x', own, '127.0.0.1', () => sent()));
    network.read?.();
    expect(received).toEqual(['x']);
  });

  test('report the zone of a link-local source as a name', async () => {
    const { readSocketAddress, writeSocketAddress, ADDRESS_BYTES } = await import(
      '#appliance/io/libc/index.ts'
    );
    const libc = await openLibc();
    if (libc === undefined) throw new Error('no libc');
    const bytes = new Uint8Array(ADDRESS_BYTES);
    expect(writeSocketAddress(libc, 6, { host: 'fe80::1%lo', port: 5060 }, bytes)).toBe(28);
    expect(readSocketAddress(libc, bytes)).toEqual({ host: 'fe80::1%lo', port: 5060 });
    expect(writeSocketAddress(libc, 6, { host: '127.0.0.1', port: 5060 }, bytes)).toBe(0);
    expect(writeSocketAddress(libc, 4, { host: '::1', port: 5060 }, bytes)).toBe(0);
  });

  test('leave nothing open, neither closed nor left behind', async () => {
    const before = readdirSync('/proc/self/fd').length;
    const descriptors = new Descriptors(8);
    const libc = await openLibc();
    const network = libc && SystemNetwork.open(libc, descriptors);
    if (network === undefined) throw new Error('no network');
    const pair = await openRtpPair(network, '127.0.0.1', 4, await evenPair());
    if (!pair.ok) throw new Error(pair.error.reason);
    expect(readdirSync('/proc/self/fd')).toHaveLength(before + 3);
    pair.value.rtp.close();
    pair.value.rtp.close();
    expect(readdirSync('/proc/self/fd')).toHaveLength(before + 2);
    // As when its thread ended here: another one closes the rest.
    expect(new Descriptors(descriptors.memory).closeAll()).toBe(2);
    expect(readdirSync('/proc/self/fd')).toHaveLength(before);
    expect(new Descriptors(descriptors.memory).closeAll()).toBe(0);
  });

  test('are no more than were agreed', async () => {
    const network = await system(new Descriptors(2));
    await opened(network, '127.0.0.1', 4);
    expect(await network.open('127.0.0.1', 4, 0)).toMatchObject({ ok: false, error: { code: 'NoSocket' } });
  });
});

interface Arrived {
  readonly text: string;
  readonly host: string;
  readonly port: number;
}

async function opened(network: RtpNetwork, host: string, family: 4 | 6): Promise<RtpSocket> {
  const found = await network.open(host, family, 0);
  if (!found.ok) throw new Error(found.error.reason);
  closing.push(() => found.value.close());
  return found.value;
}

/** The port of a socket that was given any: its datagram to a peer shows it. */
async function portOf(socket: RtpSocket): Promise<number> {
  const [peer, port] = await telephone('127.0.0.1');
  const received = nextOf(peer);
  socket.send(Buffer.from('?'), '127.0.0.1', port);
  return (await received).port;
}

function arriving(socket: RtpSocket, count: number): Promise<Arrived[]> {
  return new Promise((resolve) => {
    const all: Arrived[] = [];
    socket.deliverTo((bytes, host, port, nowMs) => {
      expect(Math.abs(performance.now() - nowMs)).toBeLessThan(60_000);
      all.push({ text: Buffer.from(bytes).toString(), host, port });
      if (all.length === count) resolve(all);
    });
  });
}

async function telephone(host: string, port = 0): Promise<[Socket, number]> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  socket.bind(port, host);
  await once(socket, 'listening');
  closing.push(() => ended(socket));
  return [socket, socket.address().port];
}

const lost = new WeakSet<Socket>();
async function ended(socket: Socket): Promise<void> {
  if (lost.has(socket)) return;
  lost.add(socket);
  const closed = once(socket, 'close');
  socket.close();
  await closed;
}

async function nextOf(socket: Socket): Promise<{ bytes: Buffer; port: number }> {
  const [bytes, from] = (await once(socket, 'message')) as [Buffer, { port: number }];
  return { bytes, port: from.port };
}

/** An even port that was free with the one above a moment ago. */
async function evenPair(): Promise<number> {
  for (;;) {
    const [socket, port] = await telephone('127.0.0.1');
    const even = port - (port % 2);
    if (even !== port) {
      await ended(socket);
      continue;
    }
    const above = createSocket('udp4');
    above.bind(even + 1, '127.0.0.1');
    const isFree = await Promise.race([
      once(above, 'listening').then(() => true),
      once(above, 'error').then(() => false),
    ]);
    above.close();
    await ended(socket);
    if (isFree) return even;
  }
}
