import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { oneRecordRouter, recordRouter, recordStreamRouter } from '#cloud/http/index.ts';
import { createRecordQueries, RecordIntake, RecordStream } from '#cloud/record/index.ts';
import { insertHost, tenantByDomain } from '#cloud/store/index.ts';
import type { ShownRecord } from '#shared/contract/session-record/index.ts';
import { HOST_ROW } from '#test/support/host-row.ts';
import { batchOf, callOf, NOW, recordIdOf, unreachedSearch } from '../../record/stage.ts';
import { type Answer, ask, makeTenant, openApi, type TestApi } from '../api.ts';

const DAY_MS = 86_400_000;

let api: TestApi;
let token: string;
let other: string;
const stream = new RecordStream();
const hangUps: unknown[] = [];
let take: (domain: string, n: number, changes?: object) => Promise<unknown>;

beforeAll(async () => {
  api = await openApi({}, async (store) => {
    const records = createRecordQueries({ store, nowMs: () => api.clock.now });
    return [
      recordStreamRouter(stream, (env) => hangUps.push(env)),
      recordRouter(records, unreachedSearch(store), () => api.clock.now),
      oneRecordRouter(records),
    ];
  });
  api.clock.now = NOW + 10_000;
  token = await makeTenant(api, 'a.test');
  other = await makeTenant(api, 'b.test');
  const { store } = api.database;
  const intake = new RecordIntake({ store, onTaken: (...reported) => stream.add(...reported) });
  const seqs = new Map<string, number>();
  for (const domain of ['a.test', 'b.test']) {
    const tenant = (await tenantByDomain(store, domain))?.id ?? '';
    for (const siteId of ['north', 'south'])
      await store.withTx((tx) =>
        insertHost(tx, {
          ...{ ...HOST_ROW, uid: `${domain} ${siteId}`, tenant, siteId, hostId: `gw-${siteId}`, sh: '00' },
          ...{ lifecycle: 'active', lifecycleSince: 0, createdAt: 0 },
        }),
      );
  }
  take = async (domain, n, { siteId = 'north', ...changes }: { siteId?: string } & object = {}) => {
    const tenant = (await tenantByDomain(store, domain))?.id ?? '';
    const uid = `${domain} ${siteId}`;
    const seq = (seqs.get(uid) ?? 0) + 1;
    seqs.set(uid, seq);
    const place = { tenant, siteId, uid, sh: '00' };
    return await intake.take(place, `gw-${siteId}`, batchOf([seq, callOf(n, changes)]), api.clock.now);
  };
  await take('a.test', 1, { kind: 'alarm', protocol: 'scaip', receiver: 'bridge-1', warnings: ['late'] });
  await take('a.test', 2, {
    ...{ result: 'failed', deviceId: 'flat-22', from: '+46709', to: '+4630' },
    recordings: ['call-2.wav'],
  });
  await take('a.test', 3, { siteId: 'south', from: '+4630', requestUri: 'sip:+46701234567@pbx.test' });
  await take('a.test', 4, { at: NOW - 2 * DAY_MS, traceId: 'old-trace' });
  await take('b.test', 5, { traceId: 'foreign-trace' });
});
afterAll(() => api.close());

const get = (path: string, as = token): Promise<Answer> => ask(api, 'GET', path, { token: as });
const idsOf = ({ body }: Answer) => (body.records as ShownRecord[]).map(({ recordId }) => recordId);
const list = async (query: string, as = token) => {
  const answer = await get(`/record/a.test${query}`, as);
  expect(answer.body).toMatchObject({ success: true });
  return idsOf(answer);
};
const ids = (...numbers: readonly number[]) => numbers.map(recordIdOf);

