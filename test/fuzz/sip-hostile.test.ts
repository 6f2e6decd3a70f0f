import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as tlsConnect } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { parseMessage, writeRequest } from '#appliance/sip/message/index.ts';
import { realAppliance } from '#test/support/real-appliance.ts';

/** Everything a stranger can do to the sockets of a whole appliance; afterwards it answers OPTIONS as before. */

const DRIPPING_MS = 300;
/** Longest time for an answer of a healthy appliance on a busy machine. */
const ANSWER_MS = 2_000;

type Site = Awaited<ReturnType<typeof realAppliance>>;
let site: Site;
/** Gets the vectors over TCP: to the first one they would be the requests it had over UDP, come again. */
let other: Site;
let udp: UdpSocket;
const received: string[] = [];
const open: { destroy: () => void }[] = [];

beforeAll(async () => {
  site = await realAppliance({
    halfMessageMs: DRIPPING_MS,
    sweepMs: 20,
    closeMs: 200,
    handshakeMs: DRIPPING_MS,
  });
  other = await realAppliance();
  site.bridge();
  site.device({
    deviceId: 'phone-1',
    authType: 'credentials',
    digest: { sha256: 'a'.repeat(64), md5: 'b'.repeat(32) },
  });
  udp = createSocket('udp4');
  udp.on('message', (bytes) => received.push(bytes.toString('latin1')));
  udp.bind(0, '127.0.0.1');
  await once(udp, 'listening');
});

afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await stillAnswers();
  const defects = [site, other].flatMap(({ logged }) =>
    logged.filter((line) => /^(error|defect)/.test(line)),
  );
  expect(defects).toEqual([]);
});

afterAll(async () => {
  udp.close();
  await site.close();
  await other.close();
});

let asked = 0;
const request = (method: string, fields: [string, string][] = [], user = 'stranger') => {
  const id = `h${++asked}`;
  return writeRequest({
    method,
    uri: 'sip:scaip@care.example',
    headers: [
      ['Via', `SIP/2.0/UDP 127.0.0.1:${udp.address().port};branch=z9hG4bK${id};rport`],
      ['Max-Forwards', '70'],
      ['From', `<sip:${user}@care.example>;tag=${id}`],
      ['To', `<sip:${method === 'REGISTER' ? user : 'scaip'}@care.example>`],
      ['Call-ID', id],
      ['CSeq', `1 ${method}`],
      ...fields,
    ],
  });
};

/** Sends a datagram and waits for a message that `is` accepts. */
async function ask(bytes: Buffer, is: (text: string) => boolean): Promise<string> {
  const from = received.length;
  udp.send(bytes, site.port('UDP'), '127.0.0.1');
  await expect.poll(() => received.slice(from).some(is), { timeout: ANSWER_MS, interval: 5 }).toBe(true);
  return received.slice(from).find(is) ?? '';
}

async function stillAnswers(): Promise<void> {
  const options = request('OPTIONS');
  expect(await ask(options, (text) => text.includes(`Call-ID: h${asked}\r\n`))).toMatch(/^SIP\/2\.0 200 /);
}

async function stream(
  kind: 'TCP' | 'TLS' = 'TCP',
  to = site,
): Promise<{ socket: Socket; text: () => string; ended: Promise<unknown> }> {
  const port = to.port(kind);
  const socket =
    kind === 'TCP'
      ? connect(port, '127.0.0.1')
      : tlsConnect({ host: '127.0.0.1', port, rejectUnauthorized: false });
  open.push(socket);
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  const ended = new Promise((resolve) => socket.once('close', resolve));
  const ready: string = kind === 'TCP' ? 'connect' : 'secureConnect';
  await once(socket, ready);
  return { socket, text: () => text, ended };
}

interface Expected {
  readonly name: string;
  readonly section: string;
  readonly shows: string;
  readonly expect: 'deliver' | 'response' | 'ignored' | number;
}

/** Refusals of the parser and of the general checks: the same whatever this appliance offers and whoever asks. */
const GENERAL: ReadonlySet<unknown> = new Set([400, 416, 420, 505, 513]);

