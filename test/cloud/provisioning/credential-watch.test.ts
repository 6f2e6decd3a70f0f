import { afterEach, beforeEach, expect, test } from 'vitest';
import { signingFault } from '#cloud/io/callback/index.ts';
import { digest } from '#cloud/io/digest/index.ts';
import { PlatformAlarmTable } from '#cloud/monitoring/index.ts';
import { createCredentialWatch } from '#cloud/provisioning/index.ts';
import { insertTenant, putItem, putNotificationSettings, type Store } from '#cloud/store/index.ts';
import { type PlatformAlarm, platformAlarmSchema } from '#shared/contract/callback/index.ts';
import { openTestDatabase } from '../store/database.ts';

const bad = [{ sub: 'a', secret: 'x', type: 'RS256' }];
const good = [{ sub: 'a', secret: 'x', type: 'HS256' }];

let store: Store;
let close: () => Promise<void>;
let reported: { readonly tenant: string; readonly alarm: PlatformAlarm }[];
let platform: PlatformAlarmTable;
let watch: () => Promise<void>;

beforeEach(async () => {
  ({ store, close } = await openTestDatabase('sqlite'));
  reported = [];
  const nowMs = () => 1_770_000_000_000;
  platform = new PlatformAlarmTable({ nowMs, random: digest.random, log: () => undefined });
  watch = createCredentialWatch({
    store,
    random: digest.random,
    signingFault,
    nowMs,
    relay: async (_tx, tenant, _id, alarm) => void reported.push({ tenant, alarm }),
    platform,
  });
  for (const id of ['t1', 't2', 't3'])
    await store.withTx((tx) =>
      insertTenant(tx, { id, domain: `${id}.example`, name: null, createdAt: 0, notBefore: 0 }),
    );
});
afterEach(() => close());

const bridge = (
  tenant: string,
  id: string,
  restAuthentication: unknown,
  set: 'working' | 'provisory' = 'working',
) =>
  store.withTx((tx) =>
    putItem(tx, 'alarmBridge', { tenant, set, id, body: { id, restAuthentication }, updatedAt: 0 }),
  );

test('raises one alarm for a tenant with credentials that cannot sign, and names them', async () => {
  await bridge('t1', 'good', good);
  await bridge('t2', 'b1', [...good, ...bad]);
  await bridge('t2', 'b2', bad);
  await bridge('t3', 'draft', bad, 'provisory');
  await store.withTx((tx) =>
    putNotificationSettings(tx, { tenant: 't2', body: { restAuthentication: bad }, updatedAt: 0 }),
  );
  await watch();
  await watch();
  expect(reported.map(({ tenant }) => tenant)).toEqual(['t2']);
  expect(platformAlarmSchema.parse(reported[0]?.alarm)).toMatchObject({
    type: 'serviceAlarm',
    error: 'credentialUnusable',
    domain: 't2.example',
    errorDetails: {
      count: 3,
      credentials: [
        { entity: 'alarmbridge', id: 'b1', path: '/restAuthentication/1/secret' },
        { entity: 'alarmbridge', id: 'b2', path: '/restAuthentication/0/secret' },
        { entity: 'notificationsettings', path: '/restAuthentication/0/secret' },
      ],
    },
  });
  expect(platform.list()).toMatchObject([
    {
      error: 'credentialUnusable',
      subject: 't2.example',
      status: 'active',
      message: expect.stringContaining('HS256'),
    },
  ]);
});

test('ends the alarm of the deployment when the credential is right', async () => {
  await bridge('t1', 'b', bad);
  await watch();
  await bridge('t1', 'b', good);
  await watch();
  expect(platform.list()).toMatchObject([{ subject: 't1.example', status: 'cleared' }]);
  await bridge('t1', 'b', bad);
  await watch();
  expect(reported).toHaveLength(2);
});
