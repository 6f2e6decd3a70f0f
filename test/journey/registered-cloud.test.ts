import { afterAll, beforeAll, expect, it } from 'vitest';
import { ORDINARY_POLICY } from '#appliance/call/control/index.ts';
import { loadIdentity } from '#appliance/io/edge/index.ts';
import { openTelephone } from '#appliance/simulator/index.ts';
import { openSite, type Site } from '#test/support/site.ts';

/* A telephone registers at a real appliance, and the control plane says that it is there. */

let site: Site;
beforeAll(async () => {
  site = await openSite();
}, 90_000);
afterAll(() => site?.close(), 60_000);

async function api(method: string, path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${site.api}${path}`, {
    method,
    headers: { authorization: `Bearer ${site.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const said = (await answer.json()) as Record<string, unknown>;
  expect([answer.status, said]).toEqual([200, expect.anything()]);
  return said;
}

async function registered(match: string): Promise<unknown> {
  const { siteId, hostId } = loadIdentity(site.applianceFolder) ?? {};
  const { data } = await api('POST', `/site/${site.domain}/${siteId}/host/${hostId}/rpc`, {
    op: 'sip.registrations',
    args: { match },
  });
  return (data as { devices: unknown }).devices;
}

it('a registered device is shown with contact and time, until it says goodbye', async () => {
  const device = { deviceId: 'night-desk', authType: 'credentials', srtp: 'negotiated' };
  const { password } = await api('PUT', `/provisioning/device/${site.domain}`, device);
  expect(await registered('night')).toEqual([]);
  const { telephone, close } = await openTelephone({
    ...{ to: site.sip, transport: 'udp', domain: site.domain, user: 'night-desk' },
    ...{ password: String(password), policy: ORDINARY_POLICY },
  });
  try {
    // The host may not have heard of the device yet.
    await expect.poll(async () => (await telephone.register(300)).ok, { timeout: 20_000 }).toBe(true);
    expect(await registered('night')).toEqual([
      {
        deviceId: 'night-desk',
        contacts: [
          {
            uri: expect.stringMatching(/^sip:.*127\.0\.0\.1/),
            transport: 'UDP',
            userAgent: expect.any(String),
            registeredAt: expect.any(Number),
            expiresAt: expect.any(Number),
          },
        ],
      },
    ]);
    expect((await telephone.register(0)).ok).toBe(true);
    expect(await registered('night')).toEqual([]);
  } finally {
    await close();
  }
}, 60_000);
