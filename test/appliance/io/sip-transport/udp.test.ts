import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { closeAll, loopback, sip, until } from './loopback.ts';

const peers: Socket[] = [];

afterEach(async () => {
  for (const peer of peers.splice(0)) peer.close();
  await closeAll();
});

async function peer(type: 'udp4' | 'udp6' = 'udp4'): Promise<{ socket: Socket; read: Buffer[] }> {
  const socket = createSocket(type);
  const read: Buffer[] = [];
  socket.on('message', (bytes) => read.push(bytes));
  socket.bind(0, type === 'udp4' ? '127.0.0.1' : '::1');
  await once(socket, 'listening');
  peers.push(socket);
  return { socket, read };
}

describe('datagrams', () => {
  test('a message comes in with its flow, the answer goes back to where it came from', async () => {
    const here = await loopback({ udp: [{ host: '127.0.0.1', port: 0 }] }, () => 'SIP/2.0 200 OK\r\n\r\n');
    const there = await peer();
    there.socket.send(sip('MESSAGE', 'alarm'), here.port('UDP'), '127.0.0.1');
    await until('the answer', () => there.read.length === 1);
    expect(here.messages[0]?.text).toBe(sip('MESSAGE', 'alarm'));
    expect(here.messages[0]?.flow).toEqual({
      transport: 'UDP',
      reliable: false,
      localAddress: '127.0.0.1',
      localPort: here.port('UDP'),
      remoteAddress: '127.0.0.1',
      remotePort: there.socket.address().port,
      connection: 0,
    });
    expect(there.read[0]?.toString()).toBe('SIP/2.0 200 OK\r\n\r\n');
  });

  test('one remote has one flow, however often it sends', async () => {
    const here = await loopback({ udp: [{ host: '127.0.0.1', port: 0 }] });
    const there = await peer();
    for (let i = 0; i < 3; i++) there.socket.send(sip('OPTIONS'), here.port('UDP'), '127.0.0.1');
    await until('three messages', () => here.messages.length === 3);
    expect(new Set(here.messages.map((message) => message.flow)).size).toBe(1);
  });

  test('a host that does not follow handles each message once, in its newest transaction', async () => {
    // Longer than the slice of a turn: the kernel is read 32 times as fast as messages are handled.
    const here = await loopback({ udp: [{ host: '127.0.0.1', port: 0 }] }, () => {
      for (const end = performance.now() + 6; performance.now() < end; );
      return 'SIP/2.0 200 OK\r\n\r\n';
    });
    const there = await peer();
    there.socket.connect(here.port('UDP'), '127.0.0.1');
    await once(there.socket, 'connect');
    const said = (id: number, turn: number): string =>
      `MESSAGE sip:a SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1;branch=z9hG4bK${id}-${turn}\r\nCall-ID: ${id}\r\n\r\n${id}`;
    for (let turn = 1; turn <= 5; turn++) for (let id = 0; id < 60; id++) there.socket.send(said(id, turn));
    const newest = () =>
      new Set(here.messages.map(({ text }) => text).filter((text) => /K\d+-5\r/.test(text)));
    await until('the newest of each', () => newest().size === 60, 20_000);
    // The first eight are handled as they come, and some before their repeats are read.
    expect(here.messages.length).toBeLessThan(120);
  });

  test('flows beyond the bound are forgotten and made again', async () => {
    const here = await loopback({ udp: [{ host: '127.0.0.1', port: 0 }], limits: { udpFlows: 4 } });
    const first = await here.transport.connect('UDP', '127.0.0.1', 1_000);
    for (let port = 1_001; port < 1_010; port++) await here.transport.connect('UDP', '127.0.0.1', port);
    const again = await here.transport.connect('UDP', '127.0.0.1', 1_000);
    expect(again).toEqual(first);
    expect(first.ok && again.ok && first.value !== again.value).toBe(true);
  });

  test('IPv6 beside IPv4, each answered by its own socket', async () => {
    const here = await loopback(
      {
        udp: [
          { host: '127.0.0.1', port: 0 },
          { host: '::1', port: 0 },
        ],
      },
      () => 'SIP/2.0 200 OK\r\n\r\n',
    );
    const there = await peer('udp6');
    there.socket.send(sip('MESSAGE'), here.port('UDP', '::1'), '::1');
    await until('the answer', () => there.read.length === 1);
    expect(here.messages[0]?.flow).toMatchObject({ remoteAddress: '::1', localAddress: '::1' });
  });

  test('a family without a socket is a failure, and so is a datagram that no socket can carry', async () => {
    const here = await loopback({ udp: [{ host: '127.0.0.1', port: 0 }] });
    expect(await here.transport.connect('UDP', '::1', 5060)).toMatchObject({
      ok: false,
      error: { code: 'Unreachable' },
    });
    const flow = await here.transport.connect('UDP', '127.0.0.1', 5060);
    if (!flow.ok) throw new Error(flow.error.reason);
    here.transport.send(flow.value, Buffer.alloc(70_000));
    await until('the failure', () => here.failed.length === 1);
    expect(here.failed[0]).toMatchObject({ flow: flow.value, failure: { code: 'Unreachable' } });
  });

  test('an address in use is reported with the address', async () => {
    const here = await loopback({ udp: [{ host: '127.0.0.1', port: 0 }] });
    const port = here.port('UDP');
    await expect(loopback({ udp: [{ host: '127.0.0.1', port }] })).rejects.toThrow(
      new RegExp(`UDP cannot listen on 127.0.0.1 port ${port}: .*EADDRINUSE`),
    );
  });
});

