import { promisify } from 'node:util';
import { gunzip, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordTraceRouter } from '#cloud/http/index.ts';
import { RecordIntake, TRACE_LIMIT_BYTES, TraceRelay } from '#cloud/record/index.ts';
import { auditAfter, tenantByDomain, updateHostStatus } from '#cloud/store/index.ts';
import type { SessionTrace } from '#shared/contract/session-record/index.ts';
import { ok } from '#shared/result.ts';
import { TRACE_MOST_STEPS } from '#shared/session-trace/index.ts';
import { batchOf, callOf, NOW, recordIdOf, twoHosts } from '../../record/stage.ts';
import { ask, makeTenant, openApi, type TestApi } from '../api.ts';

const unpacked = promisify(gunzip);
const PAGES = {
  gw1: [
    [
      { atMs: NOW + 0.5, kind: 'sipReceived', detail: { method: 'MESSAGE' } },
      { atMs: NOW + 9, kind: 'decided' },
    ],
  ],
  gw2: [[{ atMs: NOW + 3, kind: 'callbackSent', detail: { url: 'https://arc.test' } }]],
};

let api: TestApi;
let token: string;
let other: string;
let tenant: string;
let traces: TraceRelay;
/** The act of a host that is asked: the pages that it sends, or its answer. */
interface Act {
  sends?: Uint8Array;
  says?: object;
}
let host: (uid: string, url: string) => Act | Promise<Act>;
let asked: string[];

beforeEach(async () => {
  asked = [];
  host = (uid) => ({ sends: gzipSync(JSON.stringify({ v: 1, pages: PAGES[uid as 'gw1'] })) });
  api = await openApi({}, async (store) => {
    traces = new TraceRelay({
      ...{ store, edgeUrl: () => 'https://edge.test', nowMs: () => api.clock.now },
      random: (length) => crypto.getRandomValues(new Uint8Array(length)),
      gunzip: async (bytes, maxOutputLength) => (await unpacked(bytes, { maxOutputLength })).toString(),
      events: async () => [],
      ask: async (uid, { op, args }) => {
        asked.push(`${uid} ${op} ${String(args.traceId)}`);
        const url = String(args.url);
        const { sends, says } = await host(uid, url);
        if (sends !== undefined) await traces.put(url.split('/').at(-1) ?? '', uid, sends);
        return ok({
          v: 1,
          id: '',
          ok: true,
          data: { bytes: sends?.length ?? 0 },
          part: 1,
          last: true,
          ...says,
        });
      },
    });
    return [recordTraceRouter(traces)];
  });
  api.clock.now = NOW + 10_000;
  token = await makeTenant(api, 'a.test');
  other = await makeTenant(api, 'b.test');
  const { store } = api.database;
  tenant = (await tenantByDomain(store, 'a.test'))?.id ?? '';
  await twoHosts(store, tenant);
  const intake = new RecordIntake({ store, onTaken: () => undefined });
  const place = { tenant, siteId: 'north', uid: 'gw1', sh: '00' };
  const records = batchOf(
    [1, callOf(1)],
    [2, callOf(2, { traceId: undefined })],
    [3, callOf(3, { result: 'running' })],
  );
  await intake.take(place, 'gw1', records, NOW);
});
afterEach(() => api.close());

const path = (n: number) => `/record/a.test/${recordIdOf(n)}/trace`;
const read = async (n = 1) => (await ask(api, 'GET', path(n), { token })).body.trace as SessionTrace;
const looks = async () =>
  (await auditAfter(api.database.store, tenant, 0, 100)).filter(({ entity }) => entity === 'trace');

test('the audio of each leg is given as a curve, in windows of 5 s', async () => {
  const zero = [0, 0];
  const detail = {
    ...{ leg: 'call-1.2', everyMs: 5_000, lastMs: 1_000, received: [250, 50], sent: [250, 50], lost: [0, 4] },
    ...{ late: zero, concealedMs: zero, jitterMs: [0.1, 2.5], latenessMs: zero },
    ...{ levelDbm0: [-21, null], sentLevelDbm0: [-20, -20] },
  };
  const pages = [[{ atMs: NOW + 6_000, kind: 'mediaMeasured', detail }]];
  host = (uid) => ({ sends: gzipSync(JSON.stringify({ v: 1, pages: uid === 'gw1' ? pages : [] })) });
  const { media } = await read();
  expect(media).toMatchObject([
    {
      hostId: 'gw1',
      leg: '2',
      points: [
        { at: NOW, forMs: 5_000, lost: 0 },
        { at: NOW + 5_000, forMs: 1_000, lost: 4 },
      ],
    },
  ]);
});

