import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../io/broker/stage.ts';
import { ask, DEVICE, makeTenant, openApi, type TestApi } from '../api.ts';

const DC09 = { serviceData: { alarmBridge: { alarmProtocol: 'dc09' } } } as const;

describe('accounts of DC-09 that are equal but for case and leading zeros', () => {
  let api: TestApi;
  let count = 0;
  beforeAll(async () => {
    api = await openApi();
  });
  afterAll(() => api.close());

  /** A tenant of its own for each test. */
  async function tenant() {
    const domain = `accounts${++count}.test`;
    const token = await makeTenant(api, domain);
    const all = `/provisioning/device/${domain}`;
    const send = (method: string, path: string, body?: unknown) =>
      ask(api, method, `${all}${path}`, { token, body });
    const put = (deviceId: string, rest: object = DC09) => send('PUT', '', { ...DEVICE, deviceId, ...rest });
    const bulk = (raw: string) =>
      ask(api, 'PUT', `${all}/bulk/one`, { token, raw, headers: { 'Content-Type': 'text/csv' } });
    return { send, put, bulk };
  }

  test.each([
    ['0012AB', '12ab'],
    ['12', '0012'],
    ['site:012', 'SITE:12'],
    ['0', '0000'],
  ])('%s is there, and %s is refused with its name', async (first, second) => {
    const { put, send } = await tenant();
    expect((await put(first)).status).toBe(200);
    const refused = await put(second);
    expect(refused).toMatchObject({ status: 409, body: { success: false } });
    expect(JSON.stringify(refused.body)).toContain(`that of the device ${first},`);
    expect((await send('GET', `/${second}`)).status).toBe(404);
  });

  test.each([
    ['10', '1'],
    ['101', '11'],
    ['A:01', 'A0:1'],
    ['1A', '1B'],
  ])('%s and %s are two accounts', async (first, second) => {
    const { put } = await tenant();
    expect((await put(first)).status).toBe(200);
    expect((await put(second)).status).toBe(200);
  });

  test('one that says so is enough, devices of other protocols are free, and tenants are apart', async () => {
    const [one, other] = [await tenant(), await tenant()];
    expect((await one.put('0123', {})).status).toBe(200);
    expect((await one.put('123', {})).status).toBe(200);
    expect((await one.put('00123')).status).toBe(409);
    expect((await one.put('0777')).status).toBe(200);
    expect((await one.put('777', {})).status).toBe(409);
    expect((await other.put('00123')).status).toBe(200);
  });

  test('the same device is changed, and one that becomes an account is looked at', async () => {
    const { put, send } = await tenant();
    expect((await put('0a1')).status).toBe(200);
    expect((await put('0a1', { ...DC09, description: 'hall' })).status).toBe(200);
    await put('b7', {});
    await put('B7', {});
    const patch = [{ op: 'add', path: '/serviceData', value: DC09.serviceData }];
    const refused = await send('PATCH', '/b7', patch);
    expect(refused.status).toBe(409);
    expect(JSON.stringify(refused.body)).toContain('B7');
    expect((await send('DELETE', '/B7')).status).toBe(200);
    expect((await send('PATCH', '/b7', patch)).status).toBe(200);
  });

  test('a load in bulk refuses its rows one by one, among themselves too', async () => {
    const { put, send, bulk } = await tenant();
    expect((await put('0012')).status).toBe(200);
    const rows = ['12', '7', '07', '8'].map((id) => `${id},deviceid,negotiated,dc09`);
    await bulk(['deviceId,authType,srtp,serviceData.alarmBridge.alarmProtocol', ...rows].join('\n'));
    let status: unknown;
    await eventually(async () => {
      status = (await send('GET', '/bulk/one')).body.status;
      return (status as { status: string }).status !== 'STARTED';
    }, 'the end of the load');
    expect(status).toMatchObject({
      rows: 4,
      failed: 2,
      errors: [{ reason: expect.stringContaining('0012') }, { reason: expect.stringContaining('device 7,') }],
    });
    expect((await send('GET', '/8')).status).toBe(200);
  });
});
