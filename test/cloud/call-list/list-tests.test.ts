import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dueMonth } from '#cloud/call-list/due.ts';
import { CallListTests } from '#cloud/call-list/index.ts';
import {
  auditAfter,
  insertHost,
  insertTenant,
  putDevice,
  putItem,
  readCallListTest,
  updateHostStatus,
} from '#cloud/store/index.ts';
import type { RemoteResponse } from '#shared/contract/feed/index.ts';
import { fail, ok } from '#shared/result.ts';
import { HOST_ROW } from '#test/support/host-row.ts';
import { openTestDatabase, suiteDialect, type TestDatabase } from '../store/database.ts';

/* The monthly test calls of emergency lists: when they begin, which host calls, and what becomes of them. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TEST_CALL = { day: 3, hour: 10, timeZone: 'Europe/Stockholm' };
const LIST = { steps: [{ entries: [{ destination: '+46855511001' }] }], testCall: TEST_CALL };
/** 10:05 in Stockholm on the third. */
const DUE = Date.UTC(2026, 10, 3, 9, 5);

let database: TestDatabase;
let now: number;
let asked: { uid: string; args: Record<string, unknown> }[];
let logged: string[];
/** Answers of hosts; a host that is missing is away. */
let hosts: Record<string, Partial<RemoteResponse>>;
let tests: CallListTests;

const says = (state: 'running' | 'done', confirmed = 0): Partial<RemoteResponse> => ({
  data: { state, called: 1, confirmed },
});
const refuses = (code: string): Partial<RemoteResponse> => ({ ok: false, error: { code, reason: code } });

async function host(uid: string): Promise<void> {
  const place = { tenant: 't', siteId: 'north', uid, hostId: uid, sh: '00' };
  await database.store.withTx(async (tx) => {
    const life = { lifecycle: 'active' as const, lifecycleSince: 0, createdAt: 0 };
    await insertHost(tx, { ...HOST_ROW, ...place, ...life });
    await updateHostStatus(tx, uid, { connectivity: 'online' });
  });
}

beforeEach(async () => {
  database = await openTestDatabase(suiteDialect());
  now = DUE;
  asked = [];
  logged = [];
  hosts = { h1: says('running'), h2: says('running') };
  tests = new CallListTests({
    store: database.store,
    nowMs: () => now,
    breathe: async () => undefined,
    log: (_, event) => logged.push(event),
    ask: async (uid, { args }) => {
      asked.push({ uid, args });
      const answer = hosts[uid];
      if (answer === undefined) return fail('unreachable', 'it has no management connection');
      return ok({ v: 1, id: '', ok: true, data: {}, part: 1, last: true, ...answer } as RemoteResponse);
    },
  });
  await database.store.withTx(async (tx) => {
    await insertTenant(tx, { id: 't', domain: 'a.test', name: null, createdAt: 0, notBefore: 0 });
    const bridge = { tenant: 't', set: 'working' as const, id: 'b1', updatedAt: 0 };
    await putItem(tx, 'alarmBridge', { ...bridge, body: { name: 'Units', emergencyCallList: LIST } });
    await putItem(tx, 'alarmBridge', { ...bridge, id: 'b2', body: { emergencyCallList: { steps: [] } } });
  });
  await host('h1');
  await host('h2');
});
afterEach(() => database.close());

const row = (entity: 'alarmbridge' | 'device' = 'alarmbridge', id = 'b1') =>
  readCallListTest(database.store, 't', entity, id);
const uids = () => asked.map(({ uid }) => uid);

describe('the hour of a test', () => {
  test.each([
    ['before its day', Date.UTC(2026, 10, 2, 9, 30), undefined],
    ['before its hour', Date.UTC(2026, 10, 3, 8, 59), undefined],
    ['in its hour', Date.UTC(2026, 10, 3, 9, 0), '2026-11'],
    ['behind its hour', Date.UTC(2026, 10, 3, 10, 0), undefined],
    ['in the hour of a later day', Date.UTC(2026, 10, 17, 9, 30), '2026-11'],
    ['in summer', Date.UTC(2026, 6, 3, 8, 30), '2026-07'],
    ['a month that has begun there alone', Date.UTC(2026, 10, 30, 23, 30), undefined],
  ])('%s', (_, at, month) => {
    expect(dueMonth(TEST_CALL, at)).toBe(month);
  });

  test('is midnight, too', () => {
    expect(dueMonth({ day: 1, hour: 0, timeZone: 'Pacific/Auckland' }, Date.UTC(2026, 10, 30, 11, 30))).toBe(
      '2026-12',
    );
  });
});

