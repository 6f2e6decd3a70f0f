import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordFigureRouter, recordRouter } from '#cloud/http/index.ts';
import { createRecordFigures, createRecordQueries, RecordIntake } from '#cloud/record/index.ts';
import { insertHost, tenantByDomain } from '#cloud/store/index.ts';
import type { RecordFacets, RecordFigure, RecordSeen } from '#shared/contract/session-record/index.ts';
import { HOST_ROW } from '#test/support/host-row.ts';
import { batchOf, callOf, NOW, recordIdOf, unreachedSearch } from '../../record/stage.ts';
import { ask, makeTenant, openApi, type TestApi } from '../api.ts';

let api: TestApi;
let token: string;
let viewer: string;

/** An alarm whose callback was answered after `ms`. */
const alarm = (ms: number, more: object = {}) => ({
  kind: 'alarm',
  receiver: 'bridge-1',
  receiverName: 'North gate',
  deviceId: 'flat-1',
  from: '+46701234567',
  to: '+4630',
  times: { arrived: NOW, stored: NOW + 5, callbackAnswered: NOW + 5 + ms, deviceAnswered: NOW + 10 + ms },
  deliveries: { count: 1, failed: 0, lastStatus: 200 },
  ...more,
});

beforeAll(async () => {
  api = await openApi({}, async (store) => {
    const port = { store, nowMs: () => api.clock.now };
    return [
      recordRouter(createRecordQueries(port), unreachedSearch(store), port.nowMs),
      recordFigureRouter(createRecordFigures(port)),
    ];
  });
  api.clock.now = NOW + 10_000;
  token = await makeTenant(api, 'a.test');
  viewer = await makeTenant(api, 'a.test', 'read');
  await makeTenant(api, 'b.test');
  const { store } = api.database;
  const tenant = (await tenantByDomain(store, 'a.test'))?.id ?? '';
  const place = { tenant, siteId: 'north', uid: 'north', sh: '00' };
  await store.withTx((tx) =>
    insertHost(tx, {
      ...{ ...HOST_ROW, ...place, hostId: 'gw', lifecycle: 'active', lifecycleSince: 0, createdAt: 0 },
    }),
  );
  const intake = new RecordIntake({ store, onTaken: () => undefined });
  const changesOf = [
    alarm(40, { tones: { firstTry: true } }),
    alarm(400, { tones: { firstTry: false }, warnings: ['late', 'twist'] }),
    alarm(20_000, { deliveries: { count: 2, failed: 1, lastStatus: 503, lastReason: 'answered 503' } }),
    alarm(60, {
      result: 'running',
      times: { arrived: NOW, voiceJoined: NOW + 3_000 },
      deliveries: undefined,
    }),
    {
      kind: 'call',
      from: '+46709999999',
      to: 'door',
      receiver: undefined,
      reason: 'Hung up at the NORTH gate',
    },
  ];
  for (const [n, changes] of changesOf.entries())
    await intake.take(place, 'gw', batchOf([n + 1, callOf(n + 1, changes)]), api.clock.now);
});
afterAll(async () => {
  expect(api.defects).toEqual([]);
  await api.close();
});

const get = async (word: string, query = '', as = token) =>
  (await ask(api, 'GET', `/record/a.test/${word}${query}`, { token: as })).body;

describe('figures of records', () => {
  test('how fast alarms are acknowledged and spoken, and who is on a call', async () => {
    const figure = (await get('figure')).figure as RecordFigure;
    expect(figure).toMatchObject({
      ...{ looked: 5, cut: false },
      acknowledged: { amount: 3, p50: 410, p95: 20_010 },
      spoken: { amount: 1, p50: 3_000, p95: 3_000 },
      firstTry: { understood: 1, total: 2 },
    });
    expect(figure.running.map(({ recordId }) => recordId)).toEqual([recordIdOf(4)]);
  });

  test('how deliveries of each endpoint succeed, with a histogram and the reasons', async () => {
    const { endpoints } = (await get('figure')).figure as RecordFigure;
    expect(endpoints).toHaveLength(1);
    expect(endpoints[0]).toMatchObject({
      ...{
        receiver: 'bridge-1',
        name: 'North gate',
        kind: 'alarm',
        sessions: 3,
        callbacks: 4,
        failedSessions: 1,
      },
      latency: { amount: 3, p50: 400, p95: 20_000 },
      reasons: [{ reason: 'answered 503', times: 1 }],
    });
    const amounts = endpoints[0]?.histogram.map(({ uptoMs, amount }) => [uptoMs, amount]);
    expect(amounts?.filter(([, amount]) => amount !== 0)).toEqual([
      [50, 1],
      [500, 1],
      [undefined, 1],
    ]);
  });

  test('the values of each field, for the filter alone', async () => {
    const { facets } = (await get('facet')).facet as RecordFacets;
    expect(facets.kind).toEqual([
      { value: 'alarm', amount: 4 },
      { value: 'call', amount: 1 },
    ]);
    expect(facets.warning).toEqual([
      { value: 'late', amount: 1 },
      { value: 'twist', amount: 1 },
    ]);
    const calls = (await get('facet', '?kind=call')).facet as RecordFacets;
    expect(calls).toMatchObject({
      looked: 1,
      facets: { receiver: [], siteId: [{ value: 'north', amount: 1 }] },
    });
  });

  test('the numbers and devices seen last; a viewer sees no whole number', async () => {
    const { seen, masked } = (await get('seen')).seen as RecordSeen;
    expect(masked).toBe(false);
    expect(seen).toContainEqual(
      expect.objectContaining({ value: '+46701234567', role: 'from', amount: 4, receiver: 'bridge-1' }),
    );
    expect(seen).toContainEqual(expect.objectContaining({ value: 'door', role: 'to', amount: 1 }));
    const hidden = (await get('seen', '', viewer)).seen as RecordSeen;
    expect(hidden.masked).toBe(true);
    expect(JSON.stringify(hidden)).not.toContain('46701234567');
    expect(hidden.seen).toContainEqual(expect.objectContaining({ value: 'flat-1', role: 'device' }));
  });

  test('a text is searched in every field as the caller sees it', async () => {
    const idsFor = async (text: string, as = token) =>
      (
        (await ask(api, 'GET', `/record/a.test?text=${encodeURIComponent(text)}`, { token: as })).body
          .records as { recordId: string }[]
      ).map(({ recordId }) => recordId);
    expect(await idsFor('north GATE')).toEqual([5, 4, 3, 2, 1].map(recordIdOf));
    expect(await idsFor('hung up')).toEqual([recordIdOf(5)]);
    expect(await idsFor('answered 503')).toEqual([recordIdOf(3)]);
    expect(await idsFor('46709999999')).toEqual([recordIdOf(5)]);
    expect(await idsFor('46709999999', viewer)).toEqual([]);
  });

  test('belong to their tenant, and a viewer searches no number by them', async () => {
    const other = await makeTenant(api, 'b.test');
    for (const word of ['figure', 'facet', 'seen']) {
      expect((await ask(api, 'GET', `/record/a.test/${word}`, { token: other })).status).toBe(403);
      expect((await ask(api, 'GET', `/record/b.test/${word}`, { token: other })).body).toMatchObject({
        [word]: { looked: 0 },
      });
      const asked = await ask(api, 'GET', `/record/a.test/${word}?number=%2B46`, { token: viewer });
      expect(asked.status).toBe(403);
    }
  });
});
