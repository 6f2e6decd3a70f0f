import { promisify } from 'node:util';
import { gunzip, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CapturedMessage, pcapng } from '#appliance/capture/index.ts';
import { recordCaptureRouter } from '#cloud/http/index.ts';
import { CAPTURE_LIMIT_BYTES, CaptureRelay, RecordIntake } from '#cloud/record/index.ts';
import { auditAfter, tenantByDomain, updateHostStatus } from '#cloud/store/index.ts';
import type { SessionCapture } from '#shared/contract/session-record/index.ts';
import { fail, ok } from '#shared/result.ts';
import { batchOf, callOf, NOW, recordIdOf, twoHosts } from '../../record/stage.ts';
import { ask, makeTenant, openApi, type TestApi } from '../api.ts';
import { makePerson } from '../people.ts';

const unpacked = promisify(gunzip);
const AT = '2026-11-26T12:00:00';
const REPORT = { messages: 1, overwritten: false, oldestAt: `${AT}.000000Z`, cut: false };

/** A message of a host; `second` places it in time. */
const lineOf = (second: number, text: string) => ({
  ...{ at: `${AT.slice(0, -2)}0${second}.000000Z`, direction: 'in', transport: 'UDP', protocol: 'sip' },
  ...{ from: '192.0.2.7:5060', to: '192.0.2.1:5060', text },
});
const documentOf = (...messages: object[]) => ({ v: 1, kind: 'carillon-capture', messages, media: [] });
const MESSAGES = {
  gw1: documentOf(lineOf(1, 'INVITE'), lineOf(3, 'ACK')),
  gw2: documentOf(lineOf(2, '200 OK')),
};

const packetOf = (second: number, text: string): CapturedMessage =>
  ({
    ...{ atMs: NOW + second * 1_000, direction: 'in', protocol: 'sip', key: 'call' },
    flow: {
      ...{ transport: 'UDP', localAddress: '192.0.2.1', localPort: 5060 },
      ...{ remoteAddress: '192.0.2.7', remotePort: 5060 },
    },
    bytes: Buffer.from(text),
  }) as unknown as CapturedMessage;
const fileOf = (...packets: CapturedMessage[]): Buffer =>
  pcapng(packets, { program: 'carillon', ownAddress: '192.0.2.1' });
const FILES = {
  gw1: fileOf(packetOf(1, 'INVITE'), packetOf(3, 'ACK')),
  gw2: fileOf(packetOf(2, '200 OK')),
};

type Act = { sends?: Uint8Array; says?: object; silent?: true };

let api: TestApi;
let token: string;
let other: string;
let tenant: string;
let captures: CaptureRelay;
/** The act of a host that is asked. */
let host: (uid: 'gw1' | 'gw2', format: string, url: string) => Act | Promise<Act>;
let asked: string[];

beforeEach(async () => {
  asked = [];
  host = (uid, format) => ({
    sends: gzipSync(format === 'json' ? JSON.stringify(MESSAGES[uid]) : FILES[uid]),
    says: { data: { ...REPORT, messages: uid === 'gw1' ? 2 : 1 } },
  });
  api = await openApi({}, async (store) => {
    captures = new CaptureRelay({
      ...{ store, edgeUrl: () => 'https://edge.test', nowMs: () => api.clock.now },
      random: (length) => crypto.getRandomValues(new Uint8Array(length)),
      gunzip: async (bytes, maxOutputLength) => unpacked(bytes, { maxOutputLength }),
      ask: async (uid, { op, args }) => {
        asked.push(`${uid} ${op} ${String(args.traceId)} ${String(args.format)}`);
        const url = String(args.url);
        const { sends, says, silent } = await host(uid as 'gw1', String(args.format), url);
        if (silent === true) return fail('late', 'no answer came within 15 s');
        expect(url).toMatch(/^https:\/\/edge\.test\/edge\/v1\/capture\/\w+$/);
        if (sends !== undefined) await captures.put(url.split('/').at(-1) ?? '', uid, sends);
        return ok({ ...{ v: 1, id: '', ok: true, data: REPORT, part: 1, last: true }, ...says });
      },
    });
    return [recordCaptureRouter(captures)];
  });
  api.clock.now = NOW + 10_000;
  token = await makeTenant(api, 'a.test');
  other = await makeTenant(api, 'b.test');
  const { store } = api.database;
  tenant = (await tenantByDomain(store, 'a.test'))?.id ?? '';
  await twoHosts(store, tenant);
  const intake = new RecordIntake({ store, onTaken: () => undefined });
  const place = { tenant, siteId: 'north', uid: 'gw1', sh: '00' };
  await intake.take(place, 'gw1', batchOf([1, callOf(1)], [2, callOf(2, { traceId: undefined })]), NOW);
});
afterEach(() => api.close());

const path = (n: number, file = 'capture.json', domain = 'a.test') =>
  `/record/${domain}/${recordIdOf(n)}/${file}`;
const read = async () => (await ask(api, 'GET', path(1), { token })).body.capture as SessionCapture;
const download = (by = token) =>
  api.app.request(path(1, 'capture.pcap'), { headers: { Authorization: `Bearer ${by}` } });
