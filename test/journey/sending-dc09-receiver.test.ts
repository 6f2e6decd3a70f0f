import { createCipheriv, createDecipheriv } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openCapture } from '#appliance/io/capture/index.ts';
import { openFrameCaller } from '#appliance/io/frame-caller/index.ts';
import { sendAlarmEventSchema } from '#shared/contract/runtime/index.ts';
import { testAppliance } from '#test/support/appliance.ts';

/*
 * A DC-09 receiver written from the standard for this test alone: nothing of the product is used to read or to write
 * its frames.
 */

const KEY = '00112233445566778899aabbccddeeff';

/** CRC-16 with polynomial A001, bit by bit. */
function crc(text: string): string {
  let sum = 0;
  for (const byte of Buffer.from(text, 'latin1')) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >> 1) ^ 0xa001 : sum >> 1;
  }
  return sum.toString(16).toUpperCase().padStart(4, '0');
}

const framed = (body: string): Buffer =>
  Buffer.from(`\n${crc(body)}0${body.length.toString(16).toUpperCase().padStart(3, '0')}${body}\r`, 'latin1');

const stamp = (at: Date): string => {
  const two = (value: number) => String(value).padStart(2, '0');
  return `_${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())},${two(at.getUTCMonth() + 1)}-${two(at.getUTCDate())}-${at.getUTCFullYear()}`;
};

interface Received {
  readonly token: string;
  readonly sequence: string;
  readonly head: string;
  readonly data: string;
}

