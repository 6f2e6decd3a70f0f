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

describe('cloud and appliance, with Mosquitto between them', () => {
  it('the appliance is born and the cloud sees it online, its configuration applied', async () => {
    await site.broker.ear.next('up/state', ({ v, st }) => v === 1 && st === 'on');
    const found = await untilHost(({ status }) => status === 'online' || status === 'degraded', 30_000);
    expect(found?.status).toMatch(/^(online|degraded)$/);
    // A lack of the machine under the test (memory, disk, a source of time) is no matter of the broker.
    const ofMachine = /^(MemoryPressure|DiskPressure|ClockUnsynchronised)$/;
    const words = found?.vendorSpecificDistressString.split(';').filter((word) => word !== '');
    expect(words?.filter((word) => !ofMachine.test(word))).toEqual([]);
  });

  it('its twin went through the broker as a compact JWS', () => {
    const { ear } = site.broker;
    const born = ear.all('up/state').find(({ text }) => text.includes('"st":"on"'))?.topic ?? '';
    // The control plane tries out the rights of the broker meanwhile, in the branch of a host that there is not.
    const own = ear.all('dn/twin').filter(({ topic }) => topic === born.replace('up/state', 'dn/twin'));
    expect(own.at(-1)?.text).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  it('a heartbeat comes at the interval of its profile', async () => {
    const beat = await site.broker.ear.next('up/hb', ({ v }) => v === 1, 25_000);
    const after = await site.broker.ear.next('up/hb', ({ v }) => v === 1, 25_000);
    expect(after.n).toBe(Number(beat.n) + 1);
  });

  it('a change of the configuration is announced, fetched, applied and acknowledged', async () => {
    const answer = await fetch(`${site.api}/provisioning/device/${site.domain}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${site.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ deviceId: 'new-0001', authType: 'deviceid', srtp: 'never' }),
    });
    expect(answer.ok).toBe(true);
    const ofTenant = (res: string) => (message: Record<string, unknown>) =>
      message.scope === 'tenant' && message.res === res;
    const applied = await site.broker.ear.next('up/cfg', ofTenant('applied'));
    // Every engine has to be well with it for a minute.
    const acknowledged = await site.broker.ear.next('up/cfg', ofTenant('ack'), 100_000);
    expect(acknowledged).toMatchObject({ rev: applied.rev, applied: applied.rev, err: [] });
  });

  it('one that is killed is told of by its will, is no longer online, and comes back', async () => {
    await site.killAppliance();
    await site.broker.ear.next('up/state', ({ st }) => st === 'off');
    const gone = await untilHost(({ status }) => status !== 'online', 30_000);
    expect(gone?.status).not.toBe('online');
    await site.startAppliance();
    await site.broker.ear.next('up/state', ({ st }) => st === 'on');
  });
});