describe('the list', () => {
  test('has the last day, newest first, and the whole record', async () => {
    const answer = await get('/record/a.test');
    expect(idsOf(answer)).toEqual(ids(3, 2, 1));
    expect((answer.body.records as unknown[])[2]).toEqual({
      ...callOf(1, { kind: 'alarm', protocol: 'scaip', receiver: 'bridge-1', warnings: ['late'] }),
      ...{ siteId: 'north', hostId: 'gw-north', receivedAt: NOW + 10_000 },
    });
    expect(await list(`?from=${NOW - 3 * DAY_MS}`)).toEqual(ids(3, 2, 1, 4));
    expect(await list(`?to=${NOW}`)).toEqual(ids(4));
    expect(await list(`?from=${NOW + 2}&to=${NOW + 3}`)).toEqual(ids(2));
  });

  test.each([
    ['kind=alarm', [1]],
    ['kind=message', []],
    ['result=failed', [2]],
    ['siteId=south', [3]],
    ['hostId=gw-south', [3]],
    ['deviceId=flat-2', [2]],
    ['deviceId=flat-', [3, 2, 1]],
    ['deviceId=nobody', []],
    ['number=%2B4630', [3, 2]],
    ['number=%2B467', [2, 1]],
    ['bridge=bridge-1', [1]],
    ['protocol=scaip', [1]],
    ['warning=late', [1]],
    ['warning=lat', []],
    ['traceId=trace-2', [2]],
    ['traceId=old-trace', [4]],
    ['traceId=foreign-trace', []],
    ['kind=call&siteId=north', [2]],
    ['recording=true', [2]],
    ['recording=true&text=CALL-2', [2]],
    ['recording=true&text=gw-south', []],
    ['recording=true&siteId=south', []],
  ])('by %s', async (query, numbers) => {
    expect(await list(`?${query}`)).toEqual(ids(...numbers));
  });

  test('goes on by nextToken, and refuses a token of another list', async () => {
    for (const query of ['', 'number=%2B46&', 'deviceId=flat-&']) {
      const seen: string[] = [];
      let next = '';
      do {
        const page = await get(`/record/a.test?${query}limit=1${next}`);
        expect(idsOf(page).length).toBeLessThanOrEqual(1);
        seen.push(...idsOf(page));
        next = page.body.nextToken === undefined ? '' : `&nextToken=${String(page.body.nextToken)}`;
      } while (next !== '');
      expect(seen).toEqual(ids(3, 2, 1));
    }
    const foreign = Buffer.from(JSON.stringify([1, 'x'])).toString('base64url');
    expect((await get(`/record/a.test?nextToken=${foreign}`)).status).toBe(400);
    expect((await get('/record/a.test?kind=nonsense')).status).toBe(400);
  });
});

test('numbers are masked for a token that only reads, and it does not search for them', async () => {
  const made = await ask(api, 'POST', '/provisioning/apitoken/a.test', { body: { scope: 'read' } });
  const reading = String(made.body.token);
  const { body } = await get(`/record/a.test/${recordIdOf(3)}`, reading);
  expect(body.record).toMatchObject({ from: '…30', to: '…55', requestUri: 'sip:…67@pbx.test', masked: true });
  expect(JSON.stringify((await get('/record/a.test', reading)).body)).not.toMatch(/\+46/);
  for (const path of ['/record/a.test?number=%2B46', '/record/a.test/stream?number=%2B46'])
    expect(await get(path, reading)).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
});

test('counts are those of the hours', async () => {
  const { body } = await get('/record/a.test/count?interval=hour');
  const hour = NOW;
  expect(body.counts).toEqual([
    { hour, kind: 'alarm', result: 'done', amount: 1 },
    { hour, kind: 'call', result: 'done', amount: 1 },
    { hour, kind: 'call', result: 'failed', amount: 1 },
  ]);
  expect((await get('/record/a.test/count?siteId=south')).body.counts).toHaveLength(1);
  expect((await get(`/record/a.test/count?from=${NOW - 3 * DAY_MS}&to=${NOW}`)).body.counts).toMatchObject([
    { amount: 1 },
  ]);
});

test('a tenant sees nothing of another one, on any route', async () => {
  const record = await get(`/record/a.test/${recordIdOf(5)}`);
  const unknown = await get(`/record/a.test/${recordIdOf(77)}`);
  expect([record.status, unknown.status]).toEqual([404, 404]);
  const said = (answer: Answer, n: number) => JSON.stringify(answer.body).replaceAll(recordIdOf(n), '');
  expect(said(record, 5)).toBe(said(unknown, 77));
  for (const path of ['', '/count', '/stream', `/${recordIdOf(1)}`]) {
    expect((await get(`/record/a.test${path}`, other)).status, path).toBe(403);
    expect((await ask(api, 'GET', `/record/a.test${path}`, { token: null })).status, path).toBe(401);
  }
  expect(idsOf(await get('/record/b.test', other))).toEqual(ids(5));
});

test('the stream brings new records that fit, and sends a reader who missed some to the list', async () => {
  const open = async (query: string, headers: Record<string, string> = {}) => {
    const response = await api.app.request(`/record/a.test/stream${query}`, {
      headers: { Authorization: `Bearer ${token}`, ...headers },
    });
    expect(response.headers.get('Content-Type')).toBe('text/event-stream');
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const next = async () => new TextDecoder().decode((await reader.read()).value);
    expect(await next()).toBe('retry: 2000\n\n');
    return { next, end: () => reader.cancel() };
  };
  const all = await open('');
  const south = await open('?siteId=south');
  const again = await open('', { 'Last-Event-ID': recordIdOf(1) });
  expect(await again.next()).toBe('id: reset\nevent: reset\ndata: {}\n\n');
  await take('b.test', 20);
  await take('a.test', 21);
  await take('a.test', 22, { siteId: 'south' });
  expect(await all.next()).toContain(`id: ${recordIdOf(21)}\nevent: record\ndata: {"v":1,`);
  expect(await all.next()).toContain(recordIdOf(22));
  expect(await south.next()).toContain(recordIdOf(22));
  stream.beat();
  expect(await south.next()).toBe(':\n\n');
  for (const each of [all, south, again]) await each.end();
  expect(hangUps).toEqual([]);
});
