import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { capturesOf } from '#appliance/compose/remote.ts';
import { type CaptureStore, openCapture } from '#appliance/io/capture/index.ts';
import type { HostIdentity } from '#appliance/site/index.ts';
import { openFolderAuthority } from '#test/support/installation/folder-authority.ts';
import { DEVICE, sipText } from '../capture/sip-text.ts';

/* The cloud asks for a capture, and the host puts it where it says. */

let folder: string;
let edge: Server;
let store: CaptureStore;
let identity: HostIdentity;
const puts: { readonly path: string | undefined; readonly body: Buffer }[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-capture-operation-'));
  const authority = await openFolderAuthority(folder, Date.now());
  const { cert, key } = await authority.issueServer(['127.0.0.1'], Date.now());
  edge = createServer({ cert, key, ca: authority.ca }, async (request, answer) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    puts.push({ path: request.url, body: Buffer.concat(parts) });
    answer.writeHead(request.url?.endsWith('/used') === true ? 404 : 200).end('{}');
  });
  edge.listen(0, '127.0.0.1');
  await once(edge, 'listening');
  const edgeUrl = `https://127.0.0.1:${(edge.address() as AddressInfo).port}`;
  identity = { certificatePem: cert, keyPem: key, caPem: authority.ca, edgeUrl } as HostIdentity;
  store = await openCapture({
    folder: join(folder, 'ring'),
    bytes: 8_000_000,
    keepMs: 14 * 86_400_000,
    ownAddress: '192.0.2.1',
    hostId: () => 'gw-1',
    program: 'carillon test',
    nowMs: () => Date.now(),
    trace: () => [],
    failed: () => undefined,
  });
  store.sip.received(DEVICE, sipText('MESSAGE sip:a@b SIP/2.0', 'call-1', '1 MESSAGE', 'hello'));
  store.sip.sent(DEVICE, sipText('SIP/2.0 200 OK', 'call-1', '1 MESSAGE'));
});
beforeEach(() => void puts.splice(0));
afterAll(async () => {
  await store.close();
  edge.close();
  rmSync(folder, { recursive: true });
});

const ask = async (args: Record<string, unknown>, capture: CaptureStore | undefined = store) =>
  await capturesOf(capture, { identity })['capture.export']?.({ args, by: 'user:ada' });

it('is put to its one-time address, compressed, and the answer says what is in it', async () => {
  const url = `${identity.edgeUrl}/edge/v1/capture/ticket`;
  const answer = await ask({ url, callIds: ['call-1'] });
  const [put] = puts;
  expect(put?.path).toBe('/edge/v1/capture/ticket');
  const body = put?.body ?? Buffer.alloc(0);
  const document = JSON.parse(gunzipSync(body).toString()) as { messages: object[] };
  expect(document).toMatchObject({ kind: 'carillon-capture', hostId: 'gw-1', messages: [{}, {}] });
  const sha256 = createHash('sha256').update(body).digest('hex');
  expect(answer).toMatchObject({
    ok: true,
    value: { bytes: body.length, sha256, messages: 2, overwritten: false, cut: false },
  });
});

it('is a file for Wireshark where that is asked for', async () => {
  await ask({ url: `${identity.edgeUrl}/edge/v1/capture/t`, callIds: ['call-1'], format: 'pcapng' });
  expect(gunzipSync(puts[0]?.body ?? Buffer.alloc(0)).readUInt32LE(0)).toBe(0x0a0d0d0a);
});

it.each([
  [
    'an address elsewhere',
    { url: 'https://evil.example/edge/v1/capture/t', callIds: ['call-1'] },
    'foreignAddress',
  ],
  ['no trace and no call', { url: 'x' }, 'invalid'],
])('%s is refused', async (_, args, code) => {
  expect(await ask(args)).toMatchObject({ ok: false, code });
  expect(puts).toEqual([]);
});

it('an address that was used, and a capture that is off, are refused with a reason', async () => {
  const url = `${identity.edgeUrl}/edge/v1/capture/used`;
  expect(await ask({ url, callIds: ['call-1'] })).toEqual({
    ok: false,
    code: 'unreachable',
    reason: 'the control plane answered 404 to the capture',
  });
  const off = await capturesOf(undefined, { identity })['capture.export']?.({
    args: { url, traceId: 't' },
    by: 'user:ada',
  });
  expect(off).toMatchObject({ ok: false, code: 'captureOff' });
});
