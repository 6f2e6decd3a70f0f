import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { updateHost } from '#cloud/store/index.ts';
import { type MonitoringStage, openMonitoringStage, type Puppet } from './stage.ts';

type Reports = Readonly<Record<string, string>>;

let stage: MonitoringStage;
beforeEach(async () => {
  stage = await openMonitoringStage();
});
afterEach(() => stage.close());

describe('a site with two hosts', () => {
  const short = () =>
    stage.reported.map((alarm) => {
      const { status, hostId, service } = ('errorDetails' in alarm ? alarm.errorDetails : {}) as Reports;
      return `${status} ${service ?? hostId}`;
    });
  /** Both there, and then their line is cut: the broker says their wills. */
  async function cut(): Promise<[Puppet, Puppet]> {
    const pair: [Puppet, Puppet] = [await stage.addHost(), await stage.addHost()];
    for (const host of pair) await stage.birth(host);
    await stage.beating(pair, 300);
    for (const host of pair) await stage.say(host, 'up/state', { v: 1, st: 'off', sid: host.sid });
    await stage.pass(120);
    return pair;
  }
  const nameOf = ({ place }: Puppet) => place.uid.slice(-8);

  it('that is lost as a whole is one alarm, with its hosts, and one end', async () => {
    const pair = await cut();
    expect(short()).toEqual(['raised site']);
    expect(stage.reported[0]).toMatchObject({
      error: 'noHeartbeatReply',
      siteId: 'north',
      errorDetails: {
        severity: 'critical',
        hosts: pair.map(nameOf).toSorted(),
        message: expect.stringContaining('its uplink or its power'),
      },
    });
    expect(stage.monitoring.counts()).toEqual(new Map([['offline', 2]]));
    await stage.beating(pair, 150);
    expect(short()).toEqual(['raised site', 'cleared site']);
    expect((await stage.alarms()).map(({ status }) => status)).toEqual(['cleared']);
  });

  it('has the alarm of the other when one comes back', async () => {
    const [one, two] = await cut();
    await stage.beating([one], 150);
    expect(short()).toEqual(['raised site', 'cleared site', `raised ${nameOf(two)}`]);
    await stage.beating([one, two], 150);
    expect(short().at(-1)).toBe(`cleared ${nameOf(two)}`);
    expect(short()).toHaveLength(4);
  });

  it('is remembered by the program that comes after', async () => {
    const pair = await cut();
    await stage.restart();
    await stage.pass(600);
    expect(short()).toEqual(['raised site']);
    for (const host of pair) await stage.birth(host);
    await stage.beating(pair, 150);
    expect(short()).toEqual(['raised site', 'cleared site']);
  });

  it('has no alarm for ever when none is left in service', async () => {
    const pair = await cut();
    for (const { place } of pair) {
      await stage.store.withTx((tx) => updateHost(tx, place.uid, { lifecycle: 'decommissioned' }));
      stage.monitoring.hostChanged(place.uid);
    }
    await stage.pass(61);
    expect(short()).toEqual(['raised site', 'cleared site']);
  });

  it('where one falls silent while the other is there is the alarm of that one', async () => {
    const pair: [Puppet, Puppet] = [await stage.addHost(), await stage.addHost()];
    for (const host of pair) await stage.birth(host);
    await stage.beating(pair, 300);
    await stage.beating([pair[0]], 200);
    expect(short()).toEqual([`raised ${nameOf(pair[1])}`]);
  });
});
