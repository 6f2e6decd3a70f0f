import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { currentRevision, setDeviceHeartbeat, tenantByDomain } from '#cloud/store/index.ts';
import { changesMade } from '../store/database.ts';
import { ask, DEVICE, makeTenant, openApi, type TestApi } from './api.ts';

const DOMAIN = 'devices.test';
const all = `/provisioning/device/${DOMAIN}`;
const hash = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex');

describe('devices', () => {
  let api: TestApi;
  let token: string;
  let tenant: string;
  beforeAll(async () => {
    api = await openApi();
    token = await makeTenant(api, DOMAIN);
    tenant = (await tenantByDomain(api.database.store, DOMAIN))?.id ?? '';
  });
  afterAll(() => api.close());

  const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    ask(api, method, path, { token, body, ...(headers === undefined ? {} : { headers }) });
  const revision = () => currentRevision(api.database.store, 'tenant', tenant);
  const lastChange = async () =>
    (await changesMade(api.database.store, 'tenant', tenant, (await revision()) - 1, 10))[0];

  test('PUT adds, GET shows the device itself, PUT modifies', async () => {
    expect((await send('PUT', all, DEVICE)).body).toEqual({ success: true });
    const read = await send('GET', `${all}/scaip-0001`);
    expect(read).toMatchObject({ status: 200, body: { ...DEVICE, success: true } });
    expect(read.headers.get('ETag')).toMatch(/^"[0-9a-f]{32}"$/);
    expect((await send('PUT', all, { ...DEVICE, description: 'hall' })).status).toBe(200);
    expect((await send('GET', `${all}/scaip-0001`)).body.description).toBe('hall');
  });

  test('an id with colons is found plain and percent-encoded', async () => {
    const deviceId = 'site:ctrl+1:unit~2';
    await send('PUT', all, { ...DEVICE, deviceId });
    for (const written of ['site:ctrl+1:unit~2', 'site%3Actrl%2B1%3Aunit~2'])
      expect((await send('GET', `${all}/${written}`)).body.deviceId).toBe(deviceId);
    expect((await send('DELETE', `${all}/site%3Actrl%2B1%3Aunit~2`)).body).toEqual({ success: true });
    expect((await send('GET', `${all}/${deviceId}`)).status).toBe(404);
  });

  describe('credentials', () => {
    const phone = { deviceId: 'phone-1', authType: 'credentials', srtp: 'always' } as const;

    test('a password is generated, shown once and kept as HA1 only', async () => {
      const { password } = (await send('PUT', all, phone)).body as { password: string };
      expect(password).toMatch(/^[a-zA-Z2-9]{24}$/);
      const stored = (await lastChange())?.body;
      const secret = `phone-1:${DOMAIN}:${password}`;
      expect(stored).toEqual({
        ...phone,
        digest: { md5: hash('md5', secret), sha256: hash('sha256', secret) },
      });
      expect((await send('GET', `${all}/phone-1`)).body).toEqual({
        ...phone,
        ha1: '<secret>',
        success: true,
      });
    });

    test('take by PUT what GET gave: the credential stays and none is generated', async () => {
      await send('PUT', all, phone);
      const before = (await lastChange())?.body;
      const { body } = await send('GET', `${all}/phone-1`);
      expect((await send('PUT', all, { ...body, description: 'desk' })).body).toEqual({ success: true });
      expect((await lastChange())?.body).toEqual({ ...(before as object), description: 'desk' });
      expect((await send('PATCH', `${all}/phone-1`, [{ op: 'remove', path: '/description' }])).body).toEqual({
        success: true,
      });
      expect((await lastChange())?.body).toEqual(before);
    });

    test('a given ha1 is MD5 or SHA-256 by its length', async () => {
      const md5 = hash('md5', 'x').toUpperCase();
      expect((await send('PUT', all, { ...phone, ha1: md5 })).body).toEqual({ success: true });
      expect((await lastChange())?.body).toMatchObject({ digest: { md5: md5.toLowerCase() } });
      await send('PUT', all, { ...phone, ha1: hash('sha256', 'x') });
      expect((await lastChange())?.body).toMatchObject({ digest: { sha256: hash('sha256', 'x') } });
    });

    test('digestAlgorithm reaches the sites, and must fit the hash that is kept', async () => {
      await send('PUT', all, { ...phone, digestAlgorithm: 'sha256' });
      expect((await lastChange())?.body).toMatchObject({
        digestAlgorithm: 'sha256',
        digest: { sha256: expect.stringMatching(/./) },
      });
      expect((await send('GET', `${all}/phone-1`)).body).toMatchObject({ digestAlgorithm: 'sha256' });
      await send('PUT', all, { ...phone, ha1: hash('md5', 'x') });
      const patch = [{ op: 'add', path: '/digestAlgorithm', value: 'sha256' }];
      expect(await send('PATCH', `${all}/phone-1`, patch)).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid', path: '/digestAlgorithm' } },
      });
    });

    test('a placeholder for nothing is refused', async () => {
      const answer = await send('PUT', all, { ...phone, deviceId: 'phone-new', ha1: '<secret>' });
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'secretUnknown', path: '/ha1' } } });
    });

    test('the password of a userid device is hashed with argon2id', async () => {
      const app = { deviceId: 'app-1', authType: 'userid', srtp: 'always', password: 'correct horse' };
      expect((await send('PUT', all, app)).body).toEqual({ success: true });
      const stored = (await lastChange())?.body as { passwordHash: string };
      expect(stored.passwordHash).toMatch(
        /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
      );
      expect(JSON.stringify(stored)).not.toContain('correct horse');
      expect((await send('GET', `${all}/app-1`)).body.password).toBe('<secret>');
      await send('PATCH', `${all}/app-1`, [{ op: 'add', path: '/description', value: 'kept' }]);
      expect((await lastChange())?.body).toEqual({ ...stored, description: 'kept' });
      const { body } = await send('PATCH', `${all}/app-1`, [
        { op: 'replace', path: '/authType', value: 'credentials' },
        { op: 'remove', path: '/password' },
      ]);
      expect(body).toEqual({ success: true, password: expect.any(String) as string });
      expect((await lastChange())?.body).not.toHaveProperty('passwordHash');
    });
  });

  const refused: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ['a space in the id', { ...DEVICE, deviceId: 'a b' }, '/deviceId'],
    ['an unknown authType', { ...DEVICE, authType: 'open' }, '/authType'],
    ['a password without userid', { ...DEVICE, password: 'x' }, '/password'],
    ['userid without a password', { ...DEVICE, authType: 'userid' }, '/password'],
    ['a long description', { ...DEVICE, description: 'd'.repeat(201) }, '/description'],
    ['a group of another type', { ...DEVICE, groupId: 'family-1' }, '/groupId'],
    [
      'a typo deep inside',
      { ...DEVICE, serviceData: { alarmBridge: { heartbeatIntervall: 1 } } },
      '/serviceData/alarmBridge/heartbeatIntervall',
    ],
  ];
  test.each(refused)('%s is refused with its place', async (_name, body, path) => {
    expect(await send('PUT', all, body)).toMatchObject({
      status: 400,
      body: { success: false, error: { code: 'invalid', path } },
    });
  });

  test('the id cannot be patched, the rest can, and service-set fields are ignored', async () => {
    await send('PUT', all, { ...DEVICE, deviceId: 'patch-1' });
    const rename = await send('PATCH', `${all}/patch-1`, [
      { op: 'replace', path: '/deviceId', value: 'patch-2' },
    ]);
    expect(rename).toMatchObject({ status: 400, body: { error: { path: '/deviceId' } } });
    const patch = [
      { op: 'add', path: '/heartbeatStatus', value: 'online' },
      { op: 'replace', path: '/srtp', value: 'never' },
    ];
    expect((await send('PATCH', `${all}/patch-1`, patch)).status).toBe(200);
    const { body } = await send('GET', `${all}/patch-1`);
    expect(body).toMatchObject({ srtp: 'never' });
    expect(body).not.toHaveProperty('heartbeatStatus');
  });

  test('show the report of the edge about the heartbeat, which makes no revision, and goes with the device', async () => {
    await send('PUT', all, { ...DEVICE, deviceId: 'beat-1' });
    const before = await revision();
    await api.database.store.withTx((tx) =>
      setDeviceHeartbeat(tx, tenant, 'beat-1', 'online', 1_900_000_000_000),
    );
    await api.database.store.withTx((tx) =>
      setDeviceHeartbeat(tx, tenant, 'beat-1', 'offline', 1_900_000_300_000),
    );
    expect((await send('GET', `${all}/beat-1`)).body).toMatchObject({
      heartbeatStatus: 'offline',
      heartbeatExpiration: 1_900_000_300_000,
    });
    expect(await revision()).toBe(before);
    await send('DELETE', `${all}/beat-1`);
    await send('PUT', all, { ...DEVICE, deviceId: 'beat-1' });
    expect((await send('GET', `${all}/beat-1`)).body).not.toHaveProperty('heartbeatStatus');
  });

  test('the list filters by prefix and pages through it', async () => {
    const ids = ['f-1', 'f-2', 'f-3', 'f.', 'f', 'F-1', 'g-1'];
    for (const deviceId of ids) await send('PUT', all, { ...DEVICE, deviceId });
    const first = await send('GET', `${all}?filter=f-&limit=2`);
    expect((first.body.devices as { deviceId: string }[]).map((device) => device.deviceId)).toEqual([
      'f-1',
      'f-2',
    ]);
    const second = await send('GET', `${all}?filter=f-&limit=2&nextToken=${String(first.body.nextToken)}`);
    expect((second.body.devices as { deviceId: string }[]).map((device) => device.deviceId)).toEqual(['f-3']);
    expect(second.body).not.toHaveProperty('nextToken');
    expect((await send('GET', `${all}?filter=nobody`)).body).toEqual({ success: true, devices: [] });
  });

  test('the filter and If-Match are no way around: unknown ids are 404, a stale tag is 412', async () => {
    await send('PUT', all, { ...DEVICE, deviceId: 'tag-1' });
    const stale = { 'If-Match': '"x"' };
    expect((await send('PUT', all, { ...DEVICE, deviceId: 'tag-1' }, stale)).status).toBe(412);
    expect((await send('PUT', all, { ...DEVICE, deviceId: 'tag-new' }, { 'If-Match': '*' })).status).toBe(
      412,
    );
    expect((await send('DELETE', `${all}/tag-1`, undefined, stale)).status).toBe(412);
    expect((await send('DELETE', `${all}/nobody`)).status).toBe(404);
    expect((await send('PATCH', `${all}/nobody`, [])).status).toBe(404);
  });

  test('DELETE all counts first, deletes when confirmed, as one mass change', async () => {
    const other = 'all.test';
    const theirs = await makeTenant(api, other);
    const path = `/provisioning/device/${other}`;
    for (let i = 0; i < 3; i++)
      await ask(api, 'PUT', path, { token: theirs, body: { ...DEVICE, deviceId: `d-${i}` } });
    const owner = (await tenantByDomain(api.database.store, other))?.id ?? '';
    const before = await currentRevision(api.database.store, 'tenant', owner);
    for (const body of [undefined, {}, { confirmDeleteAll: false }])
      expect((await ask(api, 'DELETE', path, { token: theirs, body })).body).toEqual({
        success: true,
        message: '3 devices would be deleted',
      });
    expect(await currentRevision(api.database.store, 'tenant', owner)).toBe(before);
    expect(
      (await ask(api, 'DELETE', path, { token: theirs, body: { confirmDeleteAll: 'yes' } })).status,
    ).toBe(400);
    const deleted = await ask(api, 'DELETE', path, { token: theirs, body: { confirmDeleteAll: true } });
    expect(deleted.body).toEqual({ success: true, message: '3 devices deleted' });
    const rows = await changesMade(api.database.store, 'tenant', owner, before, 10);
    expect(rows.map((row) => [row.rev, row.id, row.op, row.massChange])).toEqual(
      [0, 1, 2].map((i) => [before + 1, `d-${i}`, 'delete', true]),
    );
  });
});
