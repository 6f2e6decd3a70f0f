import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEdgeApp, type EdgePort } from '#cloud/http/index.ts';
import { type AskHost, RecordingRelay } from '#cloud/site/index.ts';
import { updateHostStatus } from '#cloud/store/index.ts';
import { ok } from '#shared/result.ts';
import { ask, makeTenant } from '../api.ts';
import { type HostStage, openHostStage } from '../host-stage.ts';

const NAME = 'siprec-7c1f.wav';
const bytes = new Uint8Array(300_000).map((_, at) => at % 251);

let stage: HostStage;
let edge: ReturnType<typeof createEdgeApp>;
let uid: string;
/** The host whose connection the edge listener sees, and what it does with a request to send. */
let peer: string;
let sending: boolean;
let sent: Promise<number>[];

beforeEach(async () => {
  stage = await openHostStage();
  uid = await stage.serving('box-1');
  await stage.serving('box-2');
  const { api } = stage;
  [peer, sending, sent] = [uid, true, []];
  const host: AskHost = async (asked, { op, args, by }) => {
    stage.asked.push([op, by]);
    const answer = (done: boolean, data: Record<string, unknown>) =>
      ok({ v: 1, id: '01jc7z5t3k9q8w6m4n2p0r1s5v', ok: done, data, part: 1, last: true } as const);
    if (asked !== uid || args.fileName !== NAME) return answer(false, {});
    if (typeof args.url === 'string' && sending) sent.push(put(new URL(args.url).pathname));
    return answer(true, { size: bytes.length });
  };
  const relay = new RecordingRelay({
    store: api.database.store,
    ask: host,
    edgeUrl: () => 'https://edge.example:8444',
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    nowMs: () => api.clock.now,
    after: (ms, run) => void stage.due.push({ ms, run }),
  });
  api.sites.find = relay.find.bind(relay);
  api.sites.open = relay.open.bind(relay);
  edge = createEdgeApp({
    sites: { admit: async () => ({ place: { tenant: stage.tenant }, lifecycle: 'active' }) },
    recordings: relay,
    prompts: api.prompts,
    peerOf: () => ({ authorized: true, uid: peer, serial: '1', address: '127.0.0.1' }),
    nowMs: () => api.clock.now,
    onDefect: (error: unknown) => api.defects.push(error),
  } as unknown as EdgePort);
});
afterEach(async () => {
  expect(stage.api.defects).toEqual([]);
  await stage.close();
});

const put = async (path: string): Promise<number> =>
  (await edge.request(path, { method: 'PUT', body: bytes })).status;
const get = (name: string, token = stage.token, more: Readonly<Record<string, string>> = {}) =>
  stage.api.app.request(`/mediaservice/a.test/promptfile/${name}`, {
    headers: { Authorization: `Bearer ${token}`, ...more },
  });

test('a recording of a recording service is played at the control plane from its host, and kept nowhere', async () => {
  const received = await get(NAME);
  expect([
    received.status,
    received.headers.get('content-type'),
    received.headers.get('content-length'),
  ]).toEqual([200, 'audio/wav', String(bytes.length)]);
  expect(Buffer.from(await received.arrayBuffer()).equals(bytes)).toBe(true);
  expect(await Promise.all(sent)).toEqual([200]);
  expect((await ask(stage.api, 'GET', '/a.test/promptfile', { token: stage.token })).body.files).toEqual([]);
  const { body } = await ask(stage.api, 'GET', `/a.test/promptfile/${NAME}/url`, { token: stage.token });
  const signed = new URL(String(body.url));
  const again = await stage.api.app.request(`${signed.pathname}${signed.search}`);
  expect(Buffer.from(await again.arrayBuffer()).equals(bytes)).toBe(true);
  const { entries } = (await ask(stage.api, 'GET', '/provisioning/audit/a.test', { token: stage.token }))
    .body;
  const reads = (entries as { action: string; entityId: string; detail: object }[]).filter(
    ({ entityId }) => entityId === NAME,
  );
  expect(reads.map(({ action, detail }) => [action, detail])).toEqual([
    ['read', { hostId: 'box-1' }],
    ['read url', { hostId: 'box-1' }],
    ['read', { hostId: 'box-1' }],
  ]);
});

test('a host that has not made a recording gets it from the host that has, through the control plane', async () => {
  const looked = await edge.request(`/edge/v1/recording?name=${NAME}&look=true`);
  expect(await looked.json()).toEqual({ success: true, size: bytes.length });
  const received = await edge.request(`/edge/v1/recording?name=${NAME}`);
  expect(Buffer.from(await received.arrayBuffer()).equals(bytes)).toBe(true);
  expect(await Promise.all(sent)).toEqual([200]);
  expect(new Set(stage.asked.map((asked) => (asked as readonly unknown[])[1]))).toEqual(
    new Set([`host:${uid}`]),
  );
});

test('a recording that no host has does not exist; another tenant asks its own hosts only', async () => {
  expect((await get('none.wav')).status).toBe(404);
  const other = await makeTenant(stage.api, 'b.test');
  stage.asked.length = 0;
  const refused = await stage.api.app.request(`/mediaservice/b.test/promptfile/${NAME}`, {
    headers: { Authorization: `Bearer ${other}` },
  });
  expect([refused.status, stage.asked]).toEqual([404, []]);
  await stage.api.database.store.withTx((tx) => updateHostStatus(tx, uid, { connectivity: 'offline' }));
  expect((await get(NAME)).status).toBe(404);
});

test('a host that promises and does not send is reported; bytes of another host are refused', async () => {
  sending = false;
  const waiting = get(NAME);
  while (!stage.due.some(({ ms }) => ms === 15_000)) await new Promise((resolve) => setImmediate(resolve));
  peer = 'uid-2';
  expect(await put('/edge/v1/recording/01jc7z5t3k9q8w6m4n2p0r1s5v')).toBe(404);
  for (const { run } of stage.due.splice(0)) run();
  const late = await waiting;
  expect(late.status).toBe(503);
  expect(await late.json()).toMatchObject({ error: { code: 'hostUnreachable' } });
});

test('a listener that goes away ends the sending of the host', async () => {
  const received = await get(NAME);
  await received.body?.cancel();
  expect(await Promise.all(sent)).toEqual([200]);
});

test('a player asks for a part of a recording that lies at a host, and the audit log names each reading of it', async () => {
  const part = await get(NAME, stage.token, { Range: 'bytes=65530-131080' });
  expect([part.status, part.headers.get('content-range'), part.headers.get('content-length')]).toEqual([
    206,
    `bytes 65530-131080/${bytes.length}`,
    String(131_080 - 65_530 + 1),
  ]);
  expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(65_530, 131_081))).toBe(true);
  const beyond = await get(NAME, stage.token, { Range: `bytes=${bytes.length}-` });
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`]);
  const query = `entity=promptfile&entityId=${NAME}`;
  const { body } = await ask(stage.api, 'GET', `/provisioning/audit/a.test?${query}`, { token: stage.token });
  expect(
    (body.entries as { action: string; detail: object }[]).map(({ action, detail }) => [action, detail]),
  ).toEqual([['read', { hostId: 'box-1', first: 65_530, last: 131_080 }]]);
  const alone = await ask(stage.api, 'GET', '/provisioning/audit/a.test?entity=promptfile', {
    token: stage.token,
  });
  expect([alone.status, alone.body.reason]).toEqual([400, expect.stringContaining('together with entity')]);
});