test('a trace is joined over the hosts of the site, kept for an hour, and each look is audited', async () => {
  const trace = await read();
  expect(trace).toMatchObject({ traceId: 'trace-1', recordId: recordIdOf(1), complete: true });
  expect(trace.hosts).toEqual([
    { hostId: 'gw1', state: 'sent' },
    { hostId: 'gw2', state: 'sent' },
  ]);
  expect(trace.steps).toEqual([
    {
      at: NOW + 0.5,
      hostId: 'gw1',
      party: 'device',
      direction: 'in',
      kind: 'sipReceived',
      detail: { method: 'MESSAGE' },
    },
    {
      at: NOW + 3,
      hostId: 'gw2',
      party: 'application',
      direction: 'out',
      kind: 'callbackSent',
      detail: { url: 'https://arc.test' },
    },
    { at: NOW + 9, hostId: 'gw1', party: 'host', direction: 'own', kind: 'decided', detail: {} },
  ]);
  expect(await read()).toEqual(trace);
  expect(asked).toEqual(['gw1 trace.get trace-1', 'gw2 trace.get trace-1']);
  expect((await looks()).map(({ action, entityId, detail }) => [action, entityId, detail])).toEqual(
    [1, 2].map(() => ['read', 'trace-1', { recordId: recordIdOf(1), siteId: 'north' }]),
  );
  api.clock.now += 3_600_001;
  await read();
  expect(asked).toHaveLength(4);
  // An erasure forgets what is kept.
  traces.forget(tenant);
  await read();
  expect(asked).toHaveLength(6);
});

test('a host that is away is named with the time since when, and what the others have is shown', async () => {
  await api.database.store.withTx((tx) =>
    updateHostStatus(tx, 'gw2', { connectivity: 'offline', lastSeen: NOW - 5_000 }),
  );
  const trace = await read();
  expect(trace).toMatchObject({
    complete: false,
    hosts: [{ state: 'sent' }, { state: 'away', since: NOW - 5_000 }],
  });
  expect(trace.steps).toHaveLength(2);
  // It is asked for again when the host is back.
  await api.database.store.withTx((tx) => updateHostStatus(tx, 'gw2', { connectivity: 'online' }));
  expect(await read()).toMatchObject({ complete: true });
});

test('a session that runs is fetched each time; a host that overwrote its trace says so', async () => {
  host = (uid) =>
    uid === 'gw1'
      ? { says: { data: { bytes: 0 } } }
      : { says: { ok: false, error: { code: 'unknownOperation', reason: 'x' } } };
  expect((await read(3)).hosts).toEqual([
    { hostId: 'gw1', state: 'empty' },
    { hostId: 'gw2', state: 'failed', reason: 'the program of the host is too old; upgrade it' },
  ]);
  await read(3);
  expect(asked).toHaveLength(4);
});

test('a part that is no trace, or too much of it, is not believed', async () => {
  const bomb = gzipSync(Buffer.alloc(70 * 1_048_576));
  for (const sends of [Buffer.from('no gzip'), gzipSync('{"v":2}'), gzipSync('['), bomb]) {
    host = () => ({ sends });
    expect((await read()).hosts[0]).toMatchObject({
      state: 'failed',
      reason: 'the host sent something that is no trace',
    });
  }
  host = async (uid, url) => {
    const id = url.split('/').at(-1) ?? '';
    expect(await traces.put(id, 'gw9', Buffer.from(''))).toMatchObject({
      ok: false,
      error: { code: 'notFound' },
    });
    expect(await traces.put(id, uid, Buffer.alloc(TRACE_LIMIT_BYTES + 1))).toMatchObject({
      error: { code: 'tooLarge' },
    });
    expect((await traces.put(id, uid, gzipSync('{"v":1,"pages":[]}'))).ok).toBe(true);
    expect((await traces.put(id, uid, gzipSync('{}'))).ok).toBe(false);
    return { says: { data: { bytes: 5 } } };
  };
  expect(await read()).toMatchObject({ complete: true, steps: [] });
});

test('a trace of two hosts that is too long has its begin and its end, and the number of steps between', async () => {
  const most = TRACE_MOST_STEPS;
  const entries = (hostAt: number) =>
    Array.from({ length: most }, (_, at) => ({ atMs: NOW + 2 * at + hostAt, kind: 'note', detail: { at } }));
  const pages = [entries(0), entries(1)];
  // One host has left out some steps itself.
  pages[0]?.splice(most / 2, 1, { atMs: NOW + most, kind: 'leftOut', detail: { steps: 700 } as never });
  host = (uid) => ({ sends: gzipSync(JSON.stringify({ v: 1, pages: [pages[uid === 'gw1' ? 0 : 1]] })) });
  const { steps, complete } = await read();
  expect([steps.length, complete]).toEqual([most + 1, true]);
  expect(steps[most / 2]).toMatchObject({ kind: 'leftOut', detail: { steps: most - 1 + 700 } });
  expect([steps.at(0)?.at, steps.at(-1)?.at]).toEqual([NOW, NOW + 2 * (most - 1) + 1]);
});

test('a viewer, another tenant and an unknown record get nothing, and no host is asked', async () => {
  const made = await ask(api, 'POST', '/provisioning/apitoken/a.test', { body: { scope: 'read' } });
  expect((await ask(api, 'GET', path(1), { token: String(made.body.token) })).status).toBe(403);
  expect((await ask(api, 'GET', path(1), { token: other })).status).toBe(403);
  const foreign = `/record/b.test/${recordIdOf(1)}/trace`;
  expect((await ask(api, 'GET', foreign, { token: other })).status).toBe(404);
  expect((await ask(api, 'GET', path(77), { token })).status).toBe(404);
  expect((await ask(api, 'GET', path(2), { token })).body.reason).toContain('has no trace');
  expect(asked).toEqual([]);
  expect(await looks()).toEqual([]);
});