const away = (uid: string) =>
  api.database.store.withTx((tx) =>
    updateHostStatus(tx, uid, { connectivity: 'offline', lastSeen: NOW - 5_000 }),
  );
const looks = async () =>
  (await auditAfter(api.database.store, tenant, 0, 100)).filter(({ entity }) => entity === 'capture');

/** The blocks of a pcapng file: type and bytes. */
function blocksOf(file: Buffer): { type: number; block: Buffer }[] {
  const blocks: { type: number; block: Buffer }[] = [];
  for (let at = 0; at < file.length; at += file.readUInt32LE(at + 4))
    blocks.push({ type: file.readUInt32LE(at), block: file.subarray(at, at + file.readUInt32LE(at + 4)) });
  return blocks;
}

test('the messages of all hosts of the site are joined by time, and each look is audited', async () => {
  const capture = await read();
  expect(capture).toMatchObject({ traceId: 'trace-1', complete: true, overwritten: false, cut: false });
  expect(capture.messages.map(({ hostId, text }) => [hostId, text])).toEqual([
    ['gw1', 'INVITE'],
    ['gw2', '200 OK'],
    ['gw1', 'ACK'],
  ]);
  expect(capture.hosts[0]).toEqual({ hostId: 'gw1', state: 'sent', ...REPORT, messages: 2 });
  // Nothing is kept: they are asked again.
  await read();
  expect(asked).toEqual(
    [1, 2].flatMap(() => ['gw1', 'gw2'].map((uid) => `${uid} capture.export trace-1 json`)),
  );
  const detail = { recordId: recordIdOf(1), siteId: 'north', format: 'json' };
  expect((await looks()).map((each) => [each.action, each.entityId, each.detail])).toEqual(
    [1, 2].map(() => ['read', 'trace-1', detail]),
  );
});

test('one file for Wireshark has the packets of all hosts in order, on interfaces that name the host', async () => {
  const answer = await download();
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/x-pcapng');
  expect(answer.headers.get('content-disposition')).toContain(`${recordIdOf(1)}.pcapng`);
  expect(answer.headers.get('x-capture-hosts')).toBe('gw1, gw2');
  const blocks = blocksOf(Buffer.from(await answer.arrayBuffer()));
  expect(blocks.map(({ type }) => type)).toEqual([0x0a0d0d0a, 1, 1, 1, 1, 6, 6, 6]);
  const packets = blocks.filter(({ type }) => type === 6).map(({ block }) => block);
  expect(packets.map((block) => block.readUInt32LE(8))).toEqual([0, 2, 0]);
  expect(packets.map((block) => /INVITE|200 OK|ACK/.exec(block.toString('latin1'))?.[0])).toEqual([
    'INVITE',
    '200 OK',
    'ACK',
  ]);
  const names = blocks.filter(({ type }) => type === 1).map(({ block }) => block.toString('latin1'));
  expect(names.map((name) => /host gw\d/.exec(name)?.[0])).toEqual([
    'host gw1',
    'host gw1',
    'host gw2',
    'host gw2',
  ]);
});

test('a host that is away is named; without any part the answer says which one, and since when', async () => {
  await away('gw2');
  expect(await read()).toMatchObject({
    complete: false,
    hosts: [{ state: 'sent' }, { hostId: 'gw2', state: 'away', since: NOW - 5_000 }],
  });
  expect((await download()).headers.get('x-capture-missing')).toBe('gw2');
  await away('gw1');
  const { status, body } = await ask(api, 'GET', path(1), { token });
  expect([status, body.error]).toEqual([409, { code: 'hostAway' }]);
  expect(body.reason).toContain(`the host gw1 is away since ${new Date(NOW - 5_000).toISOString()}`);
  expect((await download()).status).toBe(409);
});

test('a host that does not answer is 504, and one that captures nothing is 502 with its reason', async () => {
  host = () => ({ silent: true });
  const late = await ask(api, 'GET', path(1), { token });
  expect([late.status, late.body.error]).toEqual([504, { code: 'hostSilent' }]);
  host = () => ({
    says: { ok: false, error: { code: 'captureOff', reason: 'this host captures no messages' } },
  });
  const off = await ask(api, 'GET', path(1), { token });
  expect([off.status, off.body.error]).toEqual([502, { code: 'hostRefused' }]);
  expect(off.body.reason).toContain('gw1 sent no capture: this host captures no messages');
});

test('a capture that was overwritten says so and from when it is', async () => {
  host = (_, format) => ({
    sends: gzipSync(format === 'json' ? JSON.stringify(documentOf()) : fileOf()),
    says: { data: { ...REPORT, messages: 0, overwritten: true } },
  });
  expect(await read()).toMatchObject({
    ...{ complete: false, overwritten: true, messages: [] },
    hosts: [
      { state: 'empty', overwritten: true, oldestAt: REPORT.oldestAt },
      { state: 'empty', overwritten: true },
    ],
  });
  const answer = await download();
  expect(answer.headers.get('x-capture-overwritten')).toBe('true');
  expect(Buffer.from(await answer.arrayBuffer()).toString('latin1')).toContain(
    `was overwritten and begins at ${REPORT.oldestAt}`,
  );
});

