import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { breakingChanges } from '#installer/build/breaking-change.ts';
import { answersOnce, clientText } from '#installer/build/client-text.ts';
import { type OpenApi, operationsOf } from '#installer/build/openapi.ts';
import { type Client, createClient, OPERATIONS } from '#shared/client/index.ts';
import { openWholeCloud, type WholeCloud } from '#test/cloud/whole-cloud.ts';

const folder = join(import.meta.dirname, '../../../shared/client');
const kept = JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8')) as OpenApi;
/** The document of an earlier version, without texts. It is not written again when the API grows. */
const frozen = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../vectors/frozen/openapi.json'), 'utf8'),
) as OpenApi;

let cloud: WholeCloud;
let client: Client;
let now: OpenApi;
beforeAll(async () => {
  cloud = await openWholeCloud();
  client = createClient({ baseUrl: cloud.api, token: () => cloud.owner, fetch });
  now = (await (await fetch(`${cloud.api}/openapi.json`)).json()) as OpenApi;
});
afterAll(() => cloud.close());

describe('the document', () => {
  it('breaks nothing that programs rely on since it was last written down', () => {
    expect(breakingChanges(kept, now)).toEqual([]);
  });

  it('breaks nothing that programs of an earlier version rely on', () => {
    expect(operationsOf(frozen).length).toBeGreaterThan(200);
    expect(breakingChanges(frozen, now)).toEqual([]);
  });

  it('and the client made from it are those of this program: node installer/build/write-client.ts {base_url}', () => {
    expect(Object.keys(OPERATIONS).toSorted()).toEqual(
      operationsOf(now)
        .filter(answersOnce)
        .map(({ operationId }) => operationId)
        .toSorted(),
    );
    const squeezed = (text: string) => text.replace(/[\s;,'"|()]/g, '');
    // Not `toBe`: a difference of a hundred thousand characters helps no reader.
    const kept = squeezed(readFileSync(join(folder, 'operation.codes.ts'), 'utf8'));
    expect(
      kept === squeezed(clientText(now)),
      'shared/client is older than the contract: run npm start, then node installer/build/write-client.ts with the address of its API',
    ).toBe(true);
  });

  it('names every operation once', () => {
    const names = operationsOf(now).map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('the client', () => {
  const domain = 'client.example';

  it('writes, reads and lists by the names of the document', async () => {
    expect(await client.call('postPlatformTenant', { body: { domain } })).toMatchObject({ ok: true });
    for (const deviceId of ['a:1', 'b', 'c'])
      expect(
        await client.call('putProvisioningDevice', {
          domain,
          body: { deviceId, authType: 'deviceid', srtp: 'never' },
        }),
      ).toEqual({ ok: true, value: { success: true } });
    const one = await client.call('getProvisioningDeviceByDeviceId', { domain, deviceId: 'a:1' });
    expect(one).toMatchObject({ ok: true, value: { deviceId: 'a:1', srtp: 'never' } });
    const list = await client.call('getProvisioningDevice', { domain, limit: '2' });
    if (!list.ok) throw new Error(list.error.reason);
    expect(list.value.devices.map((device) => device.deviceId)).toEqual(['a:1', 'b']);
    const next = await client.call('getProvisioningDevice', {
      domain,
      nextToken: String(list.value.nextToken),
    });
    expect(next).toMatchObject({ ok: true, value: { devices: [{ deviceId: 'c' }] } });
  });

  it('gives the reason of the API, and its own without an answer or with a foreign one', async () => {
    expect(
      await client.call('getProvisioningDeviceByDeviceId', { domain, deviceId: 'nobody' }),
    ).toMatchObject({
      ok: false,
      error: { code: 'notFound', status: 404, reason: expect.stringContaining('nobody') },
    });
    const to = (answer: Parameters<typeof createClient>[0]['fetch']) =>
      createClient({ baseUrl: 'http://x', token: () => 't', fetch: answer }).call('getPlatformTenant', {});
    expect(await to(async () => Promise.reject(new Error('refused')))).toMatchObject({
      error: { code: 'unreachable' },
    });
    // The answer has begun, and its connection breaks.
    expect(
      await to(async () => ({ status: 200, text: async () => Promise.reject(new Error('broken')) })),
    ).toMatchObject({ error: { code: 'unreachable', reason: 'http://x does not answer: broken' } });
    expect(await to(async () => ({ status: 502, text: async () => '<html>' }))).toMatchObject({
      error: { code: 'notUnderstood', status: 502 },
    });
  });
});
