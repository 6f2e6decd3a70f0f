import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { CapturedFlow } from '#appliance/capture/index.ts';
import { type CaptureStore, openCapture } from '#appliance/io/capture/index.ts';
import { DEVICE, sipText } from '#test/appliance/capture/sip-text.ts';
import { realAppliance } from '#test/support/real-appliance.ts';
import { runProgram } from '../support/program.ts';

const HOST = '127.0.0.1';
const CALLS = ['over-udp', 'over-tcp', 'over-tls', 'over-wss'] as const;
const FIELDS = [
  ...['frame.interface_name', 'frame.protocols', 'frame.comment', 'frame.packet_flags_direction'],
  ...['ip.src', 'udp.srcport', 'ip.dst', 'udp.dstport', 'ip.checksum.status', 'udp.checksum.status'],
  ...['ipv6.src', 'ipv6.dst', 'exported_pdu.ipv4_src', 'exported_pdu.src_port', 'exported_pdu.ipv4_dst'],
  ...['exported_pdu.dst_port', 'sip.Method', 'sip.Status-Code', 'sip.Call-ID', 'sdp.media'],
  ...['http.request.method', 'http.response.code', 'http.host', '_ws.malformed'],
] as const;
type Field = (typeof FIELDS)[number];
type Dissected = Readonly<Record<Field, string>>;

const folder = mkdtempSync(join(tmpdir(), 'carillon-tshark-'));
let store: CaptureStore;
let site: Awaited<ReturnType<typeof realAppliance>>;
const ends: (() => unknown)[] = [];
/** Ports of the clients by their Call-ID. */
const ports = new Map<string, number>();
const SECRET = 'PLANTED-RESPONSE';

beforeAll(async () => {
  store = await openCapture({
    folder: join(folder, 'ring'),
    bytes: 8_000_000,
    keepMs: 14 * 86_400_000,
    ownAddress: '192.0.2.1',
    hostId: () => 'gw-1',
    program: 'carillon test',
    nowMs: () => performance.timeOrigin + performance.now(),
    trace: () => [],
    failed: (reason) => {
      throw new Error(reason);
    },
  });
  site = await realAppliance({}, undefined, store.sip);
  await overUdp();
  await overStream(connect({ host: HOST, port: site.port('TCP') }), 'connect', 'over-tcp');
  await overStream(
    connectTls({ host: HOST, port: site.port('TLS'), ca: site.ca }),
    'secureConnect',
    'over-tls',
  );
  await overWebSocket();
});

afterAll(async () => {
  for (const end of ends) end();
  await site?.close();
  await store?.close();
  rmSync(folder, { recursive: true });
});

/** A call of a device that proves who it is, as it says, and is a stranger here. */
function invite(callId: string, transport: string, port: number): Buffer {
  const body =
    'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 8\r\n';
  return Buffer.from(
    [
      'INVITE sip:centre@care.example SIP/2.0',
      `Via: SIP/2.0/${transport} ${HOST}:${port};branch=z9hG4bK${callId};rport`,
      'Max-Forwards: 70',
      'From: <sip:caller@care.example>;tag=1',
      'To: <sip:centre@care.example>',
      `Call-ID: ${callId}`,
      'CSeq: 1 INVITE',
      `Contact: <sip:caller@${HOST}:${port}>`,
      `Authorization: Digest username="caller", realm="care.example", nonce="n", uri="sip:centre@care.example", response="${SECRET}"`,
      'Content-Type: application/sdp',
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n'),
  );
}

async function overUdp(): Promise<void> {
  const socket: UdpSocket = createSocket('udp4');
  ends.push(() => socket.close());
  socket.bind(0, HOST);
  await once(socket, 'listening');
  const { port } = socket.address();
  ports.set('over-udp', port);
  const answered = finalResponse((onMessage) => socket.on('message', onMessage));
  socket.send(invite('over-udp', 'UDP', port), site.port('UDP'), HOST);
  await answered;
}

async function overStream(socket: Socket, ready: string, callId: string): Promise<void> {
  ends.push(() => socket.destroy());
  await once(socket, ready);
  ports.set(callId, socket.localPort ?? 0);
  const answered = finalResponse((onMessage) => socket.on('data', onMessage));
  socket.write(invite(callId, callId === 'over-tls' ? 'TLS' : 'TCP', socket.localPort ?? 0));
  await answered;
}

async function overWebSocket(): Promise<void> {
  const socket = new WebSocket(site.webSocket, 'sip', { ca: site.ca });
  ends.push(() => socket.terminate());
  await once(socket, 'open');
  const answered = finalResponse((onMessage) => socket.on('message', onMessage));
  socket.send(invite('over-wss', 'WSS', 1).toString());
  await answered;
}

/** Resolves at a final response. */
const finalResponse = (listen: (told: (text: unknown) => void) => void): Promise<void> =>
  new Promise((resolve) => listen((text) => void (/^SIP\/2.0 [2-6]/.test(String(text)) && resolve())));

async function dissected(callIds: readonly string[]): Promise<Dissected[]> {
  const { pcapng } = await store.captureFor({ callIds });
  const file = join(folder, 'capture.pcapng');
  const bytes = await pcapng();
  writeFileSync(file, bytes);
  expect(bytes.includes(SECRET)).toBe(false);
  const fields = FIELDS.flatMap((field) => ['-e', field]);
  const checks = ['-o', 'ip.check_checksum:TRUE', '-o', 'udp.check_checksum:TRUE'];
  const decode = ['-d', `udp.port==${site.port('UDP')},sip`];
  const { code, stdout, stderr } = await runProgram('tshark', [
    ...['-n', '-r', file, ...checks, ...decode, '-T', 'fields', '-E', 'separator=|', '-E', 'occurrence=f'],
    ...fields,
  ]);
  expect(`${code} ${stderr}`).toMatch(/^0 /);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => {
      const values = line.split('|');
      return Object.fromEntries(FIELDS.map((field, i) => [field, values[i] ?? ''])) as Dissected;
    });
}