test('a capture is at most 16 MiB, and what is no capture is not believed', async () => {
  const long = Buffer.alloc(60_000, 97).toString();
  const many = Array.from({ length: 300 }, (_, n) => lineOf(n % 10, long));
  host = (_, format) => ({
    sends: gzipSync(
      format === 'json'
        ? JSON.stringify(documentOf(...many))
        : fileOf(...many.map((__, n) => packetOf(n, long))),
    ),
  });
  const capture = await read();
  expect(capture).toMatchObject({ cut: true, complete: false });
  expect(JSON.stringify(capture.messages).length).toBeLessThan(CAPTURE_LIMIT_BYTES + 1_000);
  const file = await (await download()).arrayBuffer();
  expect(file.byteLength).toBeLessThan(CAPTURE_LIMIT_BYTES + 2_000);
  expect(Buffer.from(file).subarray(0, 2_000).toString('latin1')).toMatch(
    /the last \d+ packets were left out/,
  );
  const torn = Buffer.from(FILES.gw1);
  torn.writeUInt32LE(4, torn.length - 4);
  for (const sends of [Buffer.from('no gzip'), gzipSync('{"v":2}'), gzipSync(torn), gzipSync('')]) {
    host = () => ({ sends });
    for (const file of ['capture.json', 'capture.pcap']) {
      const { status, body } = await ask(api, 'GET', path(1, file), { token });
      expect([status, body.reason]).toEqual([502, expect.stringContaining('something that is no capture')]);
    }
  }
});

test('an address works once, for its host, and not for too much', async () => {
  host = async (uid, _, url) => {
    const id = url.split('/').at(-1) ?? '';
    expect(await captures.put(id, 'gw9', Buffer.from(''))).toMatchObject({ error: { code: 'notFound' } });
    expect(await captures.put(id, uid, Buffer.alloc(CAPTURE_LIMIT_BYTES + 1))).toMatchObject({
      error: { code: 'tooLarge' },
    });
    expect((await captures.put(id, uid, gzipSync(JSON.stringify(MESSAGES[uid])))).ok).toBe(true);
    expect((await captures.put(id, uid, gzipSync('{}'))).ok).toBe(false);
    return {};
  };
  expect((await read()).messages).toHaveLength(3);
});

test('four captures are fetched at a time; one more is asked to wait', async () => {
  const gate = Promise.withResolvers<void>();
  const all = Promise.withResolvers<void>();
  host = async (uid, _, _url) => {
    if (asked.length === 8) all.resolve();
    await gate.promise;
    return { sends: gzipSync(JSON.stringify(MESSAGES[uid])) };
  };
  const running = Array.from({ length: 4 }, read);
  await all.promise;
  expect((await ask(api, 'GET', path(1), { token })).status).toBe(429);
  gate.resolve();
  expect((await Promise.all(running)).map(({ messages }) => messages.length)).toEqual([3, 3, 3, 3]);
  expect((await read()).messages).toHaveLength(3);
});

test('only a token with the scope capture opens it; another tenant sees what does not exist', async () => {
  const made = async (scope: string) =>
    String((await ask(api, 'POST', '/provisioning/apitoken/a.test', { token, body: { scope } })).body.token);
  for (const scope of ['read', 'provisioning runtime site read']) {
    const by = await made(scope);
    expect((await ask(api, 'GET', path(1), { token: by })).status).toBe(403);
    expect((await download(by)).status).toBe(403);
  }
  expect(asked).toEqual([]);
  const capture = await made('capture');
  expect((await ask(api, 'GET', path(1), { token: capture })).status).toBe(200);
  expect((await download(capture)).status).toBe(200);
  expect((await ask(api, 'GET', '/provisioning/apitoken/a.test', { token: capture })).status).toBe(403);
  expect((await ask(api, 'GET', path(1), { token: other })).status).toBe(403);
  for (const [role, status] of [
    ['viewer', 403],
    ['operator', 200],
    ['technician', 200],
  ] as const) {
    const { cookie } = await makePerson(api, 'a.test', `${role}@care.example`, role);
    const headers = { Cookie: `__Host-carillon=${cookie}` };
    expect([role, (await ask(api, 'GET', path(1), { token: null, headers })).status]).toEqual([role, status]);
  }
  const before = asked.length;
  for (const file of ['capture.json', 'capture.pcap']) {
    const foreign = await ask(api, 'GET', path(1, file, 'b.test'), { token: other });
    const unknown = await ask(api, 'GET', path(77, file, 'b.test'), { token: other });
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    const nameless = (reason: unknown, n: number) => String(reason).replace(recordIdOf(n), '');
    expect(nameless(foreign.body.reason, 1)).toBe(nameless(unknown.body.reason, 77));
  }
  expect((await ask(api, 'GET', path(2), { token })).body.reason).toContain('has no trace');
  expect(asked).toHaveLength(before);
});
