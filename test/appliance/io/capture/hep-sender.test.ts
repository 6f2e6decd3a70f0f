import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HepSender } from '#appliance/io/capture/index.ts';
import { addressPolicy } from '#shared/matching/index.ts';
import { request } from '../../capture/sip-text.ts';

let server: Socket;
let failures: string[];
let sender: HepSender | undefined;
const message = { ...request('MESSAGE', 'call-1'), atMs: 1_700_000_000_123.456, key: 'call-1' };

beforeEach(async () => {
  server = createSocket('udp4');
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  failures = [];
});

afterEach(() => {
  server.close();
  sender?.close();
});

function open(allowPrivate: readonly string[]): HepSender {
  sender = new HepSender({
    host: '127.0.0.1',
    port: server.address().port,
    policy: addressPolicy({ allowPrivate, listeners: () => [], ownAddresses: () => [] }),
    ownAddress: '192.0.2.1',
    agent: 7,
    nowMs: () => performance.now(),
    failed: (reason) => failures.push(reason),
  });
  return sender;
}

/** Chunks of a packet by their type (vendor 0). */
function chunks(packet: Buffer): Map<number, Buffer> {
  expect(packet.toString('latin1', 0, 4)).toBe('HEP3');
  expect(packet.readUInt16BE(4)).toBe(packet.length);
  const found = new Map<number, Buffer>();
  for (let at = 6; at < packet.length; at += packet.readUInt16BE(at + 4)) {
    expect(packet.readUInt16BE(at)).toBe(0);
    found.set(packet.readUInt16BE(at + 2), packet.subarray(at + 6, at + packet.readUInt16BE(at + 4)));
  }
  return found;
}

it('sends a message with its addresses, its time and its Call-ID to the capture server', async () => {
  const hep = open(['127.0.0.0/8']);
  await hep.look();
  const arrived = once(server, 'message');
  hep.send(message);
  const [packet] = (await arrived) as [Buffer];
  const found = chunks(packet);
  const number = (type: number) => Number.parseInt(found.get(type)?.toString('hex') ?? '', 16);
  expect([number(1), number(2), number(7), number(8), number(11), number(12)]).toEqual([
    2, 17, 5070, 5060, 1, 7,
  ]);
  expect([...(found.get(3) ?? [])].join('.')).toBe('198.51.100.7');
  expect([...(found.get(4) ?? [])].join('.')).toBe('192.0.2.1');
  expect([number(9), number(10)]).toEqual([1_700_000_000, 123_456]);
  expect(found.get(17)?.toString()).toBe('call-1');
  expect(found.get(15)?.equals(message.bytes)).toBe(true);
});

it('sends nothing to an address that the rules for outgoing traffic refuse, and says so once', async () => {
  const hep = open([]);
  await hep.look();
  await hep.look();
  let arrived = 0;
  server.on('message', () => arrived++);
  hep.send(message);
  // A packet of the test's own, behind which nothing of the sender can still be on its way.
  const probe = createSocket('udp4');
  const seen = once(server, 'message');
  probe.send('probe', server.address().port, '127.0.0.1');
  await seen;
  probe.close();
  expect(arrived).toBe(1);
  expect(failures).toEqual([expect.stringContaining('not in CARILLON_ALLOW_PRIVATE')]);
});
