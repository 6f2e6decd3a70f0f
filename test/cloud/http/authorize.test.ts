import { compactVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDeviceToken } from '#shared/authorize/index.ts';
import { platformKey } from '../tenant/signer.ts';
import { ask, makeTenant, openApi, type TestApi } from './api.ts';

const TABLET = {
  deviceId: 'tablet-7',
  authType: 'userid',
  srtp: 'always',
  password: 'correct horse',
  authorized: { domain: 'a.test', invite: '^sip:1[0-9]{3}@', register: true },
} as const;

describe('POST /authorize', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await openApi();
    const token = await makeTenant(api, 'a.test');
    const put = (body: object) => ask(api, 'PUT', '/provisioning/device/a.test', { token, body });
    await put(TABLET);
    await put({ deviceId: 'scaip-1', authType: 'deviceid', srtp: 'negotiated' });
  });
  afterAll(() => api.close());

  const authorize = (body: object) => ask(api, 'POST', '/authorize', { token: null, body });
  const good = { domain: 'a.test', deviceId: 'tablet-7', password: 'correct horse' };

  test('the token is verified with the public key alone, and carries what is provisioned', async () => {
    const answer = await authorize(good);
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect(answer.body.expiresAt).toBe(api.clock.now + 86_400_000);
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    const { payload, protectedHeader } = await compactVerify(String(answer.body.token), platformKey, {
      algorithms: ['EdDSA'],
    });
    expect(protectedHeader.kid).toBe('platform-1');
    const verified = {
      typ: protectedHeader.typ,
      payload: JSON.parse(Buffer.from(payload).toString()) as unknown,
    };
    expect(readDeviceToken(verified, 'a.test', api.clock.now)).toMatchObject({
      ok: true,
      value: { domain: 'a.test', sub: 'tablet-7', authorized: TABLET.authorized },
    });
  });

  test('unknown tenant, unknown device, another authType and a wrong password look alike', async () => {
    const answers = await Promise.all([
      authorize({ ...good, password: 'wrong' }),
      authorize({ ...good, deviceId: 'nobody' }),
      authorize({ ...good, domain: 'nobody.test' }),
      authorize({ ...good, deviceId: 'scaip-1' }),
    ]);
    for (const { status, body } of answers)
      expect({ status, body }).toEqual({ status: 401, body: answers[0]?.body });
  });

  test('five wrong tries lock the device, known or not, for 15 minutes', async () => {
    for (const deviceId of ['tablet-7', 'nobody-2']) {
      for (let i = 0; i < 5; i++) await authorize({ ...good, deviceId, password: `wrong ${i}` });
      const locked = await authorize({ ...good, deviceId });
      expect(locked).toMatchObject({ status: 429, body: { error: { code: 'tooManyRequests' } } });
      expect(Number(locked.headers.get('Retry-After'))).toBeGreaterThan(800);
    }
    api.clock.now += 15 * 60_000;
    expect((await authorize(good)).status).toBe(200);
  });

  test('a device token is no token of the API', async () => {
    const { token } = (await authorize(good)).body as { token: string };
    expect((await ask(api, 'GET', '/provisioning/device/a.test', { token })).status).toBe(401);
  });

  test('a body that is none is refused with its path', async () => {
    expect(await authorize({ ...good, extra: 1 })).toMatchObject({
      status: 400,
      body: { success: false, error: { code: 'invalid', path: '/extra' } },
    });
  });
});
