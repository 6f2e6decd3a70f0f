import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type CaptureStore, openCapture } from '#appliance/io/capture/index.ts';
import { answered } from '#test/support/appliance.ts';
import { realAppliance } from '#test/support/real-appliance.ts';

/* An alarm of a device at a socket, and everything of it that its trace leads to. */

let folder: string;
let store: CaptureStore;
let site: Awaited<ReturnType<typeof realAppliance>>;
let device: Socket;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-captured-'));
  store = await openCapture({
    folder,
    bytes: 8_000_000,
    keepMs: 14 * 86_400_000,
    ownAddress: '127.0.0.1',
    hostId: () => 'gw-1',
    program: 'carillon test',
    nowMs: () => performance.timeOrigin + performance.now(),
    trace: (traceId) => [{ lines: site.trace(traceId) }],
    failed: (reason) => {
      throw new Error(reason);
    },
  });
  site = await realAppliance({}, undefined, store.sip);
  device = createSocket('udp4');
  device.bind(0, '127.0.0.1');
  await once(device, 'listening');
});

afterEach(async () => {
  device.close();
  await site.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

const fieldOf = (text: string, name: string): string =>
  new RegExp(`^${name}: (.*)\\r$`, 'm').exec(text)?.[1] ?? '';

/** A device that sends one request, and takes every request of ours with a 200. */
function sends(method: string, callId: string, body: string): void {
  const { port } = device.address();
  device.on('message', (bytes) => {
    const text = bytes.toString();
    if (text.startsWith('SIP/2.0')) return;
    const echo = ['Via', 'From', 'To', 'Call-ID', 'CSeq'].map((name) => `${name}: ${fieldOf(text, name)}`);
    device.send(
      ['SIP/2.0 200 OK', ...echo, 'Content-Length: 0', '', ''].join('\r\n'),
      site.port('UDP'),
      '127.0.0.1',
    );
  });
  const head = [
    `${method} sip:scaip@127.0.0.1 SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bK${callId}`,
    'Max-Forwards: 70',
    'From: <sip:scaip-0001@care.example>;tag=1',
    'To: <sip:scaip@care.example>',
    `Call-ID: ${callId}`,
    `CSeq: 1 ${method}`,
    'Content-Type: application/scaip+xml',
    `Content-Length: ${body.length}`,
  ];
  device.send([...head, '', body].join('\r\n'), site.port('UDP'), '127.0.0.1');
}

it('its trace leads to the request, our answer to it, and both confirmations', async () => {
  site.bridge();
  site.device({ deviceId: 'scaip-0001' });
  site.answerBy(() => answered({ action: 'drop' }));
  sends('MESSAGE', 'alarm-1', '<mrq><ref>A1</ref><cid>scaip-0001</cid><dty>0003</dty><stc>0010</stc></mrq>');
  const traceId = await vi.waitFor(() => {
    const id = String(site.posted[0]?.body.traceId);
    expect(site.trace(id).map(({ kind }) => kind)).toContain('deviceConfirmed');
    return id;
  }, 30_000);
  const { document } = await store.captureFor({ traceId });
  const lines = document.messages.map(
    ({ direction, text = '' }) => `${direction} ${text.split(' sip:')[0]?.split('\r\n')[0]}`,
  );
  expect(lines).toEqual(['in MESSAGE', 'out SIP/2.0 200 OK', 'out MESSAGE', 'in SIP/2.0 200 OK']);
  expect(document.messages[2]?.text).toContain('<ref>A1</ref>');
});

it('a heartbeat leaves a count', async () => {
  site.bridge();
  site.device({ deviceId: 'scaip-0001' });
  sends('MESSAGE', 'beat-1', '<mrq><ref>B1</ref><cid>scaip-0001</cid><mty>PI</mty></mrq>');
  await vi.waitFor(async () => {
    const { document } = await store.captureFor({ callIds: ['beat-1'] });
    expect(document.messages).toEqual([]);
    expect(store.counts.routine.heartbeat).toBe(1);
  }, 30_000);
});
