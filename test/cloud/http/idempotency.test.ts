import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, BRIDGE, makeTenant, openApi, type TestApi } from './api.ts';

const bridges = '/provisioning/alarmbridge/a.test';

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await openApi();
  token = await makeTenant(api, 'a.test');
});
afterAll(() => api.close());

const refusal = (code: string) => ({ success: false, error: { code } });

describe('Idempotency-Key', () => {
  const key = (text: string) => ({ 'Idempotency-Key': text });

  test('the same request again gets the first answer and makes nothing', async () => {
    const first = await ask(api, 'POST', bridges, { token, body: BRIDGE, headers: key('k-1') });
    const again = await ask(api, 'POST', bridges, { token, body: BRIDGE, headers: key('k-1') });
    expect(again.body).toEqual(first.body);
    const other = await ask(api, 'POST', bridges, {
      token,
      body: { ...BRIDGE, name: 'Other' },
      headers: key('k-1'),
    });
    expect(other).toMatchObject({ status: 409, body: refusal('idempotencyKeyReused') });
    const elsewhere = await ask(api, 'POST', `${bridges}?provisory=true`, {
      token,
      body: BRIDGE,
      headers: key('k-1'),
    });
    expect(elsewhere.status).toBe(409);
  });

  test('two at once make one thing', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        ask(api, 'POST', bridges, { token, body: BRIDGE, headers: key('k-2') }),
      ),
    );
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
  });

  test('a failure is not kept, and after 24 h the key is free', async () => {
    const bad = { ...BRIDGE, restAuthentication: [{ secret: '<secret>' }] };
    expect((await ask(api, 'POST', bridges, { token, body: bad, headers: key('k-3') })).status).toBe(400);
    const first = await ask(api, 'POST', bridges, { token, body: BRIDGE, headers: key('k-3') });
    expect(first.status).toBe(200);
    api.clock.now += 86_400_001;
    const later = await ask(api, 'POST', bridges, { token, body: BRIDGE, headers: key('k-3') });
    expect(later.status).toBe(200);
    expect(later.body.id).not.toBe(first.body.id);
  });

  test('a token is shown once, also to the one who asks with the same key', async () => {
    const path = '/provisioning/apitoken/a.test';
    expect((await ask(api, 'POST', path, { token, body: {}, headers: key('k-4') })).status).toBe(200);
    const again = await ask(api, 'POST', path, { token, body: {}, headers: key('k-4') });
    expect(again).toMatchObject({ status: 409, body: refusal('tokenShownOnce') });
    const kept = await api.database.store.db.select().from(api.database.store.tables.idempotency);
    expect(JSON.stringify(kept)).not.toContain('ct_');
  });

  test('a key of nothing or of spaces is refused', async () => {
    expect((await ask(api, 'POST', bridges, { token, body: BRIDGE, headers: key('a b') })).status).toBe(400);
    expect(
      (await ask(api, 'POST', bridges, { token, body: BRIDGE, headers: key('x'.repeat(256)) })).status,
    ).toBe(400);
  });
});
