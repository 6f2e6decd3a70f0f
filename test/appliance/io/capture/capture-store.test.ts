import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CapturedFlow, TraceLine } from '#appliance/capture/index.ts';
import { type CaptureStore, openCapture } from '#appliance/io/capture/index.ts';
import { subjectMatcher } from '#shared/matching/index.ts';
import { DEVICE, sipText } from '../../capture/sip-text.ts';

const MB = 1_000_000;
let folder: string;
let nowMs: number;
let store: CaptureStore;
let trace: readonly TraceLine[];
let failures: string[];

const opened = (bytes = 8 * MB): Promise<CaptureStore> =>
  openCapture({
    folder,
    bytes,
    keepMs: 14 * 86_400_000,
    ownAddress: '192.0.2.1',
    hostId: () => 'gw-1',
    program: 'carillon test',
    nowMs: () => nowMs,
    trace: () => [{ lines: trace }],
    failed: (reason) => failures.push(reason),
  });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-capture-'));
  nowMs = Date.UTC(2026, 10, 26, 12);
  trace = [];
  failures = [];
  store = await opened();
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

/** A MESSAGE and the 200 to it. */
function accepted(callId: string, body = '', route: CapturedFlow = DEVICE): void {
  store.sip.received(route, sipText('MESSAGE sip:centre@example.org SIP/2.0', callId, '1 MESSAGE', body));
  store.sip.sent(route, sipText('SIP/2.0 200 OK', callId, '1 MESSAGE'));
  nowMs += 1;
}

const onDisk = (): Buffer =>
  Buffer.concat(readdirSync(folder).map((file) => readFileSync(join(folder, file))));

/** Lets what was taken be looked at, as a pause of the traffic does. */
const drained = () => store.captureFor({ callIds: ['none'], fromMs: Number.MAX_SAFE_INTEGER });

describe('a capture', () => {
  it('has the messages of a Call-ID in order, with their ends and their path', async () => {
    accepted('a@b', '<mrq/>');
    accepted('other');
    const { document, pcapng } = await store.captureFor({ callIds: ['a@b'] });
    expect(document).toMatchObject({ v: 1, hostId: 'gw-1', overwritten: false, cut: false, missed: 0 });
    expect(document.counted).toEqual({ register: 0, options: 0, heartbeat: 0 });
    expect(document.messages).toMatchObject([
      {
        at: '2026-11-26T12:00:00.000000Z',
        direction: 'in',
        transport: 'UDP',
        protocol: 'sip',
        from: '198.51.100.7:5070',
        to: '192.0.2.1:5060',
        configuredAddress: true,
        text: expect.stringContaining('<mrq/>'),
      },
      { direction: 'out', from: '192.0.2.1:5060', to: '198.51.100.7:5070' },
    ]);
    expect((await pcapng()).readUInt32LE(0)).toBe(0x0a0d0d0a);
  });

  it('follows a trace to its calls, its panel and its callbacks', async () => {
    accepted('sip-1');
    store.frames.received({ ...DEVICE, transport: 'tcp' }, Buffer.from('\n1234"SIA-DCS"0001L0#1[]\r'));
    store.frames.sent({ ...DEVICE, transport: 'tcp' }, Buffer.from('\n1234"ACK"0001L0#1[]\r'));
    const post = store.posting(async (_: { url: string; headers: Record<string, string>; body: string }) => ({
      ok: true as const,
      value: { status: 200, headers: { 'content-type': 'application/json' }, body: '{"action":"drop"}' },
    }));
    await post({ url: 'https://app.example/x?y=1', headers: { 'x-trace-id': 't-1' }, body: '{"a":1}' });
    accepted('sip-2');
    trace = [
      { atMs: nowMs, kind: 'sipReceived', detail: { callId: 'sip-1' } },
      { atMs: nowMs, kind: 'frameReceived', detail: { source: '198.51.100.7:5070' } },
      { atMs: nowMs, kind: 'toneHeard', detail: { digits: 'B', level: -20 } },
    ];
    const { document } = await store.captureFor({ traceId: 't-1' });
    expect(document.traceId).toBe('t-1');
    expect(document.messages.map(({ protocol, direction }) => `${protocol} ${direction}`).sort()).toEqual([
      'dc09 in',
      'dc09 out',
      'http in',
      'http out',
      'sip in',
      'sip out',
    ]);
    const asked = document.messages.find(({ protocol }) => protocol === 'http');
    expect(asked).toMatchObject({ transport: 'HTTPS', to: 'app.example:443' });
    expect(asked?.text).toMatch(/^POST \/x\?y=1 HTTP\/1.1\r\nhost: app.example\r\n/);
    expect(document.media).toMatchObject([{ kind: 'toneHeard', detail: { digits: 'B' } }]);
  });

  it('has what still waits for an answer', async () => {
    store.sip.received(DEVICE, sipText('INVITE sip:1@example.org SIP/2.0', 'early', '1 INVITE'));
    expect((await store.captureFor({ callIds: ['early'] })).document.messages).toHaveLength(1);
  });

  it('keeps to the times that are wanted', async () => {
    const fromMs = nowMs + 1;
    for (let i = 0; i < 5; i++) accepted('a');
    const { document } = await store.captureFor({ callIds: ['a'], fromMs, toMs: fromMs + 2 });
    expect(document.messages).toHaveLength(6);
  });
});