describe.each([
  ['torture', 'RFC 4475'],
  ['ipv6', 'RFC 5118'],
])('vectors of %s (%s)', (set) => {
  const folder = join(import.meta.dirname, '../vectors/sip', set);
  const rows = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as readonly Expected[];
  expect(rows).toHaveLength(readdirSync(folder).filter((name) => name.endsWith('.sip')).length);
  const bytesOf = ({ name }: Expected) => readFileSync(join(folder, `${name}.sip`));
  const methodOf = (bytes: Buffer) => bytes.toString('latin1').split(' ', 1)[0] ?? '';

  /** The answer: a fixed status; some answer that is no 500; or nothing. */
  function judge(row: Expected, bytes: Buffer, answers: readonly string[]): void {
    const statuses = answers
      .filter((text) => text.startsWith('SIP/2.0'))
      .map((text) => Number(text.slice(8, 11)));
    if (row.expect === 'response' || row.expect === 'ignored' || methodOf(bytes) === 'ACK')
      expect(statuses).toEqual([]);
    else if (GENERAL.has(row.expect)) expect(statuses).toEqual([row.expect]);
    else expect(statuses.every((status) => status !== 500)).toBe(true);
  }

  test.each(rows)('by UDP: $name ($section): $shows', async (row) => {
    const before = new Set(received);
    const bytes = bytesOf(row);
    udp.send(bytes, site.port('UDP'), '127.0.0.1');
    // Its answer, if there is one, comes before the one to what is asked next; older ones may still be repeated.
    await stillAnswers();
    judge(
      row,
      bytes,
      received.filter((text) => !before.has(text) && !text.includes(`Call-ID: h${asked}\r\n`)),
    );
  });

  test.each(rows)('by TCP: $name ($section): $shows', async (row) => {
    const bytes = bytesOf(row);
    const parsed = parseMessage(bytes);
    const whole = parsed.ok
      ? bytes.subarray(0, bytes.indexOf('\r\n\r\n') + 4 + parsed.value.contentLength)
      : bytes;
    const { socket, text, ended } = await stream('TCP', other);
    socket.end(whole);
    await ended;
    const answers = text()
      .split(/(?=SIP\/2\.0 \d{3} )/)
      .filter((each) => each.startsWith('SIP/2.0'));
    // A stream ends where the length of a message cannot be known; the answer it got until then is the same.
    if (answers.length > 0) judge(row, whole, answers);
    else expect(row.expect === 200).toBe(false);
  });
});

