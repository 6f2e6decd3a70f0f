import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { mayMonitor } from '#appliance/compose/monitor.ts';
import { sitePages } from '#appliance/io/site-listener/index.ts';
import { TenantModel } from '#appliance/replica/index.ts';
import { fail } from '#shared/result.ts';

const DOMAIN = 'care.example';
const LOCAL_KEY = 'key-of-this-machine';

/** `/metrics` of an appliance that listens at this address. */
function figures(host: string) {
  const tenant = new TenantModel(DOMAIN);
  const row = (token: string, more: { readonly expiresAt?: number } = {}) =>
    tenant.put('apitoken', token, { id: token, hash: hash('sha256', token), role: 'operator', ...more });
  row('ct_operator');
  row('ct_over', { expiresAt: 1 });
  const access = { isLocal: (key: string | undefined) => key === LOCAL_KEY };
  const all = host.split(' ').map((each) => ({ host: each, port: 8443 }));
  const config = { http: { all }, siteBaseUrl: 'https://site.example' };
  const pages = sitePages({
    authorize: async () => fail('unauthorized', 'nobody'),
    operate: async () => ({ status: 200, body: { success: true } }),
    health: { reasons: () => [], mayHaveAddress: () => true, figures: () => ({ calls: 3 }) },
    wallMs: () => Date.now(),
    technician: {
      pages: async () => new Response(),
      mayMonitor: mayMonitor(access, config, () => tenant),
    },
  });
  return async (path: string, token?: string) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const answer = await pages(new Request(`https://site.example${path}`, { headers }), '127.0.0.1');
    return { status: answer.status, text: await answer.text() };
  };
}

describe('the figures of an appliance', () => {
  it.each(['127.0.0.1', '::1', 'localhost', '127.0.0.1 ::1'])(
    'are open on %s, which only this machine reaches',
    async (host) => {
      expect(await figures(host)('/metrics')).toEqual({
        status: 200,
        text: '# HELP carillon_calls Calls that run\n# TYPE carillon_calls gauge\ncarillon_calls 3\n',
      });
    },
  );

  describe.each(['0.0.0.0', '10.0.0.7', '::', '127.0.0.1 10.0.0.7'])('on %s', (host) => {
    it.each([LOCAL_KEY, 'ct_operator'])('are shown for %s', async (token) => {
      expect(await figures(host)('/metrics', token)).toMatchObject({ status: 200 });
    });

    it.each([undefined, 'guessed', 'ct_over'])('are not shown for %s', async (token) => {
      const answer = await figures(host)('/metrics', token);
      expect(answer.status).toBe(401);
      expect(answer.text).not.toContain('carillon_');
      expect(answer.text).toContain('carries no token');
    });

    it('leave the other pages of health open', async () => {
      expect(await figures(host)('/healthz')).toMatchObject({ status: 200 });
      expect(await figures(host)('/readyz')).toMatchObject({ status: 200 });
    });
  });
});
