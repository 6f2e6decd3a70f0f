import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ItemTable, putItem, putNotificationSettings, tenantByDomain } from '#cloud/store/index.ts';
import { ask, BRIDGE, makeTenant, openApi, type TestApi } from '../api.ts';
import { MAPPER, SAMPLES } from '../resource-sample.ts';

const DOMAIN = 'a.test';
const SETTINGS = `/provisioning/notificationsettings/${DOMAIN}`;
const CONFIGURATION = `/provisioning/configuration/${DOMAIN}`;
/** RS256 by default: a shared secret is no key of it. */
const BAD = { sub: 'carillon', secret: 'x' };
const GOOD = { sub: 'carillon', secret: 'x', type: 'HS256' };

let api: TestApi;
let token: string;
let tenant: string;
beforeAll(async () => {
  api = await openApi();
  token = await makeTenant(api, DOMAIN);
  tenant = (await tenantByDomain(api.database.store, DOMAIN))?.id ?? '';
});
afterAll(() => api.close());

const send = (method: string, path: string, body?: unknown) => ask(api, method, path, { token, body });
const refused = (path: string) => ({
  status: 400,
  body: {
    success: false,
    reason: expect.stringContaining('for a shared secret set type HS256'),
    error: { code: 'invalid', path },
  },
});

/** Every kind of resource with a list of credentials, and where it is. */
const callbackTarget = { protocol: 'callback', partnerUrl: 'https://arc.example/alarm' };
const PLACES = [
  ...SAMPLES.filter(({ body }) => 'restAuthentication' in body).map(
    ({ base, member, hasSets, hasPatch, body }) => ({
      base,
      member,
      hasSets,
      hasPatch,
      at: '/restAuthentication',
      bodyOf: (entry: object): object => ({ ...body, restAuthentication: [entry] }),
    }),
  ),
  {
    base: '/provisioning/alarmeventmapper',
    member: 'alarmeventmapper',
    hasSets: true,
    hasPatch: true,
    at: '/targetEndpoint/restAuthentication',
    bodyOf: (entry: object): object => ({
      name: MAPPER.name,
      targetEndpoint: { ...callbackTarget, restAuthentication: [entry] },
    }),
  },
];

test('the places are all resources with credentials', () => {
  expect(PLACES.map(({ member }) => member)).toEqual([
    'alarmbridge',
    'cloudsipua',
    'mediaservice',
    'callrecording',
    'alarmeventmapper',
  ]);
});

describe.each(PLACES)('$member', ({ base, member, hasSets, hasPatch, at, bodyOf }) => {
  const all = `${base}/${DOMAIN}`;
  const secret = `${at}/0/secret`;

  test('a credential that cannot sign is refused when it is stored', async () => {
    expect(await send('POST', all, bodyOf(BAD))).toMatchObject(refused(secret));
    if (hasSets)
      expect(await send('POST', `${all}?provisory=true`, bodyOf(BAD))).toMatchObject(refused(secret));
    const restored = await send('PUT', CONFIGURATION, { [`${member}s`]: [bodyOf(BAD)] });
    expect(restored).toMatchObject(refused(`/${member}s/0${secret}`));
  });

  test('and when it is changed', async () => {
    const { id } = (await send('POST', all, bodyOf(GOOD))).body;
    const path = `${all}/${id}`;
    expect(await send('PUT', path, bodyOf(BAD))).toMatchObject(refused(secret));
    // The placeholder keeps the secret, and the type is another one.
    const kept = { sub: 'carillon', secret: '<secret>', type: 'RS256' };
    expect(await send('PUT', path, bodyOf(kept))).toMatchObject(refused(secret));
    if (!hasPatch) return;
    const patch = [{ op: 'add', path: `${at}/-`, value: BAD }];
    expect(await send('PATCH', path, patch)).toMatchObject(refused(`${at}/1/secret`));
    const retyped = [{ op: 'replace', path: `${at}/0/type`, value: 'ES256' }];
    expect(await send('PATCH', path, retyped)).toMatchObject(refused(secret));
  });
});

test('notification settings refuse it, alone and in a whole configuration', async () => {
  const body = { restAuthentication: [GOOD, BAD] };
  const place = '/restAuthentication/1/secret';
  expect(await send('PUT', SETTINGS, body)).toMatchObject(refused(place));
  const whole = await send('PUT', CONFIGURATION, { notificationsettings: body });
  expect(whole).toMatchObject(refused(`/notificationsettings${place}`));
  expect((await send('PUT', SETTINGS, { restAuthentication: [GOOD] })).status).toBe(200);
});

describe('a row from before the check', () => {
  const OLD = { ...BRIDGE, id: 'old', callbackId: 'c', restAuthentication: [{ ...BAD, type: 'RS256' }] };
  const put = (table: ItemTable, set: 'working' | 'provisory', body: { id: string }) =>
    api.database.store.withTx((tx) => putItem(tx, table, { tenant, set, id: body.id, body, updatedAt: 0 }));
  const path = `/provisioning/alarmbridge/${DOMAIN}/old`;

  test('takes what GET gave, and other fields; only the credential must be right when it changes', async () => {
    await put('alarmBridge', 'working', OLD);
    const { alarmbridge } = (await send('GET', path)).body as { alarmbridge: object };
    expect((await send('PUT', path, alarmbridge)).status).toBe(200);
    expect((await send('PUT', path, { ...alarmbridge, name: 'other' })).status).toBe(200);
    expect((await send('PATCH', path, [{ op: 'replace', path: '/name', value: 'third' }])).status).toBe(200);
    expect(
      await send('PUT', path, { ...alarmbridge, restAuthentication: [{ ...BAD, secret: 'y' }] }),
    ).toMatchObject(refused('/restAuthentication/0/secret'));
  });

  test('is no obstacle to a whole configuration that GET gave', async () => {
    await api.database.store.withTx((tx) =>
      putNotificationSettings(tx, {
        tenant,
        body: { restAuthentication: OLD.restAuthentication },
        updatedAt: 0,
      }),
    );
    const { configuration } = (await send('GET', CONFIGURATION)).body;
    expect((await send('PUT', CONFIGURATION, configuration)).status).toBe(200);
    const { notificationsettings } = (await send('GET', SETTINGS)).body;
    expect((await send('PUT', SETTINGS, notificationsettings)).status).toBe(200);
  });

  test('that is a draft is not promoted', async () => {
    await put('alarmBridge', 'provisory', { ...OLD, id: 'draft' });
    const answer = await send('POST', `${CONFIGURATION}/promote`, { alarmbridges: ['draft'] });
    expect(answer).toMatchObject(refused('/alarmbridges'));
  });
});
