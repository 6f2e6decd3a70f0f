import { createSocket } from 'node:dgram';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { keptRecord, selfTest } from '#appliance/selftest/index.ts';
import { offsetOf, portProbe } from '#appliance/selftest/network-probe.ts';
import { judgeHop, sameVia, sipGateway, worstGateway } from '#appliance/selftest/sip-probe.ts';
import type { HopEcho } from '#shared/self-test/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'carillon-self-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A SIP server that says 200 to everything, with the Via that `rewrite` makes of the one that came. */
async function server(rewrite: (via: string) => string) {
  const socket = createSocket('udp4');
  socket.on('message', (bytes, from) => {
    const request = bytes.toString();
    const line = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(request)?.[1] ?? '';
    const same = ['From', 'To', 'Call-ID', 'CSeq'].map((name) => `${name}: ${line(name)}`);
    const text = ['SIP/2.0 200 OK', `Via: ${rewrite(line('Via'))}`, ...same, 'Content-Length: 0', '', ''];
    socket.send(text.join('\r\n'), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { port: socket.address().port, close: () => socket.close() };
}

describe('the self-test of a host', () => {
  test('says of each point what it found, keeps the record, and calls no person where no service runs', async () => {
    const sip = await server((via) => `${via};received=127.0.0.1`);
    const seen: string[] = [];
    const record = await selfTest({
      folder,
      release: '1.2.3',
      hostId: 'box-1',
      cloud: undefined,
      sip: { host: '0.0.0.0', port: sip.port },
      tcp: [],
      sipPeer: { host: '127.0.0.1', port: sip.port },
      onPoint: ({ id }) => seen.push(id),
    });
    sip.close();
    const by = Object.fromEntries(record.points.map((point) => [point.id, point]));
    for (const id of ['sip', 'tts', 'ports', 'sip-alg', 'memory'])
      expect(by[id], id).toMatchObject({ verdict: 'ok' });
    for (const id of ['dns', 'ntp', 'tls', 'mqtt', 'trunk', 'alarm'])
      expect(by[id], id).toMatchObject({ verdict: 'skipped' });
    expect(by.call).toMatchObject({ verdict: 'failure', code: 'service.silent' });
    for (const id of ['rtp', 'dtmf', 'codecs'])
      expect(by[id], id).toMatchObject({ verdict: 'skipped', code: 'call.none' });
    expect(record).toMatchObject({ v: 1, release: '1.2.3', hostId: 'box-1', passed: false });
    expect(seen).toEqual(record.points.map(({ id }) => id));
    expect(readdirSync(folder), 'nothing else stays behind').toEqual(['self-test.json']);
    expect(keptRecord(folder)).toEqual(record);
  }, 60_000);

  test('names what is missing and goes on', async () => {
    const [closed] = await Promise.all([
      selfTest({
        folder: join(folder, 'is not there'),
        release: '1.2.3',
        hostId: 'box-1',
        cloud: 'https://cloud.invalid',
        sip: { host: '127.0.0.1', port: 9 },
        tcp: [{ host: '0.0.0.0', port: 9 }],
      }),
    ]);
    const failed = closed.points.filter(({ verdict }) => verdict === 'failure').map(({ id }) => id);
    expect(failed).toEqual(['sip', 'call', 'dns', 'ports', 'fsync']);
    expect(closed.passed).toBe(false);
  }, 60_000);
});

describe('a listener', () => {
  test('is looked for at its own address, and on the loopback one when it has all of them', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    expect(await portProbe([{ host: '127.0.0.2', port }])).toEqual({ verdict: 'ok', found: String(port) });
    for (const host of ['127.0.0.1', '0.0.0.0'])
      expect(await portProbe([{ host, port }]), host).toMatchObject({ code: 'ports.shut' });
    server.close();
  });
});

describe('a gateway that rewrites SIP', () => {
  const hop: HopEcho = {
    transport: 'UDP',
    own: '192.168.1.20',
    peer: '203.0.113.5',
    via: 'SIP/2.0/UDP 192.168.1.20:5060;branch=z9hG4bKa;rport=61000;received=198.51.100.7',
    altered: [],
  };
  const via = 'SIP/2.0/UDP 192.168.1.20:5060;branch=z9hG4bKa;rport';

  test('is detected by our own Via, that comes back altered', async () => {
    const sip = await server((sent) => sent.replace(/127\.0\.0\.1:\d+/, '203.0.113.7:61000'));
    const guess = await sipGateway('127.0.0.1', sip.port);
    sip.close();
    expect(guess).toMatchObject({ verdict: 'warning', code: 'alg.rewrites' });
    expect(guess.found).toContain('Via came back altered (SIP/2.0/UDP 203.0.113.7:61000');
  });

  test('is not measured where the name is unknown', async () => {
    expect(await sipGateway('nobody.invalid', 5060)).toMatchObject({ code: 'alg.silent' });
  });

  test('is detected by each other field of ours', () => {
    expect(judgeHop({ ...hop, altered: ['Call-ID'] })).toMatchObject({ code: 'alg.rewrites' });
  });

  test('is suspected where the other side does not see that an address was translated', () => {
    expect(judgeHop({ ...hop, via })).toMatchObject({ verdict: 'warning', code: 'alg.hidden' });
  });

  test.each([
    ['behind plain NAT', hop, ', seen as 198.51.100.7'],
    ['in one network', { ...hop, via, peer: '10.0.0.1' }, 'as it was sent'],
    ['at a public address', { ...hop, via, own: '198.51.100.7' }, 'as it was sent'],
  ] as const)('is not suspected %s', (_, echo, found) => {
    expect(judgeHop(echo)).toMatchObject({ verdict: 'ok', found: expect.stringContaining(found) });
  });

  test('is looked for on the path to every trunk, and the worst is reported; over TLS it cannot be there', () => {
    expect(worstGateway([hop, { ...hop, via }])).toMatchObject({ code: 'alg.hidden' });
    expect(worstGateway([{ ...hop, transport: 'TLS' }, hop])).toMatchObject({ verdict: 'ok' });
    expect(worstGateway([{ ...hop, transport: 'TLS' }])).toMatchObject({ code: 'alg.secure' });
    expect(worstGateway([])).toMatchObject({ verdict: 'skipped', code: 'alg.noPeer' });
  });

  test('is not suspected because of received and rport', () => {
    const sent = 'SIP/2.0/UDP 10.0.0.7:5060;branch=z9hG4bKa;rport';
    expect(sameVia(sent, 'SIP/2.0/UDP 10.0.0.7:5060;rport=61000;received=203.0.113.7;branch=z9hG4bKa')).toBe(
      true,
    );
    expect(sameVia(sent, '')).toBe(false);
  });
});

describe('an answer of a time server', () => {
  function answer(atMs: number, stratum = 2): Buffer {
    const bytes = Buffer.alloc(48);
    bytes[1] = stratum;
    for (const at of [32, 40]) {
      bytes.writeUInt32BE(Math.floor(atMs / 1_000) + 2_208_988_800, at);
      bytes.writeUInt32BE(Math.round(((atMs % 1_000) / 1_000) * 2 ** 32), at + 4);
    }
    return bytes;
  }

  test('is compared with the middle of its travel', () => {
    expect(offsetOf(answer(1_000_050), 1_000_000, 1_000_100)).toBeCloseTo(0, 1);
    expect(offsetOf(answer(1_000_050), 1_003_000, 1_003_100)).toBeCloseTo(3_000, 1);
  });

  test('without a time is none', () => {
    expect(offsetOf(answer(0, 0), 0, 0)).toBeUndefined();
    expect(offsetOf(Buffer.alloc(12), 0, 0)).toBeUndefined();
  });
});
