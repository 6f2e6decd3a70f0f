import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { insertHost, insertSite, readItem, tenantByDomain, updateHostStatus } from '#cloud/store/index.ts';
import { HOST_ROW } from '#test/support/host-row.ts';
import { platformKey } from '../../tenant/signer.ts';
import { ask, DEVICE, makeTenant, openApi, type TestApi } from '../api.ts';

const LIST = { steps: [{ entries: [{ destination: '+46855511001', pin: '4711' }] }] };
const BRIDGE = { protocol: 'scaip', name: 'Units', destinationMatch: '^scaip$' };
const UID = '01jc7z5t3k9q8w6m4n2p0north';

describe('a list of people who are called', () => {
  let api: TestApi;
  let token: string;
  let tenant: string;

  beforeEach(async () => {
    api = await openApi();
    token = await makeTenant(api, 'a.test');
    tenant = (await tenantByDomain(api.database.store, 'a.test'))?.id ?? '';
  });
  afterEach(async () => {
    expect(api.defects).toEqual([]);
    await api.close();
  });

  const device = (emergencyCallList: unknown, more: object = { emergencyDestination: '+46855511000' }) =>
    ask(api, 'PUT', '/provisioning/device/a.test', {
      token,
      body: { ...DEVICE, serviceData: { alarmBridge: { ...more, emergencyCallList } } },
    });
  const bridge = (method: string, path: string, body?: object) =>
    ask(api, method, `/provisioning/alarmbridge/a.test${path}`, { token, body });
  const withList = { ...BRIDGE, defaultEmergencyDestination: '+46855511000', emergencyCallList: LIST };

  /** A host of the tenant with these abilities; undefined: it was never seen. */
  async function host(cap: readonly string[] | undefined): Promise<void> {
    await api.database.store.withTx(async (tx) => {
      const keyPublic = platformKey.export({ format: 'jwk' }) as Record<string, string>;
      const site = { tenant, siteId: 'north', name: null, profile: 'standard' as const, reachable: true };
      await insertSite(tx, { ...site, keyPublic, keySealed: '', createdAt: 1 });
      await insertHost(tx, {
        ...{ uid: UID, sh: '00', tenant, siteId: 'north', hostId: 'h1', lifecycle: 'active' as const },
        ...HOST_ROW,
        ...{ lifecycleSince: 1, certSince: 1, siteBaseUrl: 'https://north.a.test/', createdAt: 1 },
      });
      if (cap !== undefined)
        await updateHostStatus(tx, UID, { connectivity: 'online', facts: { cap: [...cap] } });
    });
  }

  test('needs the one destination beside it, at the bridge and at the device', async () => {
    const { defaultEmergencyDestination: _, ...alone } = withList;
    expect(await bridge('POST', '', alone)).toMatchObject({
      status: 400,
      body: { error: { path: '/emergencyCallList' } },
    });
    expect(await device(LIST, {})).toMatchObject({
      status: 400,
      body: { error: { path: '/serviceData/alarmBridge/emergencyCallList' } },
    });
  });

  test('is stored and shown with its defaults, its PINs masked and kept', async () => {
    const created = await bridge('POST', '', withList);
    expect(created.status).toBe(200);
    const { id } = created.body as { id: string };
    const shown = await bridge('GET', `/${id}`);
    const masked = { destination: '+46855511001', ringTime: 25_000, accept: 'key', pin: '<secret>' };
    expect(shown.body).toMatchObject({
      alarmbridge: {
        emergencyCallList: {
          steps: [{ entries: [masked] }],
          rounds: 3,
          pause: 60_000,
          maxDuration: 1_800_000,
        },
      },
    });
    const more = { destination: '+46855511002', pin: '0815' };
    const changed = { ...withList, emergencyCallList: { steps: [{ entries: [more, masked] }] } };
    expect((await bridge('PUT', `/${id}`, changed)).status).toBe(200);
    const row = await readItem(api.database.store, 'alarmBridge', { tenant, set: 'working' }, id);
    expect(JSON.stringify(row?.body)).toContain('4711');
    expect(JSON.stringify(row?.body)).not.toContain('<secret>');
  });

  test.each([
    ['knows no list', ['cfg.delta'], 409],
    ['knows lists', ['cfg.delta', 'list.1'], 200],
    ['was never seen', undefined, 200],
  ])('is answered while a host of the tenant %s', async (_, cap, status) => {
    await host(cap);
    const answers = [await bridge('POST', '', withList), await device(LIST)];
    expect(answers.map((each) => each.status)).toEqual([status, status]);
    if (status === 409) expect(JSON.stringify(answers[0]?.body)).toContain('the host h1 of the site north');
    expect((await bridge('POST', '', BRIDGE)).status).toBe(200);
  });

  test('is refused in a whole configuration, and in a promotion', async () => {
    await host([]);
    const path = '/provisioning/configuration/a.test';
    const { body } = await ask(api, 'GET', path, { token });
    const whole = { ...(body.configuration as object), alarmbridges: [withList] };
    expect(await ask(api, 'PUT', path, { token, body: { configuration: whole } })).toMatchObject({
      status: 409,
    });
    const draft = await bridge('POST', '?provisory=true', withList);
    expect(draft.status).toBe(200);
    const promoted = await ask(api, 'POST', `${path}/promote`, { token });
    expect(promoted.status).toBe(409);
    expect(JSON.stringify(promoted.body)).toContain('cannot call people from a list');
  });
});