describe('the ring', () => {
  it('is there again after a restart, and goes on behind it', async () => {
    accepted('before');
    await store.close();
    store = await opened();
    accepted('after');
    const { document } = await store.captureFor({ callIds: ['before', 'after'] });
    expect(document.messages).toHaveLength(4);
    expect(document.oldestAt).toBe('2026-11-26T12:00:00.000000Z');
    expect(readdirSync(folder)).toEqual(['known-00.segment']);
  });

  it('is there again after the program was killed in the middle of a record', async () => {
    for (let i = 0; i < 10; i++) accepted(`call-${i}`);
    await drained();
    const file = join(folder, 'known-00.segment');
    const bytes = readFileSync(file);
    // The last record was written in part: its checksum is wrong.
    bytes.fill(0, bytes.indexOf('call-9'), bytes.lastIndexOf('call-9'));
    const copy = mkdtempSync(join(tmpdir(), 'carillon-capture-'));

    writeFileSync(join(copy, 'known-00.segment'), bytes);
    await store.close();
    rmSync(folder, { recursive: true });
    folder = copy;
    store = await opened();
    accepted('after');
    const { document } = await store.captureFor({ callIds: ['call-8', 'call-9', 'after'] });
    expect(document.messages.length).toBeGreaterThanOrEqual(4);
    expect(document.messages.length).toBeLessThan(6);
  });

  it('stays within its size, and says what was written over', async () => {
    for (let i = 0; i < 12_000; i++) {
      accepted(`call-${i}`, 'x'.repeat(500));
      if (i % 500 === 0) await drained();
    }
    const first = await store.captureFor({ callIds: ['call-0'] });
    expect(first.document).toMatchObject({ overwritten: true, messages: [] });
    const begunMs = Date.UTC(2026, 10, 26, 12);
    const { document, pcapng } = await store.captureFor({ callIds: ['call-11999'], fromMs: begunMs });
    expect(document).toMatchObject({ overwritten: true, missed: 0 });
    expect(Date.parse(document.oldestAt ?? '')).toBeGreaterThan(begunMs);
    expect(document.messages).toHaveLength(2);
    expect((await pcapng()).includes('The ring was overwritten')).toBe(true);
    const recent = await store.captureFor({ callIds: ['call-11999'], fromMs: nowMs - 10 });
    expect(recent.document.overwritten).toBe(false);
    const size = readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
    expect(size).toBeLessThanOrEqual(8 * MB);
  });

  it('keeps a device through a flood of unknown senders', { timeout: 300_000 }, async () => {
    accepted('device');
    for (let i = 0; i < 40_000; i++) {
      const route = { ...DEVICE, remoteAddress: `203.0.113.${i % 200}` };
      store.sip.received(route, sipText('INVITE sip:900@example.org SIP/2.0', `flood-${i}`, '1 INVITE'));
      store.sip.sent(route, sipText('SIP/2.0 403 Forbidden', `flood-${i}`, '1 INVITE'));
      nowMs += 1;
      if (i % 500 === 0) await drained();
    }
    const { document } = await store.captureFor({ callIds: ['device', 'flood-39999'] });
    expect(document.messages).toHaveLength(4);
    expect(document.overwritten).toBe(false);
    expect((await store.captureFor({ callIds: ['flood-0'] })).document.messages).toEqual([]);
  });

  it('finds a message although the clock was set back before it', async () => {
    const hour = 3_600_000;
    nowMs += 5 * hour;
    accepted('ahead');
    await store.close();
    nowMs -= 5 * hour;
    store = await opened();
    for (let i = 0; i < 3_000; i++) {
      accepted(`call-${i}`, 'x'.repeat(500));
      if (i % 500 === 0) await drained();
    }
    expect(readdirSync(folder).length).toBeGreaterThan(1);
    const found = async (callId: string, atMs: number) => {
      const times = { fromMs: atMs - 60_000, toMs: atMs + 60_000 };
      return (await store.captureFor({ callIds: [callId], ...times })).document.messages.length;
    };
    // The second time all of them were read once, and their times are known.
    for (const _ of [1, 2]) {
      expect(await found('ahead', nowMs + 5 * hour)).toBe(2);
      expect(await found('call-1', nowMs)).toBe(2);
      expect(await found('call-1', nowMs + 5 * hour)).toBe(0);
    }
  });

  it('starts empty with another size, and leaves no file of the old one', async () => {
    accepted('before');
    await store.close();
    store = await opened(16 * MB);
    accepted('after');
    const { document } = await store.captureFor({ callIds: ['before', 'after'] });
    expect(document.messages).toHaveLength(2);
    expect(statSync(join(folder, 'known-00.segment')).size).toBe(1_800_000);
  });

  it('says once that its files cannot be written, and lets messages pass', async () => {
    await store.close();
    rmSync(folder, { recursive: true });

    store = await opened();
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'a file in the place of the folder');
    for (let i = 0; i < 3; i++) {
      accepted(`call-${i}`);
      await drained();
    }
    expect(failures).toHaveLength(1);
    expect(failures[0]).toContain('ENOTDIR');
    expect(store.counts.missed).toBeGreaterThan(0);
  });
});

