import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { configurePlan, installPlan, runPlan, uninstallPlan } from '#installer/plan/index.ts';
import { type VipInfo, type VipRequest, vipPlace } from '#installer/plan/network/vip-place.ts';
import { isOurVip, keepalivedText, type VipPlace } from '#installer/plan/network/vip-text.ts';
import { type TextKey, texts } from '#installer/text/index.ts';
import { FakeHost } from './fake-host.ts';

const CONF = '/etc/keepalived/keepalived.conf';
const hosts = [
  { address: '192.0.2.11', priority: 150 },
  { address: '192.0.2.12', priority: 100 },
];
const place: VipPlace = {
  vip: '192.0.2.10/24',
  interface: 'eth0',
  routerId: 51,
  own: '192.0.2.11',
  hosts,
  webPort: 8443,
};
const request: VipRequest = {
  vip: { address: '192.0.2.10', prefix: 24 },
  hosts,
  routerId: 51,
  webPort: 8443,
  listening: { sip: ['0.0.0.0'], web: ['0.0.0.0'] },
};
const sixHosts = [
  { address: '2001:db8::11', priority: 150 },
  { address: '2001:db8::12', priority: 100 },
];
const six: VipRequest = {
  ...request,
  vip: { address: '2001:db8::10', prefix: 64 },
  hosts: sixHosts,
  listening: { sip: ['0.0.0.0', '::'], web: ['::'] },
};
const good: VipInfo = {
  missing: [],
  configuration: 'none',
  interfaces: [
    { name: 'lo', addresses: ['127.0.0.1/8'] },
    { name: 'eth0', addresses: ['192.0.2.11/24', '2001:db8::11/64', 'fe80::1/64'] },
  ],
  answering: new Map(),
};