/** Reads one frame, answers it as `answer` says, and keeps what it read. */
function receiver(answer: (received: Received, count: number) => 'ACK' | 'DUH' | 'NAK' | 'nothing') {
  const received: Received[] = [];
  const take = (bytes: Buffer): Buffer | undefined => {
    const parts =
      /^\n([0-9A-F]{4})0([0-9A-F]{3})("(\*?)([A-Z-]+)"(\d{4})((?:R[0-9A-F]+)?L[0-9A-F]+)#([0-9A-F]+)\[(.*))\r$/s.exec(
        bytes.toString('latin1'),
      );
    if (parts === null) throw new Error(`not a frame: ${bytes.toString('latin1')}`);
    const [
      ,
      sum = '',
      length = '',
      body = '',
      star = '',
      token = '',
      sequence = '',
      route = '',
      account = '',
      rest = '',
    ] = parts;
    if (crc(body) !== sum) throw new Error('wrong CRC');
    if (Number.parseInt(length, 16) !== body.length) throw new Error('wrong length');
    let data = rest;
    if (star === '*') {
      const cipher = createDecipheriv(
        'aes-128-cbc',
        Buffer.from(KEY, 'hex'),
        Buffer.alloc(16),
      ).setAutoPadding(false);
      const plain = Buffer.concat([cipher.update(Buffer.from(rest, 'hex')), cipher.final()]).toString(
        'latin1',
      );
      data = plain.slice(plain.indexOf('|') + 1);
    }
    const one = { token, sequence, head: `${route}#${account}`, data };
    received.push(one);
    const said = answer(one, received.length);
    if (said === 'nothing') return undefined;
    if (said === 'NAK') return framed(`"NAK"0000R0L0A0[]${stamp(new Date())}`);
    if (star === '' || said === 'DUH') return framed(`"${said}"${sequence}${route}#${account}[]`);
    const content = `]${stamp(new Date())}`;
    const padded = 'X'.repeat(16 - (content.length % 16)) + content;
    const sealing = createCipheriv('aes-128-cbc', Buffer.from(KEY, 'hex'), Buffer.alloc(16)).setAutoPadding(
      false,
    );
    const hex = Buffer.concat([sealing.update(padded, 'latin1'), sealing.final()])
      .toString('hex')
      .toUpperCase();
    return framed(`"*ACK"${sequence}${route}#${account}[${hex}`);
  };
  return { heard: received, take };
}

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function overTcp(
  made: ReturnType<typeof receiver>,
): Promise<{ port: number; connections: () => number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.on('data', (bytes) => {
      const answer = made.take(bytes);
      if (answer !== undefined) socket.write(answer);
    });
    socket.on('error', () => undefined);
    closing.push(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

async function overUdp(made: ReturnType<typeof receiver>): Promise<{ port: number }> {
  const socket = createSocket('udp4');
  socket.on('message', (bytes, from) => {
    const answer = made.take(bytes);
    if (answer !== undefined) socket.send(answer, from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  closing.push(() => socket.close());
  return { port: socket.address().port };
}

async function sender(target: Record<string, unknown>) {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-sent-'));
  closing.push(() => rmSync(folder, { recursive: true }));
  const capture = await openCapture({
    ...{ folder, bytes: 8_000_000, keepMs: 86_400_000, ownAddress: '127.0.0.1', hostId: () => 'gw-1' },
    ...{ program: 'carillon test', nowMs: () => performance.timeOrigin + performance.now() },
    // Times of the test's own clock say nothing about the ring.
    trace: (traceId) => [{ lines: site.trace(traceId).map((line) => ({ ...line, atMs: Date.now() })) }],
    failed: (reason) => {
      throw new Error(reason);
    },
  });
  closing.push(() => capture.close());
  const frames = openFrameCaller({ report: () => undefined, tap: capture.sentFrames });
  closing.push(() => frames.close());
  const site = await testAppliance({ frames });
  closing.push(() => site.close());
  site.answerBy(() => ({ kind: 'answered', status: 200, body: '', credential: 0 }));
  site.mapper(target);
  site.bridge({
    id: 'north',
    protocol: 'api',
    name: 'N',
    destinationMatch: '^north$',
    alarmEventMapperId: 'mapper-1',
  });
  const send = async (deviceId = '42') => {
    const alarmEvent = {
      controllerId: '00001234',
      deviceId,
      deviceType: 'smokeDetector',
      statusCode: 'alarm',
    };
    const taken = await site.runtime.sending.sender.send(
      sendAlarmEventSchema.parse({ eventReceiver: 'north', alarmEvent }),
      undefined,
    );
    expect(taken).toMatchObject({ ok: true });
  };
  const reported = (path: string) =>
    site.posted.filter(({ call }) => call.path === path).map(({ body }) => body);
  return { site, send, told: reported, frames, capture };
}

const WAIT = { timeout: 30_000, interval: 10 };

describe('a DC-09 receiver of another maker', () => {
  it.each([
    ['sia-dcs', 'tcp', undefined],
    ['adm-cid', 'udp', undefined],
    ['sia-dcs', 'udp', KEY],
    ['adm-cid', 'tcp', KEY],
  ] as const)('reads %s over %s, key %s, and its answer is read', async (protocol, transport, key) => {
    const made = receiver(() => 'ACK');
    const { port } = transport === 'tcp' ? await overTcp(made) : await overUdp(made);
    const dc09 = { account: '1234', line: '1', transport, ...(key && { key }) };
    const { send, told: reported, capture } = await sender({ protocol, destAddr: `127.0.0.1:${port}`, dc09 });
    await send();
    await vi.waitFor(() => expect(reported('/alarmSent')).toHaveLength(1), WAIT);
    expect(made.heard).toHaveLength(1);
    expect(made.heard[0]).toMatchObject({ head: 'L1#1234', token: protocol.toUpperCase() });
    const data = made.heard[0]?.data ?? '';
    // Encrypted, the account and the bar stand behind the padding's own bar.
    expect(data).toMatch(protocol === 'sia-dcs' ? /\|Nri1\/FA42\]/ : /\|1111 01 042\]/);
    expect(data).toMatch(/\]_\d\d:\d\d:\d\d,\d\d-\d\d-\d{4}$/);
    // The capture of its trace has the frame as it went, and the answer.
    const { document } = await capture.captureFor({ traceId: String(reported('/alarmSent')[0]?.traceId) });
    const { sequence } = made.heard[0] ?? {};
    expect(
      document.messages.map(({ direction, protocol: of, to, from }) => [direction, of, to, from]),
    ).toEqual([
      ['out', 'dc09', `127.0.0.1:${port}`, expect.any(String)],
      ['in', 'dc09', expect.any(String), `127.0.0.1:${port}`],
    ]);
    for (const { text } of document.messages) expect(text).toContain(`"${sequence}L1#1234[`);
    expect(document.messages.every(({ transport: by }) => by === transport.toUpperCase())).toBe(true);
  });

  it('that refuses the time of a frame has its NAK, and the frame again, in the capture', async () => {
    const made = receiver((_, count) => (count === 1 ? 'NAK' : 'ACK'));
    const { port } = await overTcp(made);
    const dc09 = { account: '1234', line: '1', transport: 'tcp', key: KEY };
    const {
      send,
      told: reported,
      capture,
    } = await sender({
      protocol: 'sia-dcs',
      destAddr: `127.0.0.1:${port}`,
      dc09,
    });
    await send();
    await vi.waitFor(() => expect(reported('/alarmSent')).toHaveLength(1), WAIT);
    const { document } = await capture.captureFor({ traceId: String(reported('/alarmSent')[0]?.traceId) });
    const tokens = document.messages.map(({ direction, text }) => [
      direction,
      /"([*A-Z-]+)"/.exec(text ?? '')?.[1],
    ]);
    expect(tokens).toEqual([
      ['out', '*SIA-DCS'],
      ['in', 'NAK'],
      ['out', '*SIA-DCS'],
      ['in', '*ACK'],
    ]);
  });

  it('gets one connection for all events, and the sequence counts', async () => {
    const made = receiver(() => 'ACK');
    const { port, connections } = await overTcp(made);
    const {
      send,
      told: reported,
      frames,
    } = await sender({ protocol: 'sia-dcs', destAddr: `127.0.0.1:${port}` });
    for (const unit of ['1', '2', '3']) await send(unit);
    await vi.waitFor(() => expect(reported('/alarmSent')).toHaveLength(3), WAIT);
    expect(connections()).toBe(1);
    expect(frames.open).toBe(1);
    const [first = 0, second = 0, third = 0] = made.heard.map(({ sequence }) => Number(sequence));
    expect([(second - first + 9_999) % 9_999, (third - second + 9_999) % 9_999]).toEqual([1, 1]);
  });

  it('that refuses (DUH) is left for the backup', async () => {
    const bad = receiver(() => 'DUH');
    const good = receiver(() => 'ACK');
    const { send, told: reported } = await sender({
      protocol: 'adm-cid',
      destAddr: `127.0.0.1:${(await overTcp(bad)).port}`,
      backupEndpoint: { backupDestAddr: `127.0.0.1:${(await overTcp(good)).port}` },
    });
    await send();
    await vi.waitFor(() => expect(reported('/alarmSent')).toHaveLength(1), WAIT);
    expect([bad.heard.length, good.heard.length]).toEqual([1, 1]);
    expect(bad.heard[0]?.sequence).toBe(good.heard[0]?.sequence);
  });

  it('that does not like our clock (NAK) gets its own time', async () => {
    const made = receiver((_, count) => (count === 1 ? 'NAK' : 'ACK'));
    const { port } = await overTcp(made);
    const { send, told: reported } = await sender({
      protocol: 'sia-dcs',
      destAddr: `127.0.0.1:${port}`,
      dc09: { account: '1234', key: KEY },
    });
    await send();
    await vi.waitFor(() => expect(reported('/alarmSent')).toHaveLength(1), WAIT);
    const [, year = ''] = /-(\d{4})$/.exec(made.heard[1]?.data ?? '') ?? [];
    expect(Number(year)).toBe(new Date().getUTCFullYear());
  });

  it('that is not there is reported as noRoute', async () => {
    const made = receiver(() => 'ACK');
    const { port } = await overTcp(made);
    const close = closing.splice(0);
    for (const each of close.reverse()) await each();
    const {
      site,
      send,
      told: reported,
    } = await sender({ protocol: 'sia-dcs', destAddr: `127.0.0.1:${port}` });
    await send();
    await vi.waitFor(async () => {
      await site.after(5_000);
      expect(reported('/alarmSendFailure')).toHaveLength(1);
    }, WAIT);
    expect(reported('/alarmSendFailure')).toMatchObject([{ warning: 'noRoute' }]);
  });
});
