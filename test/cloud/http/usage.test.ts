import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { usageRows } from '#cloud/monitoring/usage/usage-queries.ts';
import { addUsage, tenantByDomain } from '#cloud/store/index.ts';
import { type UsageData, usageDataSchema } from '#shared/contract/feed/index.ts';
import { ask, makeTenant, openApi, type TestApi } from './api.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const JAN = Date.UTC(2030, 0, 1);
const FEB = Date.UTC(2030, 1, 1);

describe('usage', () => {
  let api: TestApi;
  let token: string;
  beforeAll(async () => {
    api = await openApi();
    token = await makeTenant(api, 'a.test', 'read');
    const { store } = api.database;
    const tenant = (await tenantByDomain(store, 'a.test'))?.id ?? '';
    const say = (from: number, counts: UsageData['counts']) =>
      store.withTx((tx) =>
        addUsage(tx, usageRows(tenant, usageDataSchema.parse({ from, to: from + 1, counts }))),
      );
    const count = (of: UsageData['counts'][number]['of'], n: number, protocol = '', result = '') => ({
      of,
      protocol,
      result,
      n,
    });
    await say(JAN + 10, [count('call', 2), count('callSecond', 90), count('alarm', 3, 'scaip', 'handled')]);
    await say(JAN + HOUR - 1, [count('alarm', 1, 'scaip', 'handled'), count('alarm', 1, 'scaip', 'failed')]);
    await say(JAN + 5 * HOUR, [count('alarm', 4, 'bs8521', 'handled'), count('recording', 1)]);
    await say(FEB, [count('callback', 7), count('call', 1)]);
  });
  afterAll(() => api.close());

  const list = async (query: string) => {
    const answer = await ask(api, 'GET', `/provisioning/usage/a.test?${query}`, { token });
    expect(answer.status).toBe(200);
    return answer.body as { entries: Record<string, unknown>[]; nextToken?: string };
  };
  const nothing = { calls: 0, minutes: 0, alarms: [], recordings: 0, callbacks: 0 };

  test('is added up by hour, protocol and result as hosts report it', async () => {
    const { entries } = await list(`from=${JAN + 1}&to=${JAN + 6 * HOUR}&interval=hour`);
    expect(entries).toHaveLength(6);
    expect(entries[0]).toEqual({
      ...nothing,
      from: JAN,
      to: JAN + HOUR,
      calls: 2,
      minutes: 1.5,
      alarms: [
        { protocol: 'scaip', result: 'failed', count: 1 },
        { protocol: 'scaip', result: 'handled', count: 4 },
      ],
    });
    expect(entries[1]).toEqual({ ...nothing, from: JAN + HOUR, to: JAN + 2 * HOUR });
    expect(entries[5]).toMatchObject({ recordings: 1, alarms: [{ protocol: 'bs8521', count: 4 }] });
  });

  test('days and months begin at their first hour of UTC', async () => {
    const days = await list(`from=${JAN + 7 * HOUR}&to=${JAN + DAY + 1}`);
    expect(days.entries.map(({ from, recordings }) => [from, recordings])).toEqual([
      [JAN, 1],
      [JAN + DAY, 0],
    ]);
    const months = await list(`from=${JAN + 20 * DAY}&to=${FEB + DAY}&interval=month`);
    expect(months.entries).toEqual([
      expect.objectContaining({ from: JAN, to: FEB, calls: 2 }),
      expect.objectContaining({ from: FEB, to: Date.UTC(2030, 2, 1), calls: 1, callbacks: 7 }),
    ]);
  });

  test('goes on behind nextToken; without a span it is the last 30 days', async () => {
    const first = await list(`from=${JAN}&to=${JAN + 3 * DAY}&limit=2`);
    expect(first.entries).toHaveLength(2);
    const rest = await list(`from=${JAN}&to=${JAN + 3 * DAY}&limit=2&nextToken=${first.nextToken}`);
    expect(rest.entries.map(({ from }) => from)).toEqual([JAN + 2 * DAY]);
    expect(rest.nextToken).toBeUndefined();
    api.clock.now = FEB + 12 * HOUR;
    const { entries } = await list('');
    expect(entries).toHaveLength(31);
    expect(entries.at(-1)).toMatchObject({ from: FEB, callbacks: 7 });
  });

  test('another interval is refused', async () => {
    const answer = await ask(api, 'GET', '/provisioning/usage/a.test?interval=year', { token });
    expect(answer).toMatchObject({ status: 400, body: { error: { path: '/interval' } } });
  });
});
