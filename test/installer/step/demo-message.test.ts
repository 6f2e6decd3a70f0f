import { afterAll, beforeAll, expect, it } from 'vitest';
import { simulateLacs, simulateNowIp } from '#appliance/simulator/index.ts';
import { LACS_BODY, provisionMessageDevices } from '#installer/step/demo-message.ts';
import { openSite, type Site } from '#test/support/site.ts';

/* The promises of README and of the hints of `npm start` about devices that speak by MESSAGE, without a flag of their own. */
let site: Site;

beforeAll(async () => {
  site = await openSite({
    provision: async ({ api, token, callbacks }) => {
      const plan = {
        baseUrl: api,
        bootstrapToken: token,
        arcUrl: callbacks.callbackBaseUrl,
        signingKeyPem: (callbacks.restAuthentication as { secret: string }[])[0]?.secret ?? '',
        token,
        telephonePassword: '',
        needsClaim: false,
      };
      await provisionMessageDevices(plan);
      // A second start of the demo does the same again.
      await provisionMessageDevices(plan);
    },
  });
}, 120_000);
afterAll(() => site.close());

const route = (name: string) => ({
  to: site.sip,
  transport: 'udp' as const,
  domain: site.domain,
  receiver: name,
  device: `${name}-0001`,
  password: undefined,
  onStep: () => undefined,
});

it('a NOW-IP controller of the demo is known and acknowledged', async () => {
  const own = { identity: '123456780001', event: '010', talkMs: 0, behaviour: 'confirms' as const };
  expect(await simulateNowIp({ ...route('nowip'), ...own })).toMatchObject({ acknowledged: true });
}, 60_000);

it('XML of its own is read and answered by the profile of the demo', async () => {
  const outcome = await simulateLacs({ ...route('lacs'), body: LACS_BODY });
  expect(outcome).toMatchObject({ acknowledged: true });
  // The device hears once the alarm is on the disk; the callback follows behind that.
  const reported = () => site.received.filter(({ path }) => path === '/newAlarmbridgeEvent').length;
  await expect.poll(reported, { timeout: 30_000 }).toBe(2);
}, 60_000);
