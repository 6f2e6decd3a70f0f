import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Place } from '#test/bench/support/place.ts';
import { type BrokeredSite, startBrokeredSite } from './support/brokered-site.ts';
import type { Mosquitto } from './support/mosquitto.ts';

const place = new Place();
let site: BrokeredSite;
/** The host is at one of two brokers, as its shard says. */
let here: Mosquitto;
let there: Mosquitto;

const isBorn = ({ ear }: Mosquitto): boolean =>
  ear.all('up/state').some(({ text }) => text.includes('"birthNo"'));

beforeAll(async () => {
  site = await startBrokeredSite(place, {}, 2);
  await vi.waitUntil(() => site.brokers.some(isBorn), { timeout: 60_000 });
  const [first, second] = site.brokers.toSorted((a, b) => Number(isBorn(b)) - Number(isBorn(a)));
  if (first === undefined || second === undefined) throw new Error('there are not two brokers');
  [here, there] = [first, second];
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
    await here.ear.next('up/state', ({ v, st }) => v === 1 && st === 'on');
    const found = await untilHost(({ status }) => status === 'online' || status === 'degraded', 30_000);
    expect(found?.status).toMatch(/^(online|degraded)$/);
    // A lack of the machine under the test (memory, disk, a source of time) is no matter of the broker.
    const ofMachine = /^(MemoryPressure|DiskPressure|ClockUnsynchronised)$/;
    const words = found?.vendorSpecificDistressString.split(';').filter((word) => word !== '');
    expect(words?.filter((word) => !ofMachine.test(word))).toEqual([]);
  });

  it('its twin went through the broker as a compact JWS', () => {
    const { ear } = here;
    const born = ear.all('up/state').find(({ text }) => text.includes('"st":"on"'))?.topic ?? '';
    // The control plane tries out the rights of the broker meanwhile, in the branch of a host that there is not.
    const own = ear.all('dn/twin').filter(({ topic }) => topic === born.replace('up/state', 'dn/twin'));
    expect(own.at(-1)?.text).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  it('a heartbeat comes at the interval of its profile', async () => {
    const beat = await here.ear.next('up/hb', ({ v }) => v === 1, 25_000);
    const after = await here.ear.next('up/hb', ({ v }) => v === 1, 25_000);
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
    const applied = await here.ear.next('up/cfg', ofTenant('applied'));
    // Every engine has to be well with it for a minute.
    const acknowledged = await here.ear.next('up/cfg', ofTenant('ack'), 100_000);
    expect(acknowledged).toMatchObject({ rev: applied.rev, applied: applied.rev, err: [] });
  });

  it('one that is killed is reported by its will, is no longer online, and comes back', async () => {
    await site.killAppliance();
    await here.ear.next('up/state', ({ st }) => st === 'off');
    const lost = await untilHost(({ status }) => status !== 'online', 30_000);
    expect(lost?.status).not.toBe('online');
    await site.startAppliance();
    await here.ear.next('up/state', ({ st }) => st === 'on');
  });
});

/** Alarms that say a host was silent, of every status. */
async function silences(): Promise<unknown[]> {
  const headers = { authorization: `Bearer ${site.token}` };
  const answer = await fetch(`${site.api}/site/${site.domain}/alarm`, { headers });
  const { alarms } = (await answer.json()) as { alarms: { error: string }[] };
  return alarms.filter(({ error }) => error === 'noHeartbeatReply');
}

async function newDevice(deviceId: string): Promise<void> {
  const answer = await fetch(`${site.api}/provisioning/device/${site.domain}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${site.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ deviceId, authType: 'deviceid', srtp: 'never' }),
  });
  expect(answer.ok).toBe(true);
}

describe('two Mosquittos that know nothing of each other', () => {
  const isOn = ({ st }: Record<string, unknown>): boolean => st === 'on';

  it('the control plane leaves the twin at both, though the host is at one', async () => {
    const [born] = here.ear.all('up/state').filter(({ text }) => text.includes('"birthNo"'));
    const twin = born?.topic.replace('up/state', 'dn/twin');
    for (const { ear } of [here, there])
      await expect.poll(() => ear.all('dn/twin').some(({ topic }) => topic === twin)).toBe(true);
    const [, body = ''] =
      here.ear
        .all('dn/twin')
        .find(({ topic }) => topic === twin)
        ?.text.split('.') ?? [];
    expect(JSON.parse(Buffer.from(body, 'base64url').toString())).toMatchObject({
      brokers: site.brokers.map(({ url }) => url),
    });
  });

  it('the broker of the host stops: it goes on at the other one and was never called silent', async () => {
    // The host was killed before, and may have been silent for long enough then.
    const before = await silences();
    await here.stop();
    await there.ear.next('up/state', isOn, 60_000);
    await there.ear.next('up/hb', ({ v }) => v === 1, 30_000);
    const found = await untilHost(({ status }) => status === 'online' || status === 'degraded', 30_000);
    expect(found?.status).toMatch(/^(online|degraded)$/);
    expect(await silences()).toHaveLength(before.length);
  });

  it('a change reaches it by the broker that is left', async () => {
    await newDevice('new-0002');
    const applied = await there.ear.next(
      'up/cfg',
      ({ scope, res }) => scope === 'tenant' && res === 'applied',
    );
    expect(applied.err).toEqual([]);
  });

  it('the broker returns empty: twin and owner are there again, and the host stays where it is', async () => {
    const again = await site.restartBroker(site.brokers.indexOf(here));
    await expect.poll(() => again.ear.all('dn/twin').length).toBeGreaterThan(0);
    await expect.poll(() => again.ear.all('cp/state').some(({ text }) => text.includes('"on"'))).toBe(true);
    await there.ear.next('up/hb', ({ v }) => v === 1, 30_000);
    expect(again.ear.all('up/hb')).toEqual([]);
  });
});
