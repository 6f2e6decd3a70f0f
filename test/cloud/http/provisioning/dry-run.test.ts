import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Ask, ask, BRIDGE, DEVICE, makeTenant, openApi, type TestApi } from '../api.ts';
import { SAMPLES } from '../resource-sample.ts';

const DOMAIN = 'dry.test';

/** Writes that a rolled-back transaction cannot undo; every other one takes a dry run. */
const ACTIONS =
  /^POST \/(?:authorize|session|setup|edge|sipmessage|record)|\/session\/secondfactor|promptfile|\/alarmbridge\/\{domain\}\/(?:devicecommand|handshakes|hangupalarmcall|sendalarmevent|startstream|stopstream)|\/alarmqueue\/|POST \/callrecording\/\{domain\}\/(?!.*\/restore)|\/apikey|\/apitoken|\/personaldata|\/broker\/check|POST \/provisioning\/user\/|\/host\/\{hostId\}(?!\/labels)|\/claim$|\/alarm\/\{alarmId\}/;

interface Write {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { name: string; in: string; description?: string }[];
}

describe('a dry run', () => {
  let api: TestApi;
  let token: string;
  let writes: Write[];
  let received = 0;
  const call = (method: string, path: string, asked: Ask = {}): Promise<Answer> =>
    ask(api, method, path, { token, ...asked });

  /** Rows of every table, as text. */
  async function contents(): Promise<string> {
    const { db, tables } = api.database.store;
    const all: unknown[] = [];
    for (const [name, table] of Object.entries(tables)) all.push([name, await db.select().from(table)]);
    return JSON.stringify(all);
  }

  beforeAll(async () => {
    api = await openApi();
    token = await makeTenant(api, DOMAIN);
    await call('PUT', `/provisioning/device/${DOMAIN}`, { body: DEVICE });
    api.database.store.onChange(() => (received += 1));
    const { body } = await ask(api, 'GET', '/openapi.json');
    writes = Object.entries(body.paths as Record<string, Record<string, Pick<Write, 'parameters'>>>).flatMap(
      ([path, item]) =>
        Object.entries(item)
          .filter(([method]) => /^(?:post|put|patch)$/.test(method))
          .map(([method, { parameters = [] }]) => ({ method: method.toUpperCase(), path, parameters })),
    );
  });
  afterAll(() => api.close());

  test('every writing route of the description names the parameter, and says whether it can', () => {
    expect(writes.length).toBeGreaterThan(60);
    for (const { method, path, parameters } of writes) {
      const described = parameters.filter((each) => each.in === 'query' && each.name === 'dryRun');
      expect([`${method} ${path}`, described.length]).toEqual([`${method} ${path}`, 1]);
      const refuses = described[0]?.description?.includes('refused') ?? false;
      expect([`${method} ${path}`, refuses]).toEqual([
        `${method} ${path}`,
        ACTIONS.test(`${method} ${path}`),
      ]);
    }
  });

  test('an action is refused in words, and every other write leaves every table as it is', async () => {
    const before = await contents();
    for (const { method, path } of writes) {
      if (path.startsWith('/edge/') || path.includes('/bulk/')) continue;
      const filled = path.replace('{domain}', DOMAIN).replaceAll(/\{\w+\}/g, 'some-id');
      const answer = await call(method, `${filled}?dryRun=true`, { body: {} });
      const isAction = ACTIONS.test(`${method} ${path}`);
      const code = (answer.body.error as { code?: string } | undefined)?.code;
      expect([`${method} ${path}`, code === 'dryRunImpossible']).toEqual([`${method} ${path}`, isAction]);
      if (isAction) {
        expect(answer.status).toBe(400);
        expect(answer.body.reason).toContain('its effect cannot be taken back');
      }
    }
    expect(await contents()).toBe(before);
  });

  test.each(SAMPLES)(
    'with $base answers what would be stored, and keeps nothing',
    async ({ base, member, body }) => {
      const before = await contents();
      const made = await call('POST', `${base}/${DOMAIN}?dryRun=true`, { body });
      expect(made.body).toMatchObject({ success: true, stored: { [member]: { name: body.name } } });
      expect(made.status).toBe(200);
      expect(made.headers.get('Carillon-Dry-Run')).toBe('true');
      expect(JSON.stringify(made.body)).not.toContain('do-not-show');
      expect(await contents()).toBe(before);
      expect(received).toBe(0);
    },
  );

  test('judges as the write does: schema, reference, If-Match', async () => {
    const wrong = await call('POST', `/provisioning/alarmbridge/${DOMAIN}?dryRun=true`, {
      body: { ...BRIDGE, protocol: 'telepathy' },
    });
    expect([wrong.status, (wrong.body.error as { path: string }).path]).toEqual([400, '/protocol']);
    const stale = await call('PATCH', `/provisioning/device/${DOMAIN}/${DEVICE.deviceId}?dryRun=true`, {
      body: [{ op: 'add', path: '/deviceType', value: 'alarmUnit' }],
      headers: { 'If-Match': '"stale"' },
    });
    expect(stale.status).toBe(412);
    const word = await call('PUT', `/provisioning/device/${DOMAIN}?dryRun=perhaps`, { body: DEVICE });
    expect(word.body.reason).toBe('/dryRun: must be true or false');
  });

  test('shows a device changed, and the device stays', async () => {
    const path = `/provisioning/device/${DOMAIN}/${DEVICE.deviceId}`;
    const patched = await call('PATCH', `${path}?dryRun=true`, {
      body: [{ op: 'add', path: '/deviceType', value: 'alarmUnit' }],
    });
    expect(patched.body.stored).toMatchObject({ deviceType: 'alarmUnit' });
    const put = await call('PUT', `/provisioning/device/${DOMAIN}?dryRun=true`, {
      body: { ...DEVICE, deviceId: 'scaip-0002' },
    });
    expect(put.body.stored).toMatchObject({ deviceId: 'scaip-0002' });
    expect((await call('GET', path)).body).not.toMatchObject({ deviceType: 'alarmUnit' });
    const removed = await call('DELETE', `${path}?dryRun=true`);
    expect(removed.body).toEqual({ success: true });
    expect((await call('GET', path)).status).toBe(200);
  });

  test('shows whom a new receiver would shadow', async () => {
    const made = await call('POST', `/provisioning/alarmbridge/${DOMAIN}`, { body: BRIDGE });
    const rival = await call('POST', `/provisioning/alarmbridge/${DOMAIN}?dryRun=true`, {
      body: { ...BRIDGE, name: 'Rival' },
    });
    expect(rival.body.warnings).toBeDefined();
    await call('DELETE', `/provisioning/alarmbridge/${DOMAIN}/${String(made.body.id)}`);
  });

  test('keeps no idempotency key', async () => {
    const headers = { 'Idempotency-Key': 'once' };
    const path = `/provisioning/alarmbridge/${DOMAIN}`;
    expect((await call('POST', `${path}?dryRun=true`, { body: BRIDGE, headers })).status).toBe(200);
    expect((await call('POST', path, { body: BRIDGE, headers })).status).toBe(200);
  });

  test('is refused for the role of an unknown person', async () => {
    const role = await call('PUT', `/provisioning/user/${DOMAIN}/nobody?dryRun=true`, {
      body: { role: 'viewer' },
    });
    expect(role.status).toBe(404);
    expect((await call('GET', `/provisioning/device/${DOMAIN}`)).status).toBe(200);
  });

  test('two at once, and a write beside them, do not disturb each other', async () => {
    const path = `/provisioning/device/${DOMAIN}`;
    const [first, real, second] = await Promise.all([
      call('PUT', `${path}?dryRun=true`, { body: { ...DEVICE, deviceId: 'one' } }),
      call('PUT', path, { body: { ...DEVICE, deviceId: 'two' } }),
      call('PUT', `${path}?dryRun=true`, { body: { ...DEVICE, deviceId: 'three' } }),
    ]);
    expect([first.status, real.status, second.status]).toEqual([200, 200, 200]);
    const listed = (await call('GET', path)).body.devices as { deviceId: string }[];
    expect(listed.map(({ deviceId }) => deviceId)).toEqual(['scaip-0001', 'two']);
  });
});
