import { describe, expect, it } from 'vitest';
import { SharedParts } from '#cloud/monitoring/host/shared-part.ts';

/** As two hosts of one release say it: equal, and each an object of its own. */
const said = () => ({
  roles: ['leader'],
  sw: { agent: '1.0.0' },
  addresses: ['192.0.2.1'],
  svc: { sip: 'ok', media: 'ok' },
  m: { memPct: 40 },
  out: { alarm: 0 },
  peers: {},
  cap: ['drain', 'wipe'],
  kept: { platform: 1, tenant: 2, site: 3, host: 4 },
  calls: 2,
});

describe('parts of the reports of hosts', () => {
  it('are the same object where their content is the same', () => {
    const parts = new SharedParts();
    const [one, other] = [parts.facts(said()), parts.facts(said())];
    expect([one, other]).toEqual([said(), said()]);
    for (const name of ['roles', 'sw', 'svc', 'out', 'peers', 'cap'] as const)
      expect(other[name]).toBe(one[name]);
    expect(other.m).not.toBe(one.m);
  });

  it('are others where the content is another, or its order', () => {
    const parts = new SharedParts();
    const one = parts.facts(said());
    const other = parts.facts({ ...said(), svc: { sip: 'no answer', media: 'ok' }, cap: ['wipe', 'drain'] });
    expect([other.svc, other.cap]).toEqual([{ sip: 'no answer', media: 'ok' }, ['wipe', 'drain']]);
    expect(one.svc).toEqual(said().svc);
  });

  it('are forgotten when too many are known, and stay what they are', () => {
    const parts = new SharedParts();
    const first = parts.facts(said());
    for (let n = 0; n < 2_000; n++) parts.facts({ svc: { sip: String(n) } });
    const later = parts.facts(said());
    expect(later.svc).toEqual(first.svc);
    expect(later.svc).not.toBe(first.svc);
    expect(parts.facts(first).svc).toEqual(first.svc);
  });

  it('that come again and again stay, however many others come', () => {
    const parts = new SharedParts();
    const first = parts.facts(said());
    for (let n = 0; n < 4_000; n++) {
      parts.facts({ svc: { sip: String(n) } });
      expect(parts.facts(said()).cap).toBe(first.cap);
    }
  });

  it('that a host has not said are not there', () => {
    expect(new SharedParts().facts({ calls: 1 })).toEqual({ calls: 1 });
  });
});
