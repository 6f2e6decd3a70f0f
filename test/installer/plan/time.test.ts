import { describe, expect, test } from 'vitest';
import { configurePlan, installPlan, runPlan, uninstallPlan } from '#installer/plan/index.ts';
import { type TimeInfo, type TimeRequest, timePlace } from '#installer/plan/time/time-place.ts';
import { chronyText, directives, isOurTime, type TimePlace } from '#installer/plan/time/time-text.ts';
import { type TextKey, texts } from '#installer/text/index.ts';
import { FakeHost } from './fake-host.ts';

const CONF = '/etc/chrony/conf.d/carillon.conf';
const hosts = ['192.0.2.11', '192.0.2.12', '192.0.2.13'];
const place: TimePlace = {
  servers: ['ntp.example'],
  gateways: ['192.0.2.1'],
  peers: ['192.0.2.12', '192.0.2.13'],
};
const request: TimeRequest = { keeper: 'auto', servers: ['ntp.example'], hosts, sharing: [] };
const nothing: TimeRequest = { keeper: 'auto', servers: undefined, hosts: undefined, sharing: [] };
const good: TimeInfo = {
  chrony: 'running',
  readsFolder: true,
  configuration: 'none',
  other: undefined,
  addresses: ['127.0.0.1', '192.0.2.11', 'fe80::11'],
  gateways: ['192.0.2.1'],
  servers: ['192.0.2.9'],
};

describe('the drop-in of chrony', () => {
  test('asks servers, gateway and hosts, serves the hosts alone, and keeps a time of their own', () => {
    expect(directives(chronyText(place))).toEqual([
      'server ntp.example iburst',
      'server 192.0.2.1 iburst',
      'server 192.0.2.12 iburst minpoll 2 maxpoll 4',
      'server 192.0.2.13 iburst minpoll 2 maxpoll 4',
      'allow 192.0.2.12',
      'allow 192.0.2.13',
      'local stratum 10 orphan',
    ]);
  });

  test('serves no one on a host that is alone and claims no time', () => {
    const text = chronyText({ ...place, peers: [] });
    expect(directives(text)).toEqual(['server ntp.example iburst', 'server 192.0.2.1 iburst']);
    expect(isOurTime(text)).toBe(true);
    expect(isOurTime('server ntp.example\n')).toBe(false);
  });
});

describe('where a host has its time from', () => {
  test('is the server of a person before those of the network, the gateway, and the other hosts', () => {
    expect(timePlace(request, good)).toEqual({ kind: 'place', place });
    expect(timePlace({ ...request, servers: undefined }, good)).toMatchObject({
      place: { servers: ['192.0.2.9'] },
    });
    expect(timePlace({ ...request, servers: [] }, good)).toMatchObject({ place: { servers: [] } });
  });

  test('is whoever shares the address of the site, unless other hosts are named', () => {
    const shares = { ...nothing, sharing: ['192.0.2.11', '192.0.2.12'] };
    expect(timePlace(shares, good)).toMatchObject({ place: { peers: ['192.0.2.12'] } });
    expect(timePlace({ ...shares, hosts: ['192.0.2.11', '192.0.2.13'] }, good)).toMatchObject({
      place: { peers: ['192.0.2.13'] },
    });
    expect(timePlace({ ...shares, hosts: [] }, good)).toMatchObject({ place: { peers: [] } });
  });

  test('names no one twice', () => {
    const all = { ...good, gateways: ['192.0.2.12'], servers: ['192.0.2.12', '192.0.2.9'] };
    expect(timePlace({ ...request, servers: undefined, hosts: ['192.0.2.11', '192.0.2.12'] }, all)).toEqual({
      kind: 'place',
      place: { servers: ['192.0.2.9'], gateways: [], peers: ['192.0.2.12'] },
    });
  });

  test.each<[string, Partial<TimeInfo>]>([
    ['without chrony', { chrony: 'missing' }],
    ['with another service', { chrony: 'stopped', other: 'systemd-timesyncd' }],
    ['whose chrony stands still', { chrony: 'stopped' }],
    ['whose chrony does not read the folder', { readsFolder: false }],
    ['with a file of our name by somebody else', { configuration: 'foreign' }],
    ['without any source', { gateways: [], servers: [] }],
  ])('stays as it is on a machine %s without a request', (_, facts) => {
    expect(timePlace(nothing, { ...good, ...facts })).toEqual({ kind: 'none' });
  });

  test('stays as it is where the configuration says so, whatever else is named', () => {
    expect(timePlace({ ...request, keeper: 'off' }, good)).toEqual({ kind: 'none' });
  });

  test('is ours again where chrony only happens to stand still', () => {
    const stopped = { ...good, chrony: 'stopped', configuration: 'ours' } as const;
    expect(timePlace(nothing, stopped)).toMatchObject({ kind: 'place' });
    expect(timePlace({ ...nothing, keeper: 'chrony' }, { ...stopped, configuration: 'none' })).toMatchObject({
      kind: 'place',
    });
  });

  const refusals: readonly [string, Partial<TimeInfo>][] = [
    ['time-missing', { chrony: 'missing' }],
    ['time-other', { chrony: 'stopped', other: 'systemd-timesyncd' }],
    ['time-folder', { readsFolder: false }],
    ['time-foreign', { configuration: 'foreign' }],
    ['time-not-here', { addresses: ['192.0.2.14'] }],
  ];
  test.each(refusals)('is refused to who asked: %s', (why, facts) => {
    const step = timePlace(request, { ...good, ...facts });
    expect(step).toMatchObject({ kind: 'refused', why });
    for (const key of [`check.${why}.what`, `check.${why}.do`] as TextKey[]) {
      const gaps = texts.en[key].match(/\{(\w+)\}/g) ?? [];
      for (const gap of gaps)
        expect(step.kind === 'refused' && step.words, gap).toHaveProperty(gap.slice(1, -1));
    }
    if (why === 'time-not-here') return;
    for (const asked of [{ keeper: 'chrony' }, { servers: ['ntp.example'] }, { hosts }] as const)
      expect(timePlace({ ...nothing, ...asked }, { ...good, ...facts })).toMatchObject({ why });
  });
});