describe('the files', () => {
  it('hold no secret', async () => {
    const secrets = [
      'PLANTED-RESPONSE',
      'PLANTED-NONCE',
      'PLANTED-SRTP',
      'PLANTED-BEARER',
      'PLANTED-KEY',
      'PLANTED-PASSWORD',
    ];
    const [response, nonce, srtp, bearer, key, password] = secrets;
    const sip = Buffer.from(
      [
        'INVITE sip:centre@example.org SIP/2.0',
        `Authorization: Digest username="device-1", nonce="${nonce}", response="${response}"`,
        `Contact: <sip:device-1:${password}@198.51.100.7>`,
        'Call-ID: secret-1',
        'CSeq: 1 INVITE',
        'Content-Type: application/sdp',
        '',
        'v=0',
        `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${srtp}`,
        '',
      ].join('\r\n'),
    );
    store.sip.received(DEVICE, sip);
    store.sip.sent(DEVICE, sipText('SIP/2.0 200 OK', 'secret-1', '1 INVITE'));
    store.sip.received({ ...DEVICE, remoteAddress: '203.0.113.9' }, sip);
    const post = store.posting(async (_: { url: string; headers: Record<string, string>; body: string }) => ({
      ok: true as const,
      value: { status: 200, headers: { 'set-cookie': `id=${password}` }, body: `{"token":"${key}"}` },
    }));
    await post({
      url: `https://app.example/?api_key=${key}`,
      headers: { authorization: `Bearer ${bearer}`, 'x-trace-id': 'secret-1' },
      body: `{"apiKey":"${key}","password":"${password}"}`,
    });
    const { document, json, pcapng } = await store.captureFor({ callIds: ['secret-1'] });
    const files = [await json(), await pcapng()];
    await store.close();
    expect(document.messages.length).toBeGreaterThanOrEqual(4);
    expect(onDisk().includes('AES_CM_128')).toBe(true);
    for (const secret of secrets)
      for (const where of [onDisk(), ...files]) expect(where.includes(secret), secret).toBe(false);
    // The bytes of the engine are not those of the capture.
    expect(sip.includes('PLANTED-SRTP')).toBe(true);
  });

  it('hold nothing that was kept long enough, and the younger', async () => {
    accepted('old');
    nowMs += 13 * 86_400_000;
    accepted('young');
    nowMs += 2 * 86_400_000;
    await drained();
    expect(onDisk().includes('old')).toBe(true);
    await store.expire();
    const files = onDisk();
    expect(files.includes('old')).toBe(false);
    expect(files.includes(DEVICE.remoteAddress)).toBe(true);
    const { document } = await store.captureFor({ callIds: ['old', 'young'] });
    expect(document.messages).toHaveLength(2);
  });

  it('hold nothing of a person after an erasure, and everything of the others', async () => {
    const number = '46701234567';
    accepted('theirs', `<lid>+${number}</lid>`);
    accepted('other', '<lid>+467012345678</lid>');
    accepted('traced');
    trace = [{ atMs: nowMs, kind: 'sipReceived', detail: { callId: 'traced' } }];
    await drained();
    expect(onDisk().includes(`+${number}<`)).toBe(true);
    expect(await store.erase(subjectMatcher({ address: `+${number}` }).isIn, ['t-1'])).toBe(4);
    const files = onDisk();
    expect(files.includes(`+${number}<`)).toBe(false);
    expect(files.includes('theirs')).toBe(false);
    expect(
      (await store.captureFor({ callIds: ['theirs', 'traced', 'other'] })).document.messages,
    ).toHaveLength(2);
    await store.close();
    store = await opened();
    expect((await store.captureFor({ callIds: ['other'] })).document.messages).toHaveLength(2);
  });
});