describe('a list with testCall', () => {
  test('is tested once a month by one host, which is asked until it is done', async () => {
    await tests.begin();
    await tests.begin();
    await tests.follow();
    expect(await row()).toMatchObject({ state: 'running', month: '2026-11', tries: 1 });
    const [first] = uids();
    await tests.follow();
    expect(uids()).toEqual([first, first]);
    expect(asked[0]?.args).toEqual({ entity: 'alarmbridge', id: 'b1', test: '2026-11.1' });
    hosts = { h1: says('done', 1), h2: says('done', 1) };
    await tests.follow();
    await tests.follow();
    expect(asked).toHaveLength(3);
    expect(await row()).toMatchObject({ state: 'done', called: 1, confirmed: 1, endedAt: DUE });
    now = DUE + DAY_MS;
    await tests.begin();
    await tests.follow();
    expect(asked).toHaveLength(3);
    expect(await row('alarmbridge', 'b2')).toBeUndefined();
    const audit = await auditAfter(database.store, 't', 0, 10);
    expect(audit).toEqual([
      expect.objectContaining({ actor: 'system', action: 'testCall', entity: 'alarmbridge', entityId: 'b1' }),
    ]);
  });

  test('is tested by another host in the next month', async () => {
    hosts = { h1: says('done', 1), h2: says('done', 1) };
    for (const at of [DUE, Date.UTC(2026, 11, 3, 9, 5)]) {
      now = at;
      await tests.begin();
      await tests.follow();
    }
    expect(new Set(uids())).toEqual(new Set(['h1', 'h2']));
    expect(await row()).toMatchObject({ month: '2026-12', tries: 1 });
  });

  test('tests a device as well, and outside its hour none begins', async () => {
    await database.store.withTx((tx) =>
      putDevice(tx, {
        ...{ tenant: 't', id: 'flat-22', updatedAt: 0 },
        body: { deviceId: 'flat-22', serviceData: { alarmBridge: { emergencyCallList: LIST } } },
      }),
    );
    now = DUE + HOUR_MS;
    await tests.begin();
    expect(await row('device', 'flat-22')).toBeUndefined();
    now = DUE;
    await tests.begin();
    expect(await row('device', 'flat-22')).toMatchObject({ state: 'wanted', uid: null });
  });

  test.each([
    ['calls people for an alarm', refuses('busy')],
    ['is older and knows no test', refuses('unknownOperation')],
    ['does not have the list yet', refuses('notFound')],
    ['is away', undefined],
  ])('goes to the other host when one %s', async (_, answer) => {
    await tests.begin();
    hosts = answer === undefined ? {} : { h1: answer, h2: answer };
    await tests.follow();
    expect(await row()).toMatchObject({ state: 'wanted', uid: null });
    const [, second = ''] = uids();
    hosts = { ...hosts, [second]: says('running') };
    await tests.follow();
    expect(await row()).toMatchObject({ state: 'running', uid: second });
  });

  test('stays with a host that is away, which goes on with its calls, until 6 h are over', async () => {
    await tests.begin();
    await tests.follow();
    const { uid = '' } = (await row()) ?? {};
    hosts = { h1: says('running'), h2: says('running'), [String(uid)]: undefined as never };
    now = DUE + 5 * HOUR_MS;
    await tests.follow();
    expect(await row()).toMatchObject({ state: 'running', uid });
    now = DUE + 6 * HOUR_MS;
    await tests.follow();
    expect(await row()).toMatchObject({ state: 'failed' });
    expect(logged).toEqual(['call_list_test.not_done']);
  });

  test('that was given up begins again in its hour, three times a month at most', async () => {
    hosts = {};
    for (let day = 0; day < 6; day++) {
      now = DUE + day * DAY_MS;
      await tests.begin();
      await tests.follow();
      now += 7 * HOUR_MS;
      await tests.follow();
    }
    expect(await row()).toMatchObject({ state: 'failed', tries: 3 });
    expect(logged).toHaveLength(3);
  });

  test('leaves no row when it is removed for two months', async () => {
    await tests.begin();
    now = DUE + 63 * DAY_MS + 5 * HOUR_MS;
    await tests.begin();
    expect(await row()).toBeUndefined();
  });
});