const restarts = (host: FakeHost) =>
  host.ran.filter((line) => line === 'systemctl restart chrony.service').length;

describe('a plan with the time', () => {
  const time = { kind: 'place', place } as const;
  const plan = (log = 'info') => configurePlan({ data: '/var/lib/carillon', log }, true, undefined, time);

  test('writes it once, and chronyd reads it again only when it is another', async () => {
    const host = new FakeHost();
    await runPlan(plan(), host.ports());
    expect(host.files.get(CONF)).toBe(chronyText(place));
    expect(restarts(host)).toBe(1);
    // A finished step is not done again.
    host.ran.push(
      'systemctl is-active --quiet chrony.service',
      'systemctl is-enabled --quiet chrony.service',
    );
    await runPlan(plan('debug'), host.ports());
    expect(restarts(host)).toBe(1);
  });

  test.each(['time-test', 'time-up'])('is taken back when %s fails', async (act) => {
    const host = new FakeHost();
    const before = host.state;
    host.failing = act;
    await expect(runPlan(plan(), host.ports())).rejects.toMatchObject({ step: 'time', undone: true });
    expect(host.state).toBe(before);
    if (act === 'time-up') expect(host.ran).toContain('systemctl stop chrony.service');
    expect(host.ran.at(-1)).toBe('systemctl try-restart chrony.service');
  });

  test('takes it away when it is not wanted any more, and so does the removal of the product; chrony stays', async () => {
    for (const remove of [
      configurePlan({}, true, undefined, { kind: 'remove' }),
      uninstallPlan({ units: [], purge: false, vip: false, time: true }),
      uninstallPlan({ units: [], purge: true, vip: false, time: true }),
    ]) {
      const host = new FakeHost();
      host.files.set(CONF, chronyText(place));
      await runPlan(remove, host.ports());
      expect(host.files.has(CONF)).toBe(false);
      expect(host.ran).toContain('systemctl try-restart chrony.service');
      expect(host.ran.join('\n')).not.toMatch(/(stop|disable).*chrony/);
    }
  });

  test('leaves chrony alone without a setting', async () => {
    const facts = { version: '1', self: '/x', written: {}, units: [], packaged: false };
    for (const other of [
      configurePlan({}, true),
      installPlan(facts),
      uninstallPlan({ units: [], purge: true, vip: false, time: false }),
    ]) {
      const host = new FakeHost();
      host.files.set(CONF, 'of somebody else');
      await runPlan(other, host.ports());
      expect(host.files.get(CONF)).toBe('of somebody else');
      expect(host.ran.join('\n')).not.toContain('chrony');
    }
  });
});