describe('tshark opens what the sockets of SIP captured', () => {
  it('finds every message whole, and the request before its answer', async () => {
    const packets = await dissected(CALLS);
    expect(packets.filter((packet) => packet['_ws.malformed'] !== '')).toEqual([]);
    for (const callId of CALLS) {
      const own = packets.filter((packet) => packet['sip.Call-ID'] === callId);
      expect(own[0]).toMatchObject({ 'sip.Method': 'INVITE', 'frame.packet_flags_direction': '0x00000001' });
      expect(
        own
          .slice(1)
          .map((packet) => packet['sip.Status-Code'])
          .at(-1),
      ).toMatch(/^40/);
      expect(own.at(-1)).toMatchObject({ 'frame.packet_flags_direction': '0x00000002' });
    }
  });

  it('finds datagrams with their addresses, ports and right checksums', async () => {
    const [request, ...answers] = await dissected(['over-udp']);
    const [ours, theirs] = [String(site.port('UDP')), String(ports.get('over-udp'))];
    expect(request).toMatchObject({
      'frame.protocols': expect.stringMatching(/^raw:ip:udp:sip/),
      'frame.comment': 'in UDP',
      'ip.src': HOST,
      'udp.srcport': theirs,
      'ip.dst': HOST,
      'udp.dstport': ours,
      'ip.checksum.status': '1',
      'udp.checksum.status': '1',
      'sdp.media': 'audio 4000 RTP/AVP 8',
    });
    expect(answers.at(-1)).toMatchObject({
      'frame.comment': 'out UDP',
      'udp.srcport': ours,
      'udp.dstport': theirs,
      'udp.checksum.status': '1',
    });
  });

  it.each([
    ['over-tcp', 'TCP'],
    ['over-tls', 'TLS'],
    ['over-wss', 'WSS'],
  ])('finds what came %s as an exported message of SIP', async (callId, transport) => {
    const [request] = await dissected([callId]);
    expect(request).toMatchObject({
      'frame.protocols': expect.stringMatching(/^exported_pdu:sip/),
      'frame.comment': `in ${transport}`,
      'exported_pdu.ipv4_src': HOST,
      'exported_pdu.ipv4_dst': HOST,
      'sip.Method': 'INVITE',
    });
    const port = ports.get(callId);
    if (port !== undefined) expect(request?.['exported_pdu.src_port']).toBe(String(port));
    expect(request?.['exported_pdu.dst_port']).toBe(
      String(transport === 'WSS' ? site.https : site.port(transport as 'TCP' | 'TLS')),
    );
  });
});

describe('tshark opens', () => {
  const exchange = (callId: string, flow: CapturedFlow): void => {
    store.sip.received(flow, sipText('MESSAGE sip:a@b SIP/2.0', callId, '1 MESSAGE', 'hello'));
    store.sip.sent(flow, sipText('SIP/2.0 200 OK', callId, '1 MESSAGE'));
  };

  it('a message to a listener of every address, with the configured one in its place', async () => {
    const flow = { ...DEVICE, localPort: site.port('UDP') };
    exchange('any', flow);
    const [request, answer] = await dissected(['any']);
    expect(request).toMatchObject({
      'frame.comment': 'in UDP; configured address',
      'ip.src': flow.remoteAddress,
      'ip.dst': '192.0.2.1',
    });
    expect(answer).toMatchObject({ 'ip.src': '192.0.2.1', 'ip.dst': flow.remoteAddress });
  });

  it('a message over IPv6', async () => {
    const local = { localAddress: '2001:db8::1', localPort: site.port('UDP') };
    exchange('six', { ...DEVICE, ...local, remoteAddress: '2001:db8::7' });
    const [request] = await dissected(['six']);
    expect(request).toMatchObject({
      'frame.protocols': expect.stringMatching(/^raw:ipv6:udp:sip/),
      'ipv6.src': '2001:db8::7',
      'ipv6.dst': '2001:db8::1',
      'udp.checksum.status': '1',
      'sip.Method': 'MESSAGE',
    });
  });

  it('a callback and its answer', async () => {
    const post = store.posting(async (_: { url: string; headers: Record<string, string>; body: string }) => ({
      ok: true as const,
      value: { status: 201, headers: { 'content-type': 'application/json' }, body: '{"action":"drop"}' },
    }));
    const headers = { 'content-type': 'application/json', 'x-trace-id': 'callback' };
    await post({ url: 'https://app.example/newCall', headers, body: '{"a":1}' });
    const [request, answer] = await dissected(['callback']);
    expect(request).toMatchObject({
      'frame.protocols': expect.stringMatching(/^exported_pdu:http/),
      'http.request.method': 'POST',
      'http.host': 'app.example',
      '_ws.malformed': '',
    });
    expect(answer).toMatchObject({ 'http.response.code': '201', '_ws.malformed': '' });
  });
});
