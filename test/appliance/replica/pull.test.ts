import { describe, expect, it } from 'vitest';
import {
  initialPull,
  type PullEffect,
  type PullInput,
  type Standings,
  stepPull,
} from '#appliance/replica/index.ts';
import type { FeedScope } from '#shared/contract/feed/index.ts';

const standing = (revs: Partial<Record<FeedScope, number>>): Standings => {
  const at = (scope: FeedScope) => ({ rev: revs[scope] ?? 0, h: revs[scope] ? `h${revs[scope]}` : '' });
  return { platform: at('platform'), tenant: at('tenant'), site: at('site'), host: at('host') };
};
const wanted = (
  revs: Partial<Record<FeedScope, number>>,
  more: { jitterS?: number; fetchS?: number; random?: number } = {},
) => ({ kind: 'wanted', pointers: standing(revs), jitterS: 1, random: 0.5, ...more }) as const;

function machine(here: Partial<Record<FeedScope, number>> = {}) {
  let state = initialPull(standing(here));
  return (input: PullInput): readonly PullEffect[] => {
    const step = stepPull(state, input);
    state = step.state;
    return step.effects;
  };
}
const fetch = (scope: FeedScope, since: number, wantedRev: number) => [
  { kind: 'fetch', scope, since, wantedRev },
];
const applied = (scope: FeedScope, rev: number) =>
  ({ kind: 'applied', scope, standing: { rev, h: `h${rev}` } }) as const;

describe('pull', () => {
  it('fetches scope by scope in the order in which they need each other', () => {
    const tell = machine();
    expect(tell(wanted({ host: 1, tenant: 3, platform: 2 }))).toEqual([{ kind: 'startTimer', delayMs: 0 }]);
    expect(tell({ kind: 'due' })).toEqual(fetch('platform', 0, 2));
    expect(tell(applied('platform', 2))).toEqual(fetch('host', 0, 1));
    expect(tell(applied('host', 1))).toEqual(fetch('tenant', 0, 3));
    expect(tell(applied('tenant', 3))).toEqual([]);
  });

  it('does nothing when it has what is wanted, or more', () => {
    const tell = machine({ tenant: 5 });
    expect(tell(wanted({ tenant: 5 }))).toEqual([]);
    expect(tell(wanted({ tenant: 4 }))).toEqual([]);
    expect(tell({ kind: 'due' })).toEqual([]);
  });

  it('spreads over the jitter of the fleet, and half a second in a small one', () => {
    expect(machine({ tenant: 1 })(wanted({ tenant: 2 }, { jitterS: 600 }))).toEqual([
      { kind: 'startTimer', delayMs: 300_000 },
    ]);
    expect(machine({ tenant: 1 })(wanted({ tenant: 2 }, { random: 0.999 }))).toEqual([
      { kind: 'startTimer', delayMs: 500 },
    ]);
  });

  it('spreads what has changed for its tenant over the hosts of the tenant, and what has changed for all over all', () => {
    const spread = { jitterS: 600, fetchS: 20 };
    expect(machine({ tenant: 1 })(wanted({ tenant: 2 }, spread))).toEqual([
      { kind: 'startTimer', delayMs: 10_000 },
    ]);
    expect(machine({ tenant: 1 })(wanted({ tenant: 2 }, { ...spread, fetchS: 1 }))).toEqual([
      { kind: 'startTimer', delayMs: 250 },
    ]);
    expect(machine({ tenant: 1 })(wanted({ tenant: 2 }, { ...spread, fetchS: 0.1 }))).toEqual([
      { kind: 'startTimer', delayMs: 50 },
    ]);
    expect(machine({ tenant: 1, platform: 1 })(wanted({ tenant: 2, platform: 2 }, spread))).toEqual([
      { kind: 'startTimer', delayMs: 300_000 },
    ]);
  });

  it('backs off up to a minute and takes up newer requests meanwhile', () => {
    const tell = machine({ tenant: 1 });
    tell(wanted({ tenant: 2 }));
    tell({ kind: 'due' });
    const delays = Array.from({ length: 9 }, () => {
      const [effect] = tell({ kind: 'failed', random: 0.999_999 });
      tell({ kind: 'due' });
      return effect?.kind === 'startTimer' ? effect.delayMs : 0;
    });
    expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    expect(tell(wanted({ tenant: 9 }))).toEqual([]);
    expect(tell(applied('tenant', 2))).toEqual(fetch('tenant', 2, 9));
  });

  it('ends a back-off when the cloud may be there again, and backs off from the beginning after that', () => {
    const tell = machine({ tenant: 1 });
    const hurry = { kind: 'hurry', spreadMs: 500, random: 0.5 } as const;
    expect(tell(hurry), 'idle').toEqual([]);
    tell(wanted({ tenant: 2 }, { jitterS: 600 }));
    expect(tell(hurry), 'the spread of the fleet stays').toEqual([]);
    tell({ kind: 'due' });
    expect(tell(hurry), 'a fetch is under way').toEqual([]);
    for (let round = 0; round < 9; round += 1) {
      tell({ kind: 'failed', random: 0.5 });
      tell({ kind: 'due' });
    }
    expect(tell({ kind: 'failed', random: 0 })).toEqual([{ kind: 'startTimer', delayMs: 30_000 }]);
    expect(tell(hurry)).toEqual([{ kind: 'startTimer', delayMs: 250 }]);
    expect(tell({ kind: 'due' })).toEqual(fetch('tenant', 1, 2));
    expect(tell({ kind: 'failed', random: 0.999_999 })).toEqual([{ kind: 'startTimer', delayMs: 1_000 }]);
  });

  it('fetches everything after a mismatch, and when the rows of a revision are others', () => {
    const tell = machine({ tenant: 1 });
    tell(wanted({ tenant: 2 }));
    tell({ kind: 'due' });
    expect(tell({ kind: 'mismatch', scope: 'tenant' })).toEqual(fetch('tenant', 0, 2));
    expect(tell(applied('tenant', 2))).toEqual([]);
    const others = { ...wanted({}), pointers: { ...standing({}), tenant: { rev: 2, h: 'other' } } };
    tell(others);
    expect(tell({ kind: 'due' })).toEqual(fetch('tenant', 0, 2));
  });

  it('leaves a refused revision alone until a newer one exists or a person asks', () => {
    const tell = machine({ tenant: 1 });
    tell(wanted({ tenant: 2, site: 1 }));
    tell({ kind: 'due' });
    expect(tell({ kind: 'refused', scope: 'tenant', rev: 2 })).toEqual(fetch('site', 0, 1));
    expect(tell(applied('site', 1))).toEqual([]);
    expect(tell(wanted({ tenant: 2, site: 1 }))).toEqual([]);
    expect(tell({ kind: 'resync', scopes: ['tenant'], force: false })).toEqual([]);
    expect(tell({ kind: 'resync', scopes: ['tenant'], force: true })).toEqual(fetch('tenant', 0, 2));
    tell({ kind: 'refused', scope: 'tenant', rev: 2 });
    expect(tell(wanted({ tenant: 3, site: 1 }))).toHaveLength(1);
    expect(tell({ kind: 'due' })).toEqual(fetch('tenant', 1, 3));
  });

  it('does not go back to what the health gate threw out', () => {
    const tell = machine({ tenant: 2 });
    tell(wanted({ tenant: 2 }));
    expect(tell({ kind: 'returned', standing: standing({ tenant: 1 }), refused: [['tenant', 2]] })).toEqual(
      [],
    );
    tell(wanted({ tenant: 3 }));
    expect(tell({ kind: 'due' })).toEqual(fetch('tenant', 1, 3));
  });
});
