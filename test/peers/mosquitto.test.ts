import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Place } from '#test/bench/support/place.ts';
import { type BrokeredSite, startBrokeredSite } from './support/brokered-site.ts';

const place = new Place();
let site: BrokeredSite;

beforeAll(async () => {
  site = await startBrokeredSite(place);
});
afterAll(() => place.close());

interface Host {
  readonly hostId: string;
  readonly status: string;
  readonly vendorSpecificDistressString: string;
}

async function host(): Promise<Host | undefined> {
  const headers = { authorization: `Bearer ${site.token}` };
  const answer = await fetch(`${site.api}/site/${site.domain}`, { headers });
  const { data } = (await answer.json()) as { data: { site: Host[] } };
  return data.site[0];
}

async function untilHost(fits: (found: Host) => boolean, withinMs: number): Promise<Host | undefined> {
  const untilMs = performance.now() + withinMs;
  let last = await host();
  while ((last === undefined || !fits(last)) && performance.now() < untilMs) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    last = await host();
  }
  return last;
}

const payload = (line: string | undefined): Record<string, unknown> =>
  JSON.parse(line?.slice(line.indexOf(' ') + 1) ?? '{}') as Record<string, unknown>;

describe('cloud and appliance, with Mosquitto between them', () => {
  it('the appliance is born and the cloud sees it online, its configuration applied', async () => {
    const [birth] = await site.broker.listen('carillon/1/+/+/+/+/up/state', 1, 10);
    expect(payload(birth)).toMatchObject({ v: 1, st: 'on' });
    const found = await untilHost(({ status }) => status === 'online', 30_000);
    expect(found).toMatchObject({ status: 'online', vendorSpecificDistressString: '' });
  });

  it('its twin is kept by the broker, signed', async () => {
    const [twin] = await site.broker.listen('carillon/1/+/+/+/+/dn/twin', 1, 10);
    expect(twin).toMatch(/^carillon\/1\/[0-3][0-9a-f]\/\S+\/dn\/twin \S+/);
  });

  it('a heartbeat comes at the interval of its profile', async () => {
    const [beat] = await site.broker.listen('carillon/1/+/+/+/+/up/hb', 1, 25);
    expect(payload(beat)).toMatchObject({ v: 1, n: expect.any(Number) });
  });

  it('a change of the configuration is announced, fetched and acknowledged', async () => {
    const acknowledged = site.broker.listen('carillon/1/+/+/+/+/up/cfg', 2, 20);
    const body = JSON.stringify({ deviceId: 'new-0001', authType: 'deviceid', srtp: 'never' });
    const answer = await fetch(`${site.api}/provisioning/device/${site.domain}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${site.token}`, 'content-type': 'application/json' },
      body,
    });
    expect(answer.ok).toBe(true);
    const [applied, ack] = (await acknowledged).map(payload);
    expect(applied).toMatchObject({ v: 1, scope: 'tenant', res: 'applied', err: [] });
    expect(ack).toMatchObject({ scope: 'tenant', rev: applied?.rev, res: 'ack', applied: applied?.rev });
  });

  it('one that is killed is no longer online, told by its will, and comes back', async () => {
    await site.killAppliance();
    const [will] = await site.broker.listen('carillon/1/+/+/+/+/up/state', 1, 10);
    expect(payload(will)).toMatchObject({ st: 'off' });
    expect((await untilHost(({ status }) => status !== 'online', 30_000))?.status).not.toBe('online');
    await site.startAppliance();
    const [birth] = await site.broker.listen('carillon/1/+/+/+/+/up/state', 1, 10);
    expect(payload(birth)).toMatchObject({ st: 'on' });
  });
});
