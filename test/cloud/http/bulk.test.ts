import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditAfter, changesSince, currentRevision, putBulkJob, tenantByDomain } from '#cloud/store/index.ts';
import { csvText } from '#shared/contract/record/index.ts';
import { eventually } from '../io/broker/stage.ts';
import { type Answer, ask, makeTenant, openApi, type TestApi } from './api.ts';

const BULK = '/provisioning/device/a.test/bulk';

interface Status {
  readonly status: string;
  readonly rows: number;
  readonly failed: number;
  readonly reason?: string;
  readonly errors: readonly { row: number; reason: string }[];
  readonly groups: readonly object[];
  readonly progress: string;
}

describe('devices by CSV', () => {
  let api: TestApi;
  let token: string;
  let tenant: string;
  beforeAll(async () => {
    api = await openApi();
    token = await makeTenant(api, 'a.test');
    await makeTenant(api, 'b.test');
    tenant = (await tenantByDomain(api.database.store, 'a.test'))?.id ?? '';
  });
  afterAll(async () => {
    expect(api.defects).toEqual([]);
    await api.close();
  });

  const put = (id: string, raw: string, query = '', type = 'text/csv'): Promise<Answer> =>
    ask(api, 'PUT', `${BULK}/${id}${query}`, { token, raw, headers: { 'Content-Type': type } });

  async function ended(id: string): Promise<Status> {
    let status: Status | undefined;
    await eventually(async () => {
      status = (await ask(api, 'GET', `${BULK}/${id}`, { token })).body.status as Status;
      return status.status !== 'STARTED';
    }, `the end of the load ${id}`);
    if (status === undefined) throw new Error(`the load ${id} has no status`);
    return status;
  }

  const device = async (id: string) =>
    (await ask(api, 'GET', `/provisioning/device/a.test/${id}`, { token })).body;

  test('nested columns, numbers and truth values become the device they describe', async () => {
    const answer = await put(
      'nested',
      [
        'deviceId,authType,srtp,password,authorized.invite,authorized.register,serviceData.alarmBridge.heartbeatInterval,serviceData.alarmBridge.overrideInAlarmEvent.priority,description',
        'n-1,deviceid,negotiated,,,,600000,7,"left, then ""up"""',
        'n-2,userid,always,correct horse,^sip:1,TRUE,,,',
      ].join('\r\n'),
    );
    expect(answer).toMatchObject({ status: 200, body: { success: true, id: 'nested' } });
    expect(await ended('nested')).toEqual({
      bulkId: 'nested',
      domain: 'a.test',
      status: 'COMPLETED',
      dryRun: false,
      startedAt: api.clock.now,
      stoppedAt: api.clock.now,
      rows: 2,
      failed: 0,
      errors: [],
      groups: [],
      progress: 'The import has ended. 2 rows were read: 2 rows were applied, none was refused.',
    });
    expect(await device('n-1')).toMatchObject({
      description: 'left, then "up"',
      serviceData: { alarmBridge: { heartbeatInterval: 600_000, overrideInAlarmEvent: { priority: 7 } } },
    });
    expect(await device('n-2')).toMatchObject({
      authorized: { invite: '^sip:1', register: true },
      password: '<secret>',
    });
    const body = { domain: 'a.test', deviceId: 'n-2', password: 'correct horse' };
    expect((await ask(api, 'POST', '/authorize', { token: null, body })).status).toBe(200);
  });

  test('a bad row is reported and stops no other', async () => {
    await put(
      'bad',
      [
        'deviceId,authType,srtp,serviceData.alarmBridge.heartbeatInterval',
        'b-1,deviceid,negotiated,',
        'b 2,deviceid,negotiated,',
        'b-3,nonsense,negotiated,',
        'b-4,deviceid,negotiated,soon',
        'b-1,deviceid,never,',
        'b-6,credentials,negotiated,',
        'b-7,deviceid,negotiated,,extra',
        'b-8,deviceid',
        'b-9,deviceid,never,900000',
      ].join('\n'),
    );
    const status = await ended('bad');
    expect([status.status, status.rows, status.failed]).toEqual(['COMPLETED', 9, 7]);
    const reasons = [
      [2, /^\/deviceId: /],
      [3, /^\/authType: /],
      [4, /heartbeatInterval: /],
      [5, /row 1 has the same deviceId/],
      [6, /^\/ha1: /],
      [7, /4 cells.*has 5/],
      [8, /^\/srtp: /],
    ] as const;
    expect(status.errors.map(({ row }) => row)).toEqual(reasons.map(([row]) => row));
    for (const [index, [, reason]] of reasons.entries()) expect(status.errors[index]?.reason).toMatch(reason);
    expect(await device('b-1')).toMatchObject({ srtp: 'negotiated' });
    expect(await device('b-9')).toMatchObject({ srtp: 'never' });
    expect(
      (await ask(api, 'GET', '/provisioning/device/a.test?filter=b-', { token })).body.devices,
    ).toHaveLength(2);
  });

  test('one fault in 1,600 rows is one group, whatever numbers stand in its words', async () => {
    const rows = Array.from({ length: 1_600 }, (_, n) => `m-${n},nonsense,negotiated`);
    rows.push('m-0,deviceid,negotiated', 'm-0,deviceid,negotiated', 'm-0,deviceid,negotiated');
    await put('many', ['deviceId,authType,srtp', ...rows].join('\n'));
    const status = await ended('many');
    expect(status).toMatchObject({ rows: 1_603, failed: 1_602 });
    expect(status.errors).toHaveLength(1_001);
    expect(status.groups).toMatchObject([
      { reason: expect.stringMatching(/^\/authType/), times: 1_600, rows: [1, 2, 3, 4, 5] },
      { reason: expect.stringMatching(/row 1601 has the same deviceId/), times: 2, rows: [1_602] },
    ]);
    expect(status.progress).toBe(
      'The import has ended. 1,603 rows were read: 1 row was applied, 1,602 were refused.',
    );
  });

  test('are overwritten when they are stored, and <secret> keeps its secret', async () => {
    const body = { deviceId: 'k-1', authType: 'credentials', srtp: 'negotiated', ha1: 'a'.repeat(32) };
    await ask(api, 'PUT', '/provisioning/device/a.test', { token, body });
    await put(
      'keep',
      'deviceId,authType,srtp,ha1\nk-1,credentials,never,<secret>\nk-2,credentials,never,<secret>\n',
    );
    const status = await ended('keep');
    expect(status).toMatchObject({ rows: 2, failed: 1, errors: [{ row: 2 }] });
    expect(await device('k-1')).toMatchObject({ srtp: 'never', ha1: '<secret>' });
  });

  test('a dry run says the same and writes nothing', async () => {
    const rev = await currentRevision(api.database.store, 'tenant', tenant);
    const rows = ['d-1,deviceid,negotiated', 'd-2,nonsense,negotiated', 'd-3,credentials,never'];
    await put('dry', ['deviceId,authType,srtp', ...rows].join('\n'), '?dryRun=true');
    expect(await ended('dry')).toMatchObject({ status: 'COMPLETED', dryRun: true, rows: 3, failed: 2 });
    expect((await ask(api, 'GET', '/provisioning/device/a.test/d-1', { token })).status).toBe(404);
    expect(await currentRevision(api.database.store, 'tenant', tenant)).toBe(rev);
  });

  test('500 rows are one revision and one transaction; sites and the log hear of every row', async () => {
    const { store } = api.database;
    const rev = await currentRevision(store, 'tenant', tenant);
    const rows = Array.from({ length: 1100 }, (_, i) => `m-${i},deviceid,negotiated`);
    await put('many', ['deviceId,authType,srtp', ...rows].join('\n'));
    expect(await ended('many')).toMatchObject({ status: 'COMPLETED', rows: 1100, failed: 0 });
    expect(await currentRevision(store, 'tenant', tenant)).toBe(rev + 3);
    const changes = await changesSince(store, 'tenant', tenant, rev, 10_000);
    expect(new Set(changes.map(({ id }) => id)).size).toBe(1100);
    const seen = (await auditAfter(store, tenant, 0, 10_000))
      .filter(({ entity, action }) => entity === 'device' && action === 'put many')
      .flatMap(({ detail }) => Object.keys((detail as { after: object }).after));
    expect(seen).toEqual(expect.arrayContaining(['m-0', 'm-499', 'm-500', 'm-1099']));
  });

  test('a text that ends badly fails the load behind what it had', async () => {
    await put('torn', 'deviceId,authType,srtp\nt-1,deviceid,negotiated\n"t-2,deviceid,negotiated\n');
    const status = await ended('torn');
    expect(status).toMatchObject({ status: 'FAILED', rows: 1, failed: 0 });
    expect(status.reason).toMatch(/line \d+: a quote is opened.*; 1 of the first 1 rows were applied/);
    expect(await device('t-1')).toMatchObject({ success: true });
  });

  test('a wrong header, no rows, another media type, and a bad id are refused at once', async () => {
    const refused = [
      [await put('h', 'deviceId,authtype\n'), 400, /column 2/],
      [await put('h', 'deviceId,deviceId\n'), 400, /repeats the field/],
      [await put('h', 'authType,srtp\n'), 400, /deviceId/],
      [await put('h', ''), 400, /no row/],
      [await put('h', '"deviceId\n'), 400, /line \d+: a quote/],
      [await put('h', 'deviceId\nx\n', '', 'text/plain'), 415, /text\/csv/],
      [await put('h', '{}', '', 'application/json'), 415, /text\/csv/],
      [await put('a%20b', 'deviceId\nx\n'), 400, /bulkId/],
      [await put('h', 'deviceId\nx\n', '?dryRun=yes'), 400, /dryRun/],
    ] as const;
    for (const [answer, status, reason] of refused) {
      expect(answer).toMatchObject({ status, body: { success: false } });
      expect(answer.body.reason).toMatch(reason);
    }
    expect((await ask(api, 'GET', `${BULK}/h`, { token })).status).toBe(404);
  });

  test('10 MiB is the limit, by length and while reading', async () => {
    const text = `deviceId,authType,srtp\n${'x'.repeat(10 * 1024 * 1024)}`;
    const answer = await put('large', text);
    expect(answer).toMatchObject({ status: 413, body: { error: { code: 'tooLarge' } } });
  });

  test('one load of a tenant at a time; another tenant does not wait', async () => {
    const { store } = api.database;
    await store.withTx((tx) =>
      putBulkJob(tx, {
        tenant,
        id: 'long',
        status: 'STARTED',
        dryRun: false,
        startedAt: 1,
        stoppedAt: null,
        rowCount: 500,
        failed: 2,
        reason: null,
        replica: null,
        errors: [],
      }),
    );
    const text = 'deviceId,authType,srtp\nc-1,deviceid,negotiated\n';
    expect(await put('second', text)).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    const other = '/provisioning/device/b.test/bulk/second';
    const csv = { raw: text, headers: { 'Content-Type': 'text/csv' } };
    expect((await ask(api, 'PUT', other, csv)).status).toBe(200);
    // A load of a process that has ended is over when the next one starts.
    await api.bulk.recover();
    expect(await ended('long')).toMatchObject({
      status: 'FAILED',
      rows: 500,
      failed: 2,
      reason: 'the program ended during the import; 498 of the first 500 rows were applied',
    });
    expect((await put('second', text)).status).toBe(200);
    expect(await ended('second')).toMatchObject({ status: 'COMPLETED' });
  });

  test('refused rows for a spreadsheet hold no formula', async () => {
    const answer = await ask(api, 'GET', `${BULK}/bad`, { token, headers: { Accept: 'text/csv' } });
    expect(answer.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    expect(String(answer.body.text).split('\r\n')).toHaveLength(1 + 7 + 1);
    expect(csvText([['=1+1', '@x', '-2', '+3', '\tx', 'a"b', "|cmd '/C calc'"]])).toBe(
      `"'=1+1","'@x","'-2","'+3","'\tx","a""b","'|cmd '/C calc'"\r\n`,
    );
  });
});
