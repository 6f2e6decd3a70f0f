import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertSiteEvents, type SiteEventRow, tenantByDomain } from '#cloud/store/index.ts';
import { ask, makeTenant, openApi, type TestApi } from './api.ts';

const TRACE = '5f0c9f2e-6f2a-4c4e-9a3e-2b1f6d0a7c11';

interface Entry {
  readonly id: string;
  readonly type: string;
  readonly level: string;
}

describe('log data', () => {
  let api: TestApi;
  let token: string;
  beforeAll(async () => {
    api = await openApi();
    token = await makeTenant(api, 'a.test', 'read');
    await makeTenant(api, 'b.test');
    const { store } = api.database;
    const tenant = (await tenantByDomain(store, 'a.test'))?.id ?? '';
    const foreign = (await tenantByDomain(store, 'b.test'))?.id ?? '';
    let seq = 0;
    const event = (type: string, at: number, data: object, more: object = {}, of = tenant): SiteEventRow => ({
      id: `01j${String(++seq).padStart(23, '0')}`,
      tenant: of,
      siteId: 'north',
      uid: 'uid',
      lane: 'alarm',
      seq,
      boot: 1,
      epoch: 1,
      type,
      at,
      receivedAt: at + 5,
      late: false,
      body: { data, mono: 1, ...more },
    });
    await store.withTx((tx) =>
      insertSiteEvents(tx, [
        event('deviceHeartbeat', 1_000, { deviceId: 'scaip-0001', status: 'offline', traceId: TRACE }),
        event('serviceAlarm', 2_000, {
          error: 'x',
          deviceId: 'scaip-0002',
          sessionId: 's-1',
          traceId: 't-2',
        }),
        event('callbackFailed', 3_000, { error: 'scaip-0001 is only a word here', sessionId: 's-1' }),
        event('unknownDevice', 3_000, { sipFrom: '+4612', alarmEvent: { deviceId: '0042' } }),
        event('monitoringAlarm', 4_000, { errorDetails: { status: 'raised', severity: 'critical' } }),
        event('monitoringAlarm', 5_000, { errorDetails: { status: 'cleared', severity: 'critical' } }),
        event(
          'call',
          6_000,
          { callingParty: '100%_sure', level: 'debug' },
          { tp: `00-${TRACE.replaceAll('-', '')}-00f067aa0ba902b7-01` },
        ),
        event('serviceAlarm', 2_500, { deviceId: 'scaip-0001', traceId: TRACE }, {}, foreign),
      ]),
    );
  });
  afterAll(async () => {
    expect(api.defects).toEqual([]);
    await api.close();
  });

  const found = async (query: string): Promise<string[]> => {
    const answer = await ask(api, 'GET', `/provisioning/log/a.test?${query}`, { token });
    expect(answer.status).toBe(200);
    return (answer.body.entries as Entry[]).map(({ type, level }) => `${type} ${level}`);
  };

  test('is shown oldest first, of this tenant only, with what people look for', async () => {
    const answer = await ask(api, 'GET', '/provisioning/log/a.test', { token });
    const entries = answer.body.entries as Entry[];
    expect(entries.map(({ type }) => type)).toEqual([
      'deviceHeartbeat',
      'serviceAlarm',
      'callbackFailed',
      'unknownDevice',
      'monitoringAlarm',
      'monitoringAlarm',
      'call',
    ]);
    expect(entries[0]).toEqual({
      id: expect.any(String) as string,
      at: 1_000,
      receivedAt: 1_005,
      siteId: 'north',
      lane: 'alarm',
      type: 'deviceHeartbeat',
      level: 'info',
      late: false,
      traceId: TRACE,
      deviceId: 'scaip-0001',
      details: { deviceId: 'scaip-0001', status: 'offline', traceId: TRACE },
    });
  });

  test('is shown newest first where that is wanted, page by page, with nothing twice', async () => {
    const all = await found('limit=100');
    const seen: string[] = [];
    let next = '';
    do {
      const page = await ask(api, 'GET', `/provisioning/log/a.test?order=newest&limit=2${next}`, { token });
      expect(page.status).toBe(200);
      seen.push(...(page.body.entries as Entry[]).map(({ type, level }) => `${type} ${level}`));
      next =
        page.body.nextToken === undefined
          ? ''
          : `&nextToken=${encodeURIComponent(String(page.body.nextToken))}`;
    } while (next !== '');
    expect(seen).toEqual(all.toReversed());
    expect(await found('order=newest&from=2000&to=3001')).toEqual([
      'unknownDevice warn',
      'callbackFailed error',
      'serviceAlarm warn',
    ]);
  });

  const searches: readonly (readonly [string, readonly string[]])[] = [
    ['from=2000&to=3001', ['serviceAlarm warn', 'callbackFailed error', 'unknownDevice warn']],
    [`traceId=${TRACE}`, ['deviceHeartbeat info', 'call debug']],
    ['traceId=t-2', ['serviceAlarm warn']],
    ['sessionId=s-1', ['serviceAlarm warn', 'callbackFailed error']],
    ['sessionId=S-1', []],
    ['deviceId=scaip-0001', ['deviceHeartbeat info']],
    ['deviceId=0042', ['unknownDevice warn']],
    ['number=%2B4612', ['unknownDevice warn']],
    ['number=100%25_sure', ['call debug']],
    ['number=100__sure', []],
    ['level=error', ['callbackFailed error', 'monitoringAlarm error']],
    ['level=warn&sessionId=s-1&from=2500', ['callbackFailed error']],
  ];
  test.each(searches)('%s', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  test('goes on behind nextToken, also where two events share a moment', async () => {
    const seen: string[] = [];
    let next: unknown;
    do {
      const query = next === undefined ? '' : `&nextToken=${String(next)}`;
      const { body } = await ask(api, 'GET', `/provisioning/log/a.test?limit=2${query}`, { token });
      seen.push(...(body.entries as Entry[]).map(({ id }) => id));
      next = body.nextToken;
    } while (next !== undefined);
    expect(seen).toHaveLength(7);
    expect(new Set(seen).size).toBe(7);
  });

  test('are refused for a moment, level or token outside this list', async () => {
    const foreign = Buffer.from(JSON.stringify([1, 'x'])).toString('base64url');
    for (const query of ['from=yesterday', 'level=loud', `nextToken=${foreign}`, 'limit=101', 'colour=red'])
      expect(await ask(api, 'GET', `/provisioning/log/a.test?${query}`, { token })).toMatchObject({
        status: 400,
        body: { success: false, error: { code: 'invalid' } },
      });
  });
});
