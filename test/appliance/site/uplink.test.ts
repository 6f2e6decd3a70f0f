import { describe, expect, it } from 'vitest';
import {
  initialUplink,
  stepUplink,
  type UplinkEffect,
  type UplinkInput,
  type UplinkState,
} from '#appliance/site/uplink.ts';

/** Tells a story to the machine and keeps what it asked for. */
function story(inputs: readonly UplinkInput[], from: UplinkState = initialUplink()) {
  let state = from;
  const effects: UplinkEffect[] = [];
  for (const input of inputs) {
    const step = stepUplink(state, input);
    state = step.state;
    effects.push(...step.effects);
  }
  return { state, effects };
}

const delays = (effects: readonly UplinkEffect[]) =>
  effects.flatMap((effect) => (effect.kind === 'startTimer' ? [effect.delayMs] : []));

describe('uplink', () => {
  it('greets after each CONNACK', () => {
    const outcome = story([
      { kind: 'start', atMs: 0 },
      { kind: 'opened', atMs: 5 },
    ]);
    expect(outcome.effects).toEqual([{ kind: 'connect' }, { kind: 'greet' }]);
    expect(outcome.state.at).toBe('connected');
  });

  it('backs off with full jitter up to the cap of the outage', () => {
    const failures = (count: number, spacingMs: number): UplinkInput[] =>
      Array.from({ length: count }, (_, i) => [
        { kind: 'failed', atMs: (i + 1) * spacingMs, random: 1 } as const,
        { kind: 'retry', atMs: (i + 1) * spacingMs } as const,
      ]).flat();
    const early = delays(story([{ kind: 'start', atMs: 0 }, ...failures(6, 1_000)]).effects);
    expect(early).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
    const long = delays(story([{ kind: 'start', atMs: 0 }, ...failures(12, 60_000)]).effects);
    expect(long.at(-1)).toBe(300_000);
    expect(long.at(7)).toBe(60_000);
  });

  it('spreads the first try after a stable connection, wider when the stop was announced', () => {
    const connected: UplinkInput[] = [
      { kind: 'jitter', seconds: 60 },
      { kind: 'start', atMs: 0 },
      { kind: 'opened', atMs: 0 },
    ];
    const lost = { kind: 'lost', atMs: 70_000, random: 0.5 } as const;
    expect(delays(story([...connected, lost]).effects)).toEqual([7_500]);
    const announced = { kind: 'shutdownAnnounced', announced: true } as const;
    expect(delays(story([...connected, announced, lost]).effects)).toEqual([30_000]);
  });

  it('does not reset the back-off for a connection that lasts less than a minute', () => {
    const outcome = story([
      { kind: 'start', atMs: 0 },
      { kind: 'failed', atMs: 1_000, random: 1 },
      { kind: 'retry', atMs: 2_000 },
      { kind: 'opened', atMs: 3_000 },
      { kind: 'lost', atMs: 4_000, random: 1 },
      { kind: 'retry', atMs: 6_000 },
      { kind: 'opened', atMs: 6_000 },
      { kind: 'lost', atMs: 7_000, random: 1 },
    ]);
    expect(delays(outcome.effects)).toEqual([1_000, 2_000, 4_000]);
  });

  it('handles every input in every state and never holds two connections', () => {
    const inputs: UplinkInput[] = [
      { kind: 'start', atMs: 1 },
      { kind: 'opened', atMs: 1 },
      { kind: 'failed', atMs: 1, random: 0 },
      { kind: 'lost', atMs: 1, random: 0 },
      { kind: 'retry', atMs: 1 },
      { kind: 'shutdownAnnounced', announced: true },
      { kind: 'jitter', seconds: 3 },
      { kind: 'owner', present: false, random: 0 },
      { kind: 'owner', present: true, random: 0 },
      { kind: 'stop' },
    ];
    for (const at of ['closed', 'connecting', 'connected', 'waiting'] as const) {
      for (const input of inputs) {
        const { state, effects } = stepUplink({ ...initialUplink(), at }, input);
        const connects = effects.some((effect) => effect.kind === 'connect');
        expect(connects && (at === 'connected' || at === 'connecting')).toBe(false);
        expect(['closed', 'connecting', 'connected', 'waiting']).toContain(state.at);
      }
    }
    const late = stepUplink({ ...initialUplink(), at: 'closed' }, { kind: 'opened', atMs: 1 });
    expect(late.effects).toEqual([]);
  });
});

describe('uplink with several brokers', () => {
  const connected: UplinkInput[] = [
    { kind: 'start', atMs: 0 },
    { kind: 'opened', atMs: 0 },
  ];
  const away = { kind: 'owner', present: false, random: 0 } as const;

  it('goes to the next broker after each failure and each loss', () => {
    const failed = { kind: 'failed', atMs: 1, random: 0 } as const;
    const retry = { kind: 'retry', atMs: 1 } as const;
    expect(story([{ kind: 'start', atMs: 0 }, failed, retry, failed]).state.turn).toBe(2);
    expect(story([...connected, { kind: 'lost', atMs: 90_000, random: 0 }]).state.turn).toBe(1);
  });

  it('leaves a broker that had no owner for half a minute, one connection at a time', () => {
    const outcome = story([...connected, away, away, { kind: 'retry', atMs: 30_000 }]);
    expect(delays(outcome.effects)).toEqual([30_000]);
    expect(outcome.effects.slice(-2)).toEqual([{ kind: 'disconnect' }, { kind: 'connect' }]);
    expect(outcome.state).toMatchObject({ at: 'connecting', turn: 1, hops: 1 });
  });

  it('leaves it without the back-off of an outage that a stable connection has ended', () => {
    const outage: UplinkInput[] = [
      { kind: 'start', atMs: 0 },
      ...[1, 2, 3, 4, 5, 6].flatMap((n): UplinkInput[] => [
        { kind: 'failed', atMs: n, random: 1 },
        { kind: 'retry', atMs: n },
      ]),
      { kind: 'opened', atMs: 10 },
    ];
    const failed = { kind: 'failed', atMs: 3_600_001, random: 1 } as const;
    const left = story([...outage, away, { kind: 'retry', atMs: 3_600_000 }, failed]);
    expect(delays(left.effects).at(-1)).toBe(1_000);
    // One that did not last has ended nothing.
    const early = story([...outage, away, { kind: 'retry', atMs: 59_000 }, { ...failed, atMs: 59_001 }]);
    expect(delays(early.effects).at(-1)).toBe(15_000);
  });

  it('stays where the owner came back in time', () => {
    const back = { kind: 'owner', present: true, random: 0 } as const;
    const outcome = story([...connected, away, back, { kind: 'retry', atMs: 30_000 }]);
    expect(outcome.state).toMatchObject({ at: 'connected', turn: 0, hops: 0 });
  });

  it('wanders more and more slowly where no owner lives at all', () => {
    const hop = (n: number): UplinkInput[] => [away, { kind: 'retry', atMs: n }, { kind: 'opened', atMs: n }];
    const outcome = story([...connected, ...Array.from({ length: 6 }, (_, n) => hop(n)).flat()]);
    expect(delays(outcome.effects)).toEqual([30_000, 60_000, 120_000, 240_000, 480_000, 480_000]);
  });
});
