import { describe, expect, it } from 'vitest';
import type { Admittance } from '#appliance/site/index.ts';
import {
  holderOfAddress,
  initialCatchUp,
  initialView,
  type Link,
  type Member,
  mayHaveAddress,
  servingHosts,
  stepCatchUp,
} from '#appliance/site/peer/index.ts';
import type { Hello } from '#shared/contract/peer/index.ts';

const READY = { listens: true, admittance: 'open' as Admittance, faults: [], hasSubstitute: true };

describe('the address of the site', () => {
  it.each([
    ['open and well', {}, true],
    ['not yet listening', { listens: false }, false],
    ['with a fault', { faults: ['the journal cannot be written'] }, false],
    ['cordoned while another one could serve', { admittance: 'cordoned' }, false],
    ['cordoned and the only one', { admittance: 'cordoned', hasSubstitute: false }, true],
    [
      'cordoned, the only one and ill',
      { admittance: 'cordoned', hasSubstitute: false, faults: ['x'] },
      false,
    ],
    ['closed and the only one', { admittance: 'closed', hasSubstitute: false }, false],
  ] as const)('a host that is %s', (_, changes, may) => {
    expect(mayHaveAddress({ ...READY, ...changes })).toBe(may);
  });
});

describe('the other hosts', () => {
  const members = ['a', 'b', 'c'].map((uid) => ({ uid, hostId: `host-${uid}` }) as Member);
  const link = (at: Link['at'], hello: Partial<Hello> | undefined): Link => ({
    at,
    receivedMs: 0,
    hello: hello as Hello | undefined,
    doubted: false,
  });
  const view = (links: Readonly<Record<string, Link>>) => ({ ...initialView('self', 1), links });

  it('hold the address when they answer and say so', () => {
    const links = {
      a: link('lost', { vip: true }),
      b: link('up', { vip: false }),
      c: link('up', { vip: true }),
    };
    expect(holderOfAddress(view(links), members)?.uid).toBe('c');
    expect(holderOfAddress(view({ a: link('up', undefined) }), members)).toBeUndefined();
  });

  it('serve when they answer and say so', () => {
    const links = {
      a: link('dead', { serving: true }),
      b: link('up', { serving: true }),
      c: link('up', { serving: false }),
    };
    expect(servingHosts(view(links), members)).toEqual(['host-b']);
  });
});

describe('a configuration that another host has', () => {
  const own = { tenant: 3, site: 3, platform: 3 };
  const newer = { ...own, site: 4 };
  const ask = (state: typeof initialCatchUp, theirs: typeof own, nowMs: number) =>
    stepCatchUp(state, { own, theirs, isConnected: false, atMs: nowMs });

  it.each([
    [own, false],
    [{ tenant: 2, site: 3, platform: 3 }, false],
    [{ tenant: 4, site: 1, platform: 1 }, true],
    [{ tenant: 1, site: 4, platform: 1 }, true],
    [{ tenant: 1, site: 1, platform: 4 }, true],
  ])('%j is asked for: %s', (theirs, asks) => {
    expect(ask(initialCatchUp, theirs, 0).asks).toBe(asks);
  });

  it('is not asked for where the cloud reaches this host, or the other one does not say', () => {
    const input = { own, theirs: newer, isConnected: false, atMs: 0 };
    expect(stepCatchUp(initialCatchUp, input).asks).toBe(true);
    for (const more of [{ isConnected: true }, { theirs: undefined }])
      expect(stepCatchUp(initialCatchUp, { ...input, ...more })).toEqual({
        state: initialCatchUp,
        asks: false,
      });
  });

  it('is asked for again after 30 s, and a newer one at once', () => {
    const first = ask(initialCatchUp, newer, 1_000);
    expect(first.asks).toBe(true);
    expect(ask(first.state, newer, 30_999).asks).toBe(false);
    expect(ask(first.state, { ...newer, site: 5 }, 30_999).asks).toBe(true);
    expect(ask(first.state, newer, 31_000).asks).toBe(true);
  });
});
