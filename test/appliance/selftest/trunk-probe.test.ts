import { describe, expect, test } from 'vitest';
import { judgeTrunkHost, trunkProbe } from '#appliance/selftest/trunk-probe.ts';
import type { TrunkHostProbe } from '#shared/self-test/index.ts';

type Outcome = TrunkHostProbe['outcome'];

const look = (outcome: Outcome, more: Partial<TrunkHostProbe> = {}): TrunkHostProbe => ({
  trunk: 'north',
  host: 'sip:carrier.example',
  outcome,
  ...more,
});
const answered = (status: number, login = false): Outcome => ({ kind: 'answered', status, ms: 12.34, login });
const unreachable = (code: string): Outcome => ({ kind: 'unreachable', code, reason: 'why' });
const silent: Outcome = { kind: 'silent', waitedMs: 8_000 };

describe('the answer of a host of a trunk', () => {
  test.each([
    [answered(200), 'ok', undefined],
    [answered(404), 'ok', undefined],
    [answered(405), 'ok', undefined],
    [answered(501), 'ok', undefined],
    [answered(401), 'warning', 'trunk.noLogin'],
    [answered(407), 'warning', 'trunk.noLogin'],
    [answered(401, true), 'failure', 'trunk.login'],
    [answered(407, true), 'failure', 'trunk.login'],
    [answered(403), 'warning', 'trunk.refused'],
    [answered(408), 'failure', 'trunk.unavailable'],
    [answered(503), 'failure', 'trunk.unavailable'],
    [answered(504), 'failure', 'trunk.unavailable'],
    [answered(500), 'warning', 'trunk.odd'],
    [silent, 'failure', 'trunk.silent'],
    [unreachable('NotFound'), 'failure', 'trunk.name'],
    [unreachable('LookupFailed'), 'failure', 'trunk.name'],
    [unreachable('IdentityRefused'), 'failure', 'trunk.tls'],
    [unreachable('Malformed'), 'failure', 'trunk.address'],
    [unreachable('NotSupported'), 'failure', 'trunk.address'],
    [unreachable('Unreachable'), 'failure', 'trunk.unreachable'],
    [unreachable('Closed'), 'failure', 'trunk.unreachable'],
  ] as const)('%j is %s, %s', (outcome, verdict, code) => {
    const judged = judgeTrunkHost(look(outcome));
    expect([judged.verdict, judged.code]).toEqual([verdict, code]);
    expect(judged.found).toMatch(/^north \(sip:carrier\.example\): /);
  });

  test.each([
    ['registered', 'ok', undefined],
    ['underWay', 'warning', 'trunk.registering'],
    ['refused', 'failure', 'trunk.notRegistered'],
  ] as const)('counts with our registration there: %s', (registration, verdict, code) => {
    const judged = judgeTrunkHost(look(answered(200), { registration }));
    expect([judged.verdict, judged.code]).toEqual([verdict, code]);
  });

  test('shows status and time', () => {
    expect(judgeTrunkHost(look(answered(200))).found).toBe('north (sip:carrier.example): 200, 12 ms');
  });
});

const probed = (looks: readonly TrunkHostProbe[]) => trunkProbe(true, { trunks: async () => looks });

describe('the trunks', () => {
  test('have a point each, what fails first', async () => {
    const points = await probed([look(answered(200)), look(silent, { trunk: 'south' })]);
    expect(points.map(({ verdict, code }) => [verdict, code])).toEqual([
      ['failure', 'trunk.silent'],
      ['ok', undefined],
    ]);
  });

  test('are a note when one host serves', async () => {
    const [point, ...more] = await probed([look(silent), look(answered(200), { host: 'sip:b.example' })]);
    expect(more).toEqual([]);
    expect(point).toMatchObject({ verdict: 'warning', code: 'trunk.oneHost' });
    expect(point?.found).toContain('sip:b.example): 200');
  });

  test('are skipped where there is none, and before enrolment', async () => {
    expect(await probed([])).toMatchObject([{ verdict: 'skipped', code: 'trunk.none' }]);
    expect(await trunkProbe(false, undefined)).toMatchObject([{ verdict: 'skipped', found: 'not enrolled' }]);
  });

  test('fail when the service cannot be asked', async () => {
    const down = { trunks: () => Promise.reject(new Error('ECONNREFUSED')) };
    expect(await trunkProbe(true, down)).toMatchObject([{ verdict: 'failure', code: 'service.silent' }]);
    expect(await trunkProbe(true, undefined)).toMatchObject([{ verdict: 'failure', code: 'service.silent' }]);
  });

  test('are too many for one screen: the rest is one point, as bad as the worst of them', async () => {
    const many = Array.from({ length: 40 }, (_, n) => look(silent, { trunk: `t${n}` }));
    const points = await probed(many);
    expect(points).toHaveLength(33);
    expect(points.at(-1)).toMatchObject({ verdict: 'failure', code: 'trunk.more' });
    expect(points.at(-1)?.found).toMatch(/^8 more/);
  });
});