describe('keep-alives', () => {
  test('line ends and zero bytes are no messages', async () => {
    const here = await loopback({ udp: [{ host: '127.0.0.1', port: 0 }] });
    const there = await peer();
    for (const keepAlive of ['\r\n\r\n', '\r\n', '\0\0\0\0', ''])
      there.socket.send(keepAlive, here.port('UDP'), '127.0.0.1');
    there.socket.send(sip('OPTIONS'), here.port('UDP'), '127.0.0.1');
    await until('the message behind them', () => here.messages.length > 0);
    expect(here.messages).toHaveLength(1);
    expect(there.read).toHaveLength(0);
  });

  test('a STUN Binding request learns the mapped address (RFC 5769 2.2 and 2.3 layout)', async () => {
    const here = await loopback({
      udp: [
        { host: '127.0.0.1', port: 0 },
        { host: '::1', port: 0 },
      ],
    });
    const request = Buffer.from('000100002112a442b7e7a701bc34d686fa87dfae', 'hex');
    const v4 = await peer();
    const v6 = await peer('udp6');
    v4.socket.send(request, here.port('UDP', '127.0.0.1'), '127.0.0.1');
    v6.socket.send(request, here.port('UDP', '::1'), '::1');
    await until('both answers', () => v4.read.length === 1 && v6.read.length === 1);
    const xorPort = (socket: Socket) => (socket.address().port ^ 0x2112).toString(16).padStart(4, '0');
    expect(v4.read[0]?.toString('hex')).toBe(
      `0101000c2112a442b7e7a701bc34d686fa87dfae002000080001${xorPort(v4.socket)}5e12a443`,
    );
    expect(v6.read[0]?.toString('hex')).toBe(
      `010100182112a442b7e7a701bc34d686fa87dfae002000140002${xorPort(v6.socket)}2112a442b7e7a701bc34d686fa87dfaf`,
    );
    expect(here.messages).toHaveLength(0);
  });

  test('other STUN messages and wrong lengths are silence', async () => {
    const here = await loopback({ udp: [{ host: '127.0.0.1', port: 0 }] }, () => 'SIP/2.0 200 OK\r\n\r\n');
    const there = await peer();
    for (const hex of [
      '010100002112a442b7e7a701bc34d686fa87dfae',
      '000100082112a442b7e7a701bc34d686fa87dfae',
    ]) {
      there.socket.send(Buffer.from(hex, 'hex'), here.port('UDP'), '127.0.0.1');
    }
    there.socket.send(sip('OPTIONS'), here.port('UDP'), '127.0.0.1');
    await until('the answer to the message', () => there.read.length > 0);
    expect(there.read.map(String)).toEqual(['SIP/2.0 200 OK\r\n\r\n']);
  });
});
