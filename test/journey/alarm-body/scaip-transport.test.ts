import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { answered } from '#test/support/appliance.ts';
import { realAppliance } from '#test/support/real-appliance.ts';

/*
 * SCAIP through the sockets of the product: each transport, whole, packed and in parts, as it should be and as gateways leave it.
 */

let site: Awaited<ReturnType<typeof realAppliance>>;
const closing: (() => void)[] = [];
let sent = 0;

beforeEach(async () => {
  site = await realAppliance();
  site.bridge({});
  site.answerBy(() => answered({ action: 'drop' }));
});
afterEach(async () => {
  for (const close of closing.splice(0)) close();
  await site.close();
});

interface Line {
  readonly send: (bytes: Buffer) => void;
  readonly port: number;
  /** Everything that came back. */
  readonly received: () => string;
}

async function lineBy(transport: 'UDP' | 'TCP' | 'TLS'): Promise<Line> {
  let received = '';
  const port = site.port(transport);
  if (transport === 'UDP') {
    const socket = createSocket('udp4');
    socket.on('message', (bytes) => {
      received += bytes.toString('latin1');
    });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    closing.push(() => socket.close());
    return {
      send: (bytes) => socket.send(bytes, port, '127.0.0.1'),
      port: socket.address().port,
      received: () => received,
    };
  }
  const socket =
    transport === 'TCP'
      ? connect(port, '127.0.0.1')
      : connectTls({ port, host: '127.0.0.1', ca: site.ca, servername: 'localhost' });
  await once(socket, transport === 'TCP' ? 'connect' : 'secureConnect');
  socket.on('data', (bytes: Buffer) => {
    received += bytes.toString('latin1');
  });
  closing.push(() => socket.destroy());
  return { send: (bytes) => void socket.write(bytes), port: socket.localPort ?? 0, received: () => received };
}

function message(transport: string, line: Line, body: Buffer, fields: readonly string[] = []): Buffer {
  const id = `m${++sent}`;
  const head = [
    'MESSAGE sip:scaip@care.example SIP/2.0',
    `Via: SIP/2.0/${transport} 127.0.0.1:${line.port};branch=z9hG4bK${id};rport`,
    'Max-Forwards: 70',
    `From: <sip:unit@care.example>;tag=${id}`,
    'To: <sip:scaip@care.example>',
    `Call-ID: ${id}`,
    'CSeq: 1 MESSAGE',
    'Content-Type: application/scaip+xml',
    ...fields,
    `Content-Length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}

const request = (inner: string) =>
  Buffer.from(`<mrq><ref>R1</ref><cid>unit</cid><dty>0003</dty>${inner}</mrq>`);
const LONG = request(`<stc>0010</stc><ite>${'A long text. '.repeat(400)}</ite>`);
const reported = () => site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent');

async function until(isThere: () => boolean): Promise<void> {
  await expect.poll(isThere, { timeout: 30_000, interval: 20 }).toBe(true);
}

const WHOLE: readonly (readonly [string, Buffer, readonly string[]])[] = [
  ['plain', request('<stc>0010</stc>'), []],
  ['deflate', deflateSync(LONG), ['Content-Encoding: deflate']],
  ['gzip', gzipSync(LONG), ['Content-Encoding: gzip']],
  ['unpacked by a gateway', request('<stc>0010</stc>'), ['Content-Encoding: deflate']],
  ['with an unknown coding that it does not have', request('<stc>0010</stc>'), ['Content-Encoding: br']],
  ['packed without a word', deflateSync(request('<stc>0010</stc>')), []],
  ['with a bare &', request('<stc>0010</stc><ite>Smith & Son</ite>'), []],
  ['in UTF-16', Buffer.from(`\ufeff${request('<stc>0010</stc>')}`, 'utf16le'), []],
];

it.each(
  (['UDP', 'TCP', 'TLS'] as const).flatMap((transport) => WHOLE.map((row) => [transport, ...row] as const)),
)('%s, %s: stored, reported once and answered with snu 0', async (transport, _, body, fields) => {
  const line = await lineBy(transport);
  line.send(message(transport, line, body, fields));
  await until(() => line.received().includes('<snu>'));
  expect(line.received()).toContain('SIP/2.0 200');
  expect(line.received()).toMatch(/<snu>0+<\/snu>/);
  expect(reported()).toHaveLength(1);
  expect(reported()[0]?.body).toMatchObject({
    alarmEvent: { deviceType: 'personalTrigger', controllerId: 'unit' },
  });
});

it.each(['UDP', 'TCP', 'TLS'] as const)(
  '%s: in three parts is one event with every text',
  async (transport) => {
    const line = await lineBy(transport);
    for (const [ame, inner] of [
      [2, '<stc>0010</stc>'],
      [1, '<lco>021</lco>'],
      [0, '<ite>last</ite>'],
    ] as const)
      line.send(message(transport, line, request(`${inner}<ame>${ame}</ame>`)));
    await until(() => reported().length > 0);
    // Parts that come together wait together: one answer with their reference is for all of them.
    await until(() => /<snu>0+<\/snu>/.test(line.received()));
    expect(reported()).toHaveLength(1);
    expect(reported()[0]?.body).toMatchObject({ sourceAlarmEvent: { fields: { lco: '021', ite: 'last' } } });
  },
);

it('TCP: cut into single bytes and glued together is read as it was sent', async () => {
  const line = await lineBy('TCP');
  const both = Buffer.concat([
    message('TCP', line, request('<stc>0010</stc>')),
    message('TCP', line, Buffer.from(request('<stc>0010</stc>').toString().replace('R1', 'R2'))),
  ]);
  for (const byte of both.subarray(0, 300)) line.send(Buffer.from([byte]));
  line.send(both.subarray(300));
  await until(() => reported().length === 2);
  await until(() => line.received().includes('<ref>R2</ref>'));
});