describe('the configuration of keepalived', () => {
  test('is the example that is shipped', () => {
    expect(keepalivedText(place)).toBe(readFileSync('systemd/vip/keepalived.conf', 'utf8'));
    expect(isOurVip(keepalivedText(place))).toBe(true);
    expect(isOurVip('global_defs {\n}\n')).toBe(false);
  });

  test('has the part of this host in it, and asks every other one', () => {
    const three = [...hosts, { address: '192.0.2.13', priority: 50 }];
    const text = keepalivedText({ ...place, own: '192.0.2.12', hosts: three, webPort: 9443 });
    expect(text).toContain('vip-check 9443 /run/carillon 192.0.2.11:9443 192.0.2.13:9443"');
    expect(text).toMatch(/unicast_src_ip 192\.0\.2\.12\n/);
    expect(text).toMatch(/unicast_peer \{\n\s+192\.0\.2\.11\n\s+192\.0\.2\.13\n\s+\}/);
    expect(text).toMatch(/\n\s+priority 100\n/);
  });

  test('speaks IPv6 with the other host for an IPv6 address, and nothing of it is IPv4', () => {
    const placed = vipPlace(six, good);
    if (placed.kind !== 'place') throw new Error(placed.why);
    const text = keepalivedText(placed.place);
    expect(text).toMatch(/unicast_src_ip 2001:db8::11\n/);
    expect(text).toMatch(/unicast_peer \{\n\s+2001:db8::12\n\s+\}/);
    expect(text).toMatch(/virtual_ipaddress \{\n\s+2001:db8::10\/64\n/);
    expect(text).toContain('vip-check 8443 /run/carillon [2001:db8::12]:8443"');
    expect(text).not.toMatch(/\d+\.\d+\.\d+\.\d+/);
  });
});

describe('the place of a host in the shared address', () => {
  test('is at the interface of its own address', () => {
    expect(vipPlace(request, good)).toEqual({ kind: 'place', place });
  });

  test('stays when the address is here by our own configuration, or at another host of the site', () => {
    const held = [{ name: 'eth0', addresses: ['192.0.2.11/24', '192.0.2.10/24'] }];
    expect(vipPlace(request, { ...good, configuration: 'ours', interfaces: held })).toMatchObject({ place });
    const answering = new Map([
      ['192.0.2.10', '02:00:00:00:00:12'],
      ['192.0.2.12', '02:00:00:00:00:12'],
    ]);
    expect(vipPlace(request, { ...good, answering })).toMatchObject({ place });
    expect(vipPlace({ ...request, vip: { address: '192.0.2.10', prefix: 32 } }, good)).toMatchObject({
      place: { vip: '192.0.2.10/32' },
    });
  });

  test('is, for IPv6, alone or with the neighbours, and is another machine while it answers by NDP', () => {
    expect(vipPlace({ ...six, vip: { address: '2001:db8::10', prefix: 128 } }, good)).toMatchObject({
      place: { vip: '2001:db8::10/128', interface: 'eth0', own: '2001:db8::11' },
    });
    // 32 is the address alone in IPv4 only.
    for (const prefix of [32, 48])
      expect(vipPlace({ ...six, vip: { address: '2001:db8::10', prefix } }, good)).toMatchObject({
        why: 'vip-outside',
      });
    const answering = new Map([['2001:db8::10', '02:00:00:00:00:99']]);
    expect(vipPlace(six, { ...good, answering })).toMatchObject({ why: 'vip-taken' });
  });

  const refusals: readonly [string, Partial<VipRequest>, Partial<VipInfo>][] = [
    ['vip-hosts', { hosts: undefined }, {}],
    ['vip-mixed', { vip: six.vip }, {}],
    ['vip-mixed', { hosts: sixHosts }, {}],
    ['vip-listen', { ...six, listening: { sip: ['0.0.0.0'], web: ['::'] } }, {}],
    ['vip-listen', { ...six, listening: { sip: ['::'], web: ['0.0.0.0'] } }, {}],
    ['vip-outside', { ...six, vip: { address: '2001:db8:1::10', prefix: 64 } }, {}],
    ['vip-own', { ...six, vip: { address: '2001:db8::12', prefix: 64 } }, {}],
    ['vip-missing', {}, { missing: ['keepalived', 'curl'] }],
    ['vip-foreign', {}, { configuration: 'foreign' }],
    ['vip-not-here', {}, { interfaces: [{ name: 'eth0', addresses: ['192.0.2.14/24'] }] }],
    ['vip-outside', { vip: { address: '192.0.3.10', prefix: 24 } }, {}],
    ['vip-outside', { vip: { address: '192.0.2.10', prefix: 16 } }, {}],
    ['vip-own', { vip: { address: '192.0.2.12', prefix: 24 } }, {}],
    ['vip-own', {}, { interfaces: [{ name: 'eth0', addresses: ['192.0.2.11/24', '192.0.2.10/24'] }] }],
    ['vip-taken', {}, { answering: new Map([['192.0.2.10', '02:00:00:00:00:99']]) }],
    [
      'vip-taken',
      {},
      {
        answering: new Map([
          ['192.0.2.10', '02:00:00:00:00:99'],
          ['192.0.2.12', '02:00:00:00:00:12'],
        ]),
      },
    ],
  ];
  test.each(refusals)('is refused: %s', (why, asked, facts) => {
    const step = vipPlace({ ...request, ...asked }, { ...good, ...facts });
    expect(step).toMatchObject({ kind: 'refused', why });
    for (const key of [`check.${why}.what`, `check.${why}.do`] as TextKey[]) {
      const gaps = texts.en[key].match(/\{(\w+)\}/g) ?? [];
      for (const gap of gaps)
        expect(step.kind === 'refused' && step.words, gap).toHaveProperty(gap.slice(1, -1));
    }
  });
});

const reloads = (host: FakeHost) => host.ran.filter((line) => line.includes('reload-or-restart')).length;

describe('a plan with a shared address', () => {
  const vip = { kind: 'place', place } as const;
  const plan = () => configurePlan({ data: '/var/lib/carillon' }, true, vip);

  test('writes it once, after the service answers, and reads it again only when it is another', async () => {
    const host = new FakeHost();
    host.ran.push('systemctl is-enabled --quiet keepalived.service');
    await runPlan(plan(), host.ports());
    expect(host.files.get(CONF)).toBe(keepalivedText(place));
    expect(reloads(host)).toBe(1);
    const steps = plan().steps.map(({ id }) => id);
    expect(steps.indexOf('vip')).toBeGreaterThan(steps.indexOf('ready'));
    // Another setting changes, the shared address does not.
    await runPlan(configurePlan({ data: '/var/lib/carillon', log: 'debug' }, true, vip), host.ports());
    expect(reloads(host)).toBe(1);
  });

  test.each(['vip-test', 'vip-up'])('is taken back when %s fails', async (act) => {
    const host = new FakeHost();
    const before = host.state;
    host.failing = act;
    await expect(runPlan(plan(), host.ports())).rejects.toMatchObject({ step: 'vip', undone: true });
    expect(host.state).toBe(before);
    if (act === 'vip-up') expect(host.ran).toContain('systemctl disable --now keepalived.service');
    expect(host.ran.at(-1)).toBe('systemctl try-reload-or-restart keepalived.service');
  });

  test('takes it away when it is not wanted any more, and so does the removal of the product, purged or not', async () => {
    for (const remove of [
      configurePlan({}, true, { kind: 'remove' }),
      uninstallPlan({ units: [], purge: false, vip: true, time: false }),
      uninstallPlan({ units: [], purge: true, vip: true, time: false }),
    ]) {
      const host = new FakeHost();
      host.files.set(CONF, keepalivedText(place));
      await runPlan(remove, host.ports());
      expect(host.files.has(CONF)).toBe(false);
      expect(host.ran).toContain('systemctl disable --now keepalived.service');
    }
  });

  test('leaves keepalived alone without a setting', async () => {
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
      expect(host.ran.join('\n')).not.toContain('keepalived');
    }
  });
});
