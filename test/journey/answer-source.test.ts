import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  parseMessage,
  type SipMessage,
  type SipRequest,
  writeResponse,
} from '#appliance/sip/message/index.ts';
import { answered } from '#test/support/appliance.ts';
import { realAppliance } from '#test/support/real-appliance.ts';

/* The answer goes to where the alarm came from: two addresses of loopback, real sockets. */

const DEVICE = '127.0.0.1';
const STRANGER = '127.0.0.2';

let site: Awaited<ReturnType<typeof realAppliance>>;
let branches = 0;
let device = '';
const open: { close(): unknown }[] = [];

beforeAll(async () => {
  site = await realAppliance();
  site.bridge();
  site.answerBy(() => answered({ action: 'drop' }));
});
beforeEach(() => {
  device = `unit-${++branches}`;
  site.device({ deviceId: device });
});
afterAll(async () => {
  for (const each of open) each.close();
  await site.close();
});

/** A device at an address: the messages it hears, and how it sends one. `answers`: he takes the MESSAGEs that he gets. */
interface Party {
  readonly received: SipMessage[];
  readonly port: number;
  readonly transport: 'UDP' | 'TCP';
  readonly host: string;
  send(bytes: Buffer): void;
  close(): void;
}

const answersOf = ({ received }: Party): SipRequest[] =>
  received.flatMap((message) => (message.kind === 'request' ? [message] : []));

function hear(party: Party, bytes: Buffer, answers: boolean): void {
  const parsed = parseMessage(bytes);
  if (!parsed.ok) return;
  const message = parsed.value;
  party.received.push(message);
  if (message.kind !== 'request' || !answers) return;
  const headers = ['Via', 'From', 'To', 'Call-ID', 'CSeq'].map((name): [string, string] => [
    name,
    message.header(name) ?? '',
  ]);
  party.send(writeResponse({ status: 200, reason: 'OK', headers }));
}

async function udp(host: string, { answers = true, port = 0 } = {}): Promise<Party> {
  const socket: UdpSocket = createSocket('udp4');
  socket.bind(port, host);
  await once(socket, 'listening');
  let isOpen = true;
  const party: Party = {
    received: [],
    port: socket.address().port,
    transport: 'UDP',
    host,
    send: (bytes) => socket.send(bytes, site.port('UDP'), DEVICE),
    close: () => {
      if (isOpen) socket.close();
      isOpen = false;
    },
  };
  socket.on('message', (bytes) => hear(party, bytes, answers));
  open.push(party);
  return party;
}

function partyOver(socket: Socket, host: string): Party {
  const party: Party = {
    received: [],
    port: socket.localPort ?? 0,
    transport: 'TCP',
    host,
    send: (bytes) => socket.write(bytes),
    close: () => socket.destroy(),
  };
  socket.on('error', () => undefined);
  socket.on('data', (bytes) => hear(party, bytes, true));
  open.push(party);
  return party;
}

async function tcp(host: string): Promise<Party> {
  const socket = connect({ port: site.port('TCP'), host: DEVICE, localAddress: host });
  await once(socket, 'connect');
  return partyOver(socket, host);
}

