import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenApi } from '#installer/build/openapi.ts';
import { sdkTexts } from '#sdk/build/sdk-text.ts';
import { ApiFailure, type ClientOptions, createClient } from '#sdk/js/src/client/index.ts';
import { openWholeCloud, type WholeCloud } from '#test/cloud/whole-cloud.ts';

const folder = join(import.meta.dirname, '../../sdk/js/src/contract');
let cloud: WholeCloud;
beforeAll(async () => {
  cloud = await openWholeCloud();
});
afterAll(() => cloud.close());

/** A client on a connection that fails as the list says, in order, before it reaches the control plane. */
function clientOf(troubles: readonly (Response | 'broken')[] = [], more: Partial<ClientOptions> = {}) {
  const left = [...troubles];
  const sent: Request[] = [];
  const pauses: number[] = [];
  const client = createClient({
    baseUrl: `${cloud.api}/`,
    token: () => cloud.owner,
    fetch: async (url, init) => {
      const request = new Request(url as string, init);
      sent.push(request);
      const trouble = left.shift();
      if (trouble === 'broken') throw new TypeError('fetch failed', { cause: new Error('read ECONNRESET') });
      return trouble ?? fetch(request);
    },
    wait: async (ms) => {
      pauses.push(ms);
    },
    ...more,
  });
  return { client, sent, pauses };
}
const busy = (status: number, headers = {}) => Response.json({ reason: 'later' }, { status, headers });

describe('the generated types', () => {
  it('are those of this program: node sdk/build/write-types.ts {base_url}', async () => {
    const document = (await (await fetch(`${cloud.api}/openapi.json`)).json()) as OpenApi;
    const squeezed = (text: string) => text.replace(/[\s;,'"|()]/g, '');
    // Not `toBe`: a difference of a hundred thousand characters helps no reader.
    for (const [name, text] of Object.entries(sdkTexts(document)))
      expect(squeezed(readFileSync(join(folder, name), 'utf8')) === squeezed(text)).toBe(true);
  });
});

describe('the client', () => {
  const domain = 'sdk.example';

  it('writes once though the connection breaks, and reads every page', async () => {
    const { client, sent, pauses } = clientOf(['broken', busy(503, { 'retry-after': '2' })]);
    await client.call('postPlatformTenant', { body: { domain } });
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(pauses[0]).toBeGreaterThanOrEqual(125);
    expect(pauses[0]).toBeLessThanOrEqual(250);
    expect(pauses[1]).toBe(2_000);
    for (const deviceId of ['a', 'b', 'c'])
      await client.call('putProvisioningDevice', {
        domain,
        body: { deviceId, authType: 'deviceid', srtp: 'never' },
      });
    const found: string[] = [];
    for await (const page of client.pages('getProvisioningDevice', { domain, limit: '2' }))
      found.push(...page.devices.map(({ deviceId }) => deviceId));
    expect(found).toEqual(['a', 'b', 'c']);
  });

  it('gives the first answer for a key that was used, as the API promises', async () => {
    const { client } = clientOf();
    const input = { body: { domain: 'once.example' }, idempotencyKey: 'tenant-once' };
    const first = await client.call('postPlatformTenant', input);
    expect(await client.call('postPlatformTenant', input)).toEqual(first);
    await expect(
      client.call('postPlatformTenant', { body: { domain: 'twice.example' }, idempotencyKey: 'tenant-once' }),
    ).rejects.toMatchObject({ status: 409, code: 'idempotencyKeyReused' });
  });

  it('says why a call failed, and after how many attempts', async () => {
    const { client, sent } = clientOf(Array.from({ length: 9 }, () => 'broken' as const));
    await expect(client.call('getProvisioningDevice', { domain })).rejects.toEqual(
      expect.objectContaining({
        code: 'unreachable',
        attempts: 5,
        message: expect.stringContaining('does not answer: read ECONNRESET. Look at baseUrl'),
      }),
    );
    expect(sent).toHaveLength(5);
    const unknown = clientOf().client.call('getProvisioningDeviceByDeviceId', { domain, deviceId: 'x' });
    await expect(unknown).rejects.toBeInstanceOf(ApiFailure);
    await expect(unknown).rejects.toMatchObject({ status: 404, attempts: 1 });
    const page = clientOf([new Response('<html>')]).client.call('getProvisioningDevice', { domain });
    await expect(page).rejects.toMatchObject({ code: 'notUnderstood', status: 200 });
  });

  it('repeats no PATCH that may have been applied, and no failure that stays', async () => {
    const patch = [{ op: 'replace', path: '/srtp', value: 'never' }] as const;
    const send = (trouble: Response | 'broken') => {
      const made = clientOf([trouble]);
      const done = made.client.call('patchProvisioningDeviceByDeviceId', {
        domain,
        deviceId: 'a',
        body: patch as never,
      });
      return done.then(
        () => made.sent.length,
        () => -made.sent.length,
      );
    };
    expect(await Promise.all([send('broken'), send(busy(503)), send(busy(429))])).toEqual([-1, -1, 2]);
    const refused = clientOf([busy(500)]);
    await expect(refused.client.call('getProvisioningDevice', { domain })).rejects.toMatchObject({
      status: 500,
    });
    expect(refused.sent).toHaveLength(1);
  });
});
