import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordRouter } from '#cloud/http/index.ts';
import { createRecordQueries, RecordIntake } from '#cloud/record/index.ts';
import { TranscriptSearch } from '#cloud/record/transcript/index.ts';
import { auditAfter, tenantByDomain, updateHostStatus } from '#cloud/store/index.ts';
import type { HostTranscriptMatches, ShownRecord } from '#shared/contract/session-record/index.ts';
import { ok } from '#shared/result.ts';
import { batchOf, callOf, NOW, recordIdOf, twoHosts } from '../../record/stage.ts';
import { ask, makeTenant, openApi, type TestApi } from '../api.ts';

type Match = HostTranscriptMatches['found'][number];

let api: TestApi;
let token: string;
let tenant: string;
/** Matches of each host, and the number that it sends in one answer. */
let said: Record<string, Match[]>;
let page: number;
let asked: { readonly uid: string; readonly args: Record<string, unknown> }[];
let refuses: string | undefined;

const match = (n: number, more: Partial<Match> = {}): Match => ({
  ...{ traceId: `trace-${n}`, recordingId: `r-${n}`, fileName: `r-${n}.wav`, startedAt: NOW + n },
  uploaded: false,
  ...more,
});

beforeEach(async () => {
  [asked, page, refuses] = [[], 100, undefined];
  said = { gw1: [match(3), match(1)], gw2: [match(2)] };
  api = await openApi({}, async (store) => {
    const search = new TranscriptSearch({
      store,
      ask: async (uid, { args }) => {
        asked.push({ uid, args });
        const v = { v: 1 as const, id: '', part: 1, last: true };
        if (refuses !== undefined)
          return ok({ ...v, ok: false, data: {}, error: { code: refuses, reason: 'no' } });
        const before = args.before as { recordingId: string } | undefined;
        const all = said[uid] ?? [];
        const at = all.findIndex(({ recordingId }) => recordingId === before?.recordingId) + 1;
        const found = all.slice(at, at + page);
        return ok({ ...v, ok: true, data: { found, more: at + page < all.length } });
      },
    });
    const nowMs = () => api.clock.now;
    return [recordRouter(createRecordQueries({ store, nowMs }), search, nowMs)];
  });
  api.clock.now = NOW + 10_000;
  token = await makeTenant(api, 'a.test');
  const { store } = api.database;
  tenant = (await tenantByDomain(store, 'a.test'))?.id ?? '';
  await twoHosts(store, tenant);
  const intake = new RecordIntake({ store, onTaken: () => undefined });
  const calls = [1, 2, 3, 4].map((n) => [n, callOf(n, n === 2 ? { result: 'failed' } : {})] as const);
  await intake.take({ tenant, siteId: 'north', uid: 'gw1', sh: '00' }, 'gw1', batchOf(...calls), NOW);
});
afterEach(() => api.close());

const search = (query = '', as = token) =>
  ask(api, 'GET', `/record/a.test?transcript=fallen${query}`, { token: as });
const idsOf = (body: Record<string, unknown>) => (body.records as ShownRecord[]).map((each) => each.recordId);
const ids = (...numbers: readonly number[]) => numbers.map(recordIdOf);
const searches = async () =>
  (await auditAfter(api.database.store, tenant, 0, 100)).filter(({ action }) => action === 'search');

test('finds the sessions whose words the hosts have, newest first', async () => {
  const { body } = await search();
  expect(idsOf(body)).toEqual(ids(3, 2, 1));
  expect(body).toMatchObject({
    hosts: [
      { hostId: 'gw1', state: 'sent' },
      { hostId: 'gw2', state: 'sent' },
    ],
    cut: false,
  });
  expect(asked[0]?.args).toMatchObject({ words: 'fallen', from: NOW + 10_000 - 86_400_000 });
});

test('keeps the other filters, and goes on page by page', async () => {
  expect(idsOf((await search('&result=failed')).body)).toEqual(ids(2));
  const first = await search('&limit=2');
  expect(idsOf(first.body)).toEqual(ids(3, 2));
  const rest = await search(`&limit=2&nextToken=${encodeURIComponent(String(first.body.nextToken))}`);
  expect(idsOf(rest.body)).toEqual(ids(1));
});

test('stands in the audit log once, without its words', async () => {
  const { body } = await search('&limit=2');
  expect(await searches()).toHaveLength(1);
  await search(`&limit=2&nextToken=${encodeURIComponent(String(body.nextToken))}`);
  const found = await searches();
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ entity: 'transcript', entityId: 'a.test' });
  expect(JSON.stringify(found)).not.toContain('fallen');
});

test('asks a host again while it has more, and says when it has too many', async () => {
  page = 1;
  expect(idsOf((await search()).body)).toEqual(ids(3, 2, 1));
  said.gw1 = Array.from({ length: 20 }, (_, n) => match(n, { recordingId: `x-${n}` }));
  expect((await search()).body).toMatchObject({ cut: true });
});

test('does not find a recording that the tenant has deleted here', async () => {
  said = { gw1: [match(1, { uploaded: true })], gw2: [] };
  expect(idsOf((await search()).body)).toEqual([]);
});

test('says which hosts were not searched', async () => {
  await api.database.store.withTx((tx) =>
    updateHostStatus(tx, 'gw2', { connectivity: 'offline', lastSeen: NOW - 5_000 }),
  );
  refuses = 'unknownOperation';
  expect((await search()).body).toMatchObject({
    records: [],
    hosts: [
      { hostId: 'gw1', state: 'failed', reason: 'the program of the host is too old; upgrade it' },
      { hostId: 'gw2', state: 'away', since: NOW - 5_000 },
    ],
  });
});

test('a search at a site asks its hosts alone', async () => {
  await search('&siteId=south');
  expect(asked).toEqual([]);
});

test('finds nothing for a caller who may not read the words, and asks no host', async () => {
  const made = await ask(api, 'POST', '/provisioning/apitoken/a.test', { body: { scope: 'read' } });
  const { status, body } = await search('', String(made.body.token));
  expect([status, body.success, asked, await searches()]).toEqual([403, false, [], []]);
});

test('a search at another tenant is refused', async () => {
  const other = await makeTenant(api, 'b.test');
  expect((await search('', other)).status).toBe(403);
  expect(asked).toEqual([]);
});