function say(
  by: Party,
  method: string,
  fields: string[],
  body = '',
  sentBy = `${by.host}:${by.port};rport`,
): void {
  const uri = method === 'REGISTER' ? 'sip:care.example' : 'sip:scaip@care.example';
  const aor = `<sip:${device}@care.example>`;
  const head = [
    `${method} ${uri} SIP/2.0`,
    `Via: SIP/2.0/${by.transport} ${sentBy};branch=z9hG4bK${++branches}`,
    `From: ${aor};tag=${branches}`,
    `To: ${method === 'REGISTER' ? aor : `<${uri}>`}`,
    `Call-ID: ${branches}`,
    `CSeq: 1 ${method}`,
    'Max-Forwards: 70',
    ...fields,
    ...(body === '' ? [] : ['Content-Type: application/scaip+xml']),
    `Content-Length: ${body.length}`,
  ];
  by.send(Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`));
}

/** The last answer it got, in the protocol of SIP. */
const status = ({ received }: Party): number | undefined =>
  received.findLast((message) => message.kind === 'response')?.status;

async function registers(
  by: Party,
  fields = [`Contact: <sip:${device}@${by.host}:${by.port}>`],
): Promise<void> {
  const before = by.received.length;
  say(by, 'REGISTER', fields);
  await expect.poll(() => by.received.length).toBeGreaterThan(before);
  expect(status(by)).toBe(200);
}

function alarms(by: Party, sentBy?: string, fields: string[] = []): void {
  const body = `<mrq><ref>${++branches}</ref><cid>${device}</cid><dty>0003</dty><stc>0010</stc></mrq>`;
  say(by, 'MESSAGE', fields, body, sentBy);
}

const within = (ms: number) => ({ timeout: ms, interval: 20 });

const parties = { UDP: udp, TCP: tcp } as const;

test.each(['UDP', 'TCP'] as const)(
  'over %s a stranger who registers in the name of a device receives none of its answers',
  async (transport) => {
    const unit = await parties[transport](DEVICE);
    const thief = await parties[transport](STRANGER);
    const contact = `Contact: <sip:${device}@${unit.host}:${unit.port}>`;
    await registers(unit, [contact]);
    await registers(thief, ['Contact: *', 'Expires: 0']);
    await registers(thief, [contact, 'Expires: 0']);
    await registers(thief, [contact]);
    await registers(thief, [`Contact: <sip:${device}@${thief.host}:${thief.port}>;q=1`]);
    alarms(unit);
    await expect.poll(() => answersOf(unit).length).toBe(1);
    expect(answersOf(unit)[0]?.body.toString()).toContain('<snu>0</snu>');
    // The stranger's own alarm is answered to him: whatever was owed to him is here by now.
    alarms(thief);
    await expect.poll(() => answersOf(thief).length).toBe(1);
    expect(answersOf(unit)).toHaveLength(1);
    const reported = site.alarms().filter(({ deviceId }) => deviceId === device);
    expect(reported).toMatchObject([
      { type: 'authError', reason: 'heldByAnotherAddress', method: 'REGISTER', sourceIp: STRANGER },
    ]);
    expect(site.runtime.registrations.contactsOf(device)[0]?.source).toBe(DEVICE);
  },
);

test('after a change of its address a device is answered at the new one, at once', async () => {
  const before = await udp(STRANGER);
  await registers(before);
  const after = await udp(DEVICE);
  alarms(after);
  await expect.poll(() => answersOf(after).length, within(1_500)).toBe(1);
  expect(answersOf(before)).toEqual([]);
});

test('after a change of its port, too, though its registration names the old one', async () => {
  const before = await udp(DEVICE);
  await registers(before);
  const after = await udp(DEVICE);
  alarms(after);
  await expect.poll(() => answersOf(after).length, within(1_500)).toBe(1);
  expect(answersOf(before)).toEqual([]);
});

test('without rport the answer goes to the port of Via at the source address', async () => {
  const [ear, mouth] = [await udp(DEVICE), await udp(DEVICE)];
  alarms(mouth, `${DEVICE}:${ear.port}`);
  await expect.poll(() => answersOf(ear).length, within(1_500)).toBe(1);
  expect(answersOf(mouth)).toEqual([]);
});

test('a closed port at the source is passed over for the port of Contact, long before 32 s', async () => {
  const [ear, mouth, closed] = [await udp(DEVICE), await udp(DEVICE), await udp(DEVICE)];
  closed.close();
  alarms(mouth, `${DEVICE}:${closed.port}`, [`Contact: <sip:${device}@${DEVICE}:${ear.port}>`]);
  await expect.poll(() => answersOf(ear).length, within(4_000)).toBe(1);
});

test('a source that is silent is passed over for a binding of the same address, and for no other', async () => {
  const [registered, silent] = [await udp(DEVICE), await udp(DEVICE, { answers: false })];
  const thief = await udp(STRANGER);
  await registers(registered);
  await registers(thief);
  alarms(silent);
  await expect.poll(() => answersOf(registered).length, within(4_000)).toBe(1);
  expect(answersOf(silent).length).toBeGreaterThan(0);
  expect(answersOf(thief)).toEqual([]);
});

test('a connection that is closed is passed over for the port that Via names', async () => {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<Party>();
  server.once('connection', (socket) => resolve(partyOver(socket, DEVICE)));
  server.listen(0, DEVICE);
  await once(server, 'listening');
  open.push(server);
  const address = server.address();
  const listens = address !== null && typeof address === 'object' ? address.port : 0;
  const unit = await tcp(DEVICE);
  const release = site.slowDisk();
  alarms(unit, `${DEVICE}:${listens}`);
  await expect.poll(() => status(unit)).toBe(200);
  unit.close();
  await release();
  const reopened = await promise;
  await expect.poll(() => answersOf(reopened).length, within(4_000)).toBe(1);
});
