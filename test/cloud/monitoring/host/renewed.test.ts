import { describe, expect, it } from 'vitest';
import { renewed } from '#cloud/monitoring/host/renewed.ts';

const said = (calls: number, memPct: number) => ({
  svc: { sip: 'ok' },
  m: { memPct, load1: 0.5 },
  kept: { platform: 1, tenant: 2, site: 3, host: calls },
  calls,
});

describe('facts of a host', () => {
  it('keep their objects where each heartbeat says the same members', () => {
    const before = said(1, 40);
    const { m, kept } = before;
    const now = renewed(before, said(2, 41));
    expect(now).toEqual(said(2, 41));
    expect([now === before, now.m === m, now.kept === kept]).toEqual([true, true, true]);
  });

  it.each([
    ['a member more', { ...said(2, 41), certDays: 30 }],
    ['a member less', { calls: 2, m: { memPct: 41 } }],
    ['another member', { ...said(2, 41), m: { memPct: 41, tempC: 50 } }],
    ['another order', { calls: 2, kept: said(2, 41).kept, m: said(2, 41).m, svc: { sip: 'ok' } }],
  ])('are what the host says now: %s', (_, now) => {
    expect(renewed(said(1, 40), now)).toEqual(now);
  });

  it('leave parts alone that other hosts have, too', () => {
    const shared = { sip: 'ok' };
    const one = renewed({ svc: shared, calls: 1 }, { svc: { sip: 'down' }, calls: 1 });
    expect([one.svc, shared]).toEqual([{ sip: 'down' }, { sip: 'ok' }]);
  });

  it('leave the reported facts as they are', () => {
    const now = said(2, 41);
    renewed(said(1, 40), now);
    expect(now).toEqual(said(2, 41));
  });
});