describe('slow and endless peers', () => {
  test('a message that drips in is cut at its deadline', async () => {
    const { socket, ended } = await stream();
    const bytes = request('OPTIONS');
    let at = 0;
    const drip = setInterval(() => socket.write(bytes.subarray(at, ++at)), 10);
    await ended;
    clearInterval(drip);
    expect(at).toBeLessThan(bytes.length);
  });

  test('header fields without an end are cut at the limit', async () => {
    const { socket, ended } = await stream();
    socket.write('OPTIONS sip:a SIP/2.0\r\n');
    const line = Buffer.from(`X-More: ${'x'.repeat(1_000)}\r\n`);
    const flood = setInterval(() => socket.writable && socket.write(line), 1);
    await ended;
    clearInterval(flood);
    expect(socket.bytesWritten).toBeLessThan(400_000);
  });

  test('one line without an end is cut, too', async () => {
    const { socket, ended } = await stream();
    const flood = setInterval(() => socket.writable && socket.write('x'.repeat(4_000)), 1);
    await ended;
    clearInterval(flood);
  });

  test('a body announced as four gigabytes is answered 413 or 513 and closed', async () => {
    const { socket, text, ended } = await stream();
    socket.write(
      request('MESSAGE').toString('latin1').replace('Content-Length: 0', 'Content-Length: 4000000000'),
    );
    await ended;
    expect(text()).toMatch(/^SIP\/2\.0 (400|413|513) /);
  });

  test('a datagram of 65,507 bytes is read or refused, and not dropped in silence', async () => {
    const padded = request('OPTIONS', [['X-Padding', 'x'.repeat(60_000)]]);
    expect(await ask(padded, (answer) => answer.includes(`Call-ID: h${asked}\r\n`))).toMatch(
      /^SIP\/2\.0 (200|400|513) /,
    );
  });

  test('a hundred half-open TLS handshakes and half messages delay no one', async () => {
    const sockets = Array.from({ length: 100 }, () => connect(site.port('TLS'), '127.0.0.1'));
    for (const socket of sockets) {
      open.push(socket);
      socket.on('error', () => undefined);
    }
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (const socket of sockets) socket.write(Buffer.from([0x16, 0x03, 0x01, 0x02]));
    const before = performance.now();
    await stillAnswers();
    expect(performance.now() - before).toBeLessThan(ANSWER_MS);
    await Promise.all(sockets.map((socket) => socket.destroyed || once(socket, 'close')));
  });

  test('a TLS peer that closes its half in the middle of a message ends that connection', async () => {
    const { socket, ended } = await stream('TLS');
    socket.end(request('OPTIONS').subarray(0, 40));
    await ended;
  });

  test('a TLS peer that closes its half behind a whole message still gets its answer', async () => {
    const { socket, text, ended } = await stream('TLS');
    socket.end(request('OPTIONS'));
    await ended;
    expect(text()).toMatch(/^SIP\/2\.0 200 /);
  });

  test('a WebSocket that sends no SIP, pieces of SIP and far too much', async () => {
    const socket = new WebSocket(site.webSocket, 'sip', { rejectUnauthorized: false });
    open.push({ destroy: () => socket.terminate() });
    const answers: string[] = [];
    socket.on('message', (data) => answers.push(String(data)));
    await once(socket, 'open');
    const options = request('OPTIONS');
    for (const frame of ['', 'hello', '\0\0\0', options.subarray(0, 50), Buffer.concat([options, options])])
      socket.send(frame);
    socket.send(request('OPTIONS'));
    await expect.poll(() => answers.some((text) => text.includes(`Call-ID: h${asked}\r\n`))).toBe(true);
    socket.send(Buffer.alloc(400_000, 'x'));
    const [code] = (await once(socket, 'close')) as [number];
    expect(code).toBe(1009);
  });
});

describe('a foreign sender', () => {
  const answerOf = (bytes: Buffer) => ask(bytes, (text) => text.includes(`Call-ID: h${asked}\r\n`));
  /** The answer as a stranger sees it, without the parts that differ in every answer. */
  const seen = (answer: string) =>
    answer
      .replace(/h\d+/g, 'ID')
      .replace(/tag=[^\r;]+/g, 'TAG')
      .replace(/nonce="[^"]*"/g, 'NONCE')
      .replace(/(phone-1|nobody)/g, 'USER');

  const login = (user: string) =>
    [
      ['Contact', '<sip:x@127.0.0.1>'],
      [
        'Authorization',
        `Digest username="${user}", realm="care.example", nonce="x", uri="sip:scaip@care.example", response="${'0'.repeat(64)}", algorithm=SHA-256, cnonce="c", qop=auth, nc=00000001`,
      ],
    ] as [string, string][];

  test('a wrong password and an unknown user look alike, and raise authError once each', async () => {
    const known = seen(await answerOf(request('REGISTER', login('phone-1'), 'phone-1')));
    const unknown = seen(await answerOf(request('REGISTER', login('nobody'), 'nobody')));
    expect(known).toMatch(/^SIP\/2\.0 401 /);
    expect(unknown).toBe(known);
    for (let i = 0; i < 20; i++) {
      await answerOf(request('REGISTER', login('phone-1'), 'phone-1'));
      await answerOf(request('REGISTER', login('nobody'), 'nobody'));
    }
    const errors = site.alarms().filter(({ type }) => type === 'authError');
    expect(errors.map(({ deviceId, reason }) => [deviceId, reason])).toEqual([
      ['phone-1', 'wrongCredentials'],
      ['nobody', 'unknownDevice'],
    ]);
  });

  test('neither can be recognised without credentials', async () => {
    const known = seen(await answerOf(request('REGISTER', [], 'phone-1')));
    expect(seen(await answerOf(request('REGISTER', [], 'nobody')))).toBe(known);
  });
});
