import { describe, expect, test } from 'vitest';
import { type HostFacts, judge, obstacles } from '#installer/preflight/index.ts';
import { type TextKey, texts } from '#installer/text/index.ts';

const good: HostFacts = {
  uid: 0,
  machineCpu: 'x64',
  programCpu: 'x64',
  glibc: '2.36',
  systemd: { version: 252, running: true },
  freeOptMb: 10_000,
  freeStateMb: 10_000,
  memoryMb: 4_000,
  portsTaken: [],
  portChecks: ['port-5060', 'rtp-ports'],
  folders: [
    { path: '/var/cache', executable: true },
    { path: '/run', executable: true },
  ],
  clock: { synchronised: true, offsetMs: 0 },
  dns: { name: 'cloud.example', error: undefined },
  cloud: { kind: 'reached', certificateDays: 60 },
  interfaces: [{ name: 'eth0', addresses: ['10.0.0.7/24'], owners: ['networkd'] }],
  sshInterface: undefined,
  fsyncP99Ms: 1.2,
  espeak: true,
  gateway: { kind: 'untouched', found: '203.0.113.5: as it was sent' },
  installed: undefined,
};

const bad = (facts: Partial<HostFacts>) =>
  judge({ ...good, ...facts }).filter(({ verdict }) => verdict !== 'ok');

const cases: readonly [string, Partial<HostFacts>, 'warning' | 'failure' | 'skipped'][] = [
  ['root', { uid: 1000 }, 'failure'],
  ['sip-alg', { gateway: { kind: 'rewritten', found: 'Via came back altered' } }, 'warning'],
  ['sip-alg', { gateway: { kind: 'unmeasured', asked: undefined } }, 'skipped'],
  ['sip-alg', { gateway: { kind: 'unmeasured', asked: 'cloud.example:5060' } }, 'skipped'],
  ['cpu', { machineCpu: 'arm64' }, 'failure'],
  ['glibc', { glibc: '2.31' }, 'failure'],
  ['glibc', { glibc: undefined }, 'failure'],
  ['systemd', { systemd: { version: undefined, running: false } }, 'failure'],
  ['systemd', { systemd: { version: 247, running: true } }, 'failure'],
  ['disk', { freeOptMb: 399 }, 'failure'],
  ['disk', { freeStateMb: 2_000 }, 'failure'],
  ['memory', { memoryMb: 500 }, 'failure'],
  ['fsync', { fsyncP99Ms: 140 }, 'warning'],
  [
    'port-5060',
    { portsTaken: [{ check: 'port-5060', port: 5060, transport: 'udp', holder: 'kamailio (7)' }] },
    'failure',
  ],
  [
    'rtp-ports',
    { portsTaken: [{ check: 'rtp-ports', port: 20_010, transport: 'udp', holder: undefined }] },
    'failure',
  ],
  [
    'noexec',
    {
      folders: [
        { path: '/var/cache', executable: true },
        { path: '/run', executable: false },
      ],
    },
    'warning',
  ],
  ['noexec', { folders: [{ path: '/run', executable: false }] }, 'failure'],
  ['clock', { clock: { synchronised: true, offsetMs: -60_000 } }, 'warning'],
  ['clock', { clock: { synchronised: false, offsetMs: undefined } }, 'warning'],
  ['tts', { espeak: false }, 'warning'],
  ['old-install', { installed: { version: '0.9.0', packaged: false } }, 'warning'],
  ['dns', { dns: { name: 'cloud.example', error: 'ENOTFOUND' } }, 'warning'],
  ['cloud', { cloud: { kind: 'portal', reason: '302' } }, 'warning'],
  ['cloud', { cloud: { kind: 'certificate', reason: 'SELF_SIGNED' } }, 'warning'],
  ['cloud', { cloud: { kind: 'unreachable', reason: 'ETIMEDOUT' } }, 'warning'],
  ['cloud', { cloud: { kind: 'reached', certificateDays: 3 } }, 'warning'],
  ['interface', { interfaces: [{ name: 'eth0', addresses: [], owners: [] }] }, 'warning'],
  [
    'interface',
    { interfaces: [{ name: 'eth0', addresses: [], owners: ['networkd', 'ifupdown'] }] },
    'warning',
  ],
  ['ssh-interface', { sshInterface: 'eth0' }, 'warning'],
];

describe('the preflight', () => {
  test('finds nothing on a good host', () => {
    expect(bad({})).toEqual([]);
  });

  test.each(cases)('finds %s in %j', (id, facts, verdict) => {
    const [finding, ...more] = bad(facts);
    expect(finding).toMatchObject({ id, verdict });
    expect(more).toEqual([]);
    const { en } = texts;
    const gaps = [`check.${finding?.text}.what`, `check.${finding?.text}.do`].flatMap((key) => {
      expect(en, key).toHaveProperty([key]);
      return en[key as TextKey].match(/\{(\w+)\}/g) ?? [];
    });
    for (const gap of gaps) expect(finding?.words, gap).toHaveProperty(gap.slice(1, -1));
  });

  test('stops for failures that were not accepted by name, never for warnings', () => {
    const findings = judge({ ...good, memoryMb: 500, espeak: false, uid: 1 });
    expect(obstacles(findings, []).map(({ id }) => id)).toEqual(['root', 'memory']);
    expect(obstacles(findings, ['memory']).map(({ id }) => id)).toEqual(['root']);
  });

  test('takes a newer glibc by its number, not by its text', () => {
    expect(bad({ glibc: '2.4' })).toHaveLength(1);
    expect(bad({ glibc: '2.100' })).toHaveLength(0);
    expect(bad({ glibc: '3.0' })).toHaveLength(0);
  });
});
