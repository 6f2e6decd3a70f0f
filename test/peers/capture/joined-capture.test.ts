import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type CapturedMessage, pcapng } from '#appliance/capture/index.ts';
import { joinedPcapng } from '#cloud/record/format/pcapng.ts';
import { runProgram } from '../support/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'carillon-joined-'));
afterAll(() => rmSync(folder, { recursive: true }));

const BEGIN_MS = 1_795_680_000_000;

const messageOf = (afterMs: number, method: string, transport: 'UDP' | 'TLS'): CapturedMessage => ({
  ...({ atMs: BEGIN_MS + afterMs, direction: 'in', protocol: 'sip', key: 'call' } as const),
  flow: {
    ...{ transport, localAddress: '192.0.2.1', localPort: 5060 },
    ...{ remoteAddress: '192.0.2.7', remotePort: 5060 },
  },
  bytes: Buffer.from(`${method} sip:a@b.test SIP/2.0\r\nCall-ID: call\r\nContent-Length: 0\r\n\r\n`),
});
const fileOf = (...messages: CapturedMessage[]): Buffer =>
  pcapng(messages, { program: 'carillon test', ownAddress: '192.0.2.1' });

it('tshark reads the captures of two hosts as one, in the order of time, and knows whose each packet is', async () => {
  const hosts = [
    { hostId: 'gw-1', bytes: fileOf(messageOf(1, 'INVITE', 'UDP'), messageOf(3, 'ACK', 'TLS')) },
    { hostId: 'gw-2', bytes: fileOf(messageOf(2, 'BYE', 'TLS')) },
  ];
  const file = join(folder, 'joined.pcapng');
  writeFileSync(file, joinedPcapng(hosts, 1_000_000, () => 'two hosts').bytes);
  const fields = ['frame.interface_description', 'sip.Method', 'frame.time_epoch'];
  const { stdout } = await runProgram('tshark', [
    '-r',
    file,
    '-T',
    'fields',
    ...fields.flatMap((each) => ['-e', each]),
  ]);
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  expect(rows.map(([host, method]) => [host, method])).toEqual([
    ['host gw-1', 'INVITE'],
    ['host gw-2', 'BYE'],
    ['host gw-1', 'ACK'],
  ]);
  const time = String(rows[1]?.[2]);
  // Seconds, or ISO 8601 in newer versions.
  const atMs = /^[\d.]+$/.test(time) ? Math.round(Number(time) * 1_000) : Date.parse(time);
  expect(atMs).toBe(BEGIN_MS + 2);
});
