import { describe, expect, it } from 'vitest';
import {
  deadlineOf,
  initialPresence,
  lossesOf,
  type Presence,
  type PresenceInput,
  stepPresence,
} from '#cloud/monitoring/index.ts';
import type { Profile } from '#shared/contract/feed/index.ts';

const S = 1_000;
type Said =
  | { at: number; kind: 'heartbeat' | 'birth' | 'will'; sid?: string }
  | { at: number; kind: 'stop'; why: 'drain' | 'update' | 'shutdown' | 'poweroff'; etaS?: number }
  | { at: number; kind: 'pong' }
  | { at: number; kind: 'peer'; sees: boolean };

/** Tells a story in seconds and lets every deadline pass on the way. Effects with their second. */
function story(profile: Profile, said: readonly Said[], untilS: number, from?: Presence) {
  let state = from ?? initialPresence(profile);
  const reported: string[] = [];
  const apply = (input: PresenceInput) => {
    const step = stepPresence(state, input);
    state = step.state;
    for (const effect of step.effects) {
      const detail = 'cause' in effect ? ` ${effect.cause}` : 'on' in effect ? ` ${effect.on}` : '';
      reported.push(`${Math.round(input.atMs / S)} ${effect.kind}${detail}`);
    }
  };
  const passUntil = (ms: number) => {
    for (;;) {
      const due = deadlineOf(state);
      if (due === undefined || due > ms) return;
      apply({ kind: 'due', atMs: due });
      if (deadlineOf(state) === due) throw new Error('a deadline that comes again and again');
    }
  };
  for (const { at, ...event } of said) {
    passUntil(at * S);
    const nowMs = at * S;
    if (event.kind === 'peer' || event.kind === 'pong') apply({ ...event, atMs: nowMs });
    else if (event.kind === 'stop')
      apply({ kind: 'stop', atMs: nowMs, sid: 'a', why: event.why, etaS: event.etaS ?? 0 });
    else apply({ kind: event.kind, atMs: nowMs, sid: event.sid ?? 'a' });
  }
  passUntil(untilS * S);
  return { state, told: reported };
}

/** Heartbeats of one profile from … to, seconds. */
const beats = (from: number, to: number, every: number): Said[] =>
  Array.from({ length: Math.floor((to - from) / every) + 1 }, (_, i) => ({
    at: from + i * every,
    kind: 'heartbeat',
  }));

describe('a host that falls silent', () => {
  it.each<[Profile, number, number, number]>([
    ['high', 10, 45, 50],
    ['standard', 30, 105, 115],
    ['economy', 120, 375, 390],
  ])(
    'in profile %s raises an alarm %d, %d s after its last heartbeat (target %d)',
    (profile, every, after, target) => {
      const { told: reported } = story(profile, beats(0, 10 * every, every), 5_000);
      const last = 10 * every;
      const silence = 3 * every + 5;
      expect(reported).toEqual([
        `${last + silence} probe`,
        `${last + silence} ping`,
        `${last + silence + 5} ping`,
        `${last + after} raise silence`,
      ]);
      expect(after).toBeLessThanOrEqual(target);
    },
  );

  it('but answers a ping is online, without alarm', () => {
    const { told: reported, state } = story(
      'standard',
      [
        { at: 0, kind: 'heartbeat' },
        { at: 97, kind: 'pong' },
      ],
      150,
    );
    expect(reported).toEqual(['95 probe', '95 ping']);
    expect(state.phase).toBe('online');
  });

  it('and says goodbye by will is probed at once, and pinged at the usual time', () => {
    const { told: reported } = story(
      'standard',
      [
        { at: 0, kind: 'heartbeat' },
        { at: 10, kind: 'will' },
      ],
      500,
    );
    expect(reported).toEqual(['10 probe', '95 ping', '100 ping', '105 raise silence']);
  });

  it('and whose peer does not see it either is pinged after 20 s of grace', () => {
    const said: Said[] = [
      { at: 0, kind: 'heartbeat' },
      { at: 10, kind: 'will' },
      { at: 11, kind: 'peer', sees: false },
    ];
    expect(story('standard', said, 500).told).toEqual([
      '10 probe',
      '31 ping',
      '36 ping',
      '41 raise hostDown',
    ]);
  });

  it('and whose peer sees it has no uplink', () => {
    const said: Said[] = [
      { at: 0, kind: 'heartbeat' },
      { at: 10, kind: 'will' },
      { at: 11, kind: 'peer', sees: true },
    ];
    expect(story('standard', said, 500).told.at(-1)).toBe('105 raise uplinkDown');
  });

  it('for a minute each night raises nothing', () => {
    const said: Said[] = [
      ...beats(0, 300, 30),
      { at: 305, kind: 'will' },
      { at: 365, kind: 'birth', sid: 'b' },
    ];
    const { told: reported, state } = story('standard', said, 440);
    expect(reported).toEqual(['305 probe']);
    expect(state.phase).toBe('online');
  });

  it('is not condemned by the will of a connection it has replaced', () => {
    const said: Said[] = [
      { at: 0, kind: 'birth', sid: 'a' },
      { at: 10, kind: 'birth', sid: 'b' },
      // It was under way for longer than its successor was.
      { at: 11, kind: 'heartbeat', sid: 'a' },
      { at: 11, kind: 'will', sid: 'a' },
    ];
    const { told: reported, state } = story('standard', said, 50);
    expect(reported).toEqual([]);
    expect(state.phase).toBe('online');
  });
});

describe('a host that comes back', () => {
  it('is well after two heartbeats and 60 s, and the alarm is cleared with its length', () => {
    const said = [...beats(0, 0, 30), { at: 205, kind: 'birth' } as const, ...beats(235, 300, 30)];
    const { told: reported, state } = story('standard', said, 320);
    expect(reported.slice(-2)).toEqual(['105 raise silence', '265 clear']);
    expect(state.phase).toBe('online');
  });

  it('and goes again meanwhile has not come back: no second alarm', () => {
    const said: Said[] = [
      { at: 0, kind: 'heartbeat' },
      { at: 200, kind: 'heartbeat' },
      { at: 210, kind: 'will' },
    ];
    const { told: reported, state } = story('standard', said, 1000);
    expect(reported.filter((line) => line.includes('raise'))).toEqual(['105 raise silence']);
    expect(state.phase).toBe('offline');
  });
});

describe('an announced stop', () => {
  const born: Said = { at: 0, kind: 'birth' };
  it.each([
    ['drain', 'excused', []],
    ['update', 'excused', []],
    ['shutdown', 'offline', ['10 raise shutdown']],
  ] as const)('for %s stands, though a heartbeat of before comes behind it', (why, phase, effects) => {
    const stop: Said = { at: 10, kind: 'stop', why, etaS: 300 };
    const late: Said = { at: 14, kind: 'heartbeat' };
    const { state, told: reported } = story('standard', [born, stop, late], 100);
    expect([state.phase, reported]).toEqual([phase, effects]);
  });

  it('ends with the heartbeat of a new connection, and with one that can be no late one', () => {
    const stop: Said = { at: 10, kind: 'stop', why: 'drain' };
    for (const back of [
      { at: 11, kind: 'heartbeat', sid: 'b' },
      { at: 16, kind: 'heartbeat' },
    ] as const)
      expect(story('standard', [born, stop, back], 20).state.phase).toBe('online');
  });

  it('for drain raises nothing', () => {
    expect(story('standard', [born, { at: 10, kind: 'stop', why: 'drain' }], 9_000).told).toEqual([]);
  });

  it('for an update waits for its time, and 15 min at most', () => {
    const update = (etaS: number): Said[] => [born, { at: 10, kind: 'stop', why: 'update', etaS }];
    expect(story('standard', update(120), 9_000).told).toEqual(['130 ping', '135 ping', '140 raise silence']);
    expect(story('standard', update(9_999), 9_000).told.at(-1)).toBe('920 raise silence');
    const { told: reported, state } = story(
      'standard',
      [...update(120), { at: 100, kind: 'birth', sid: 'b' }],
      150,
    );
    expect(reported).toEqual([]);
    expect(state.phase).toBe('online');
  });

  it.each(['shutdown', 'poweroff'] as const)('for %s raises at once and names it', (why) => {
    expect(story('standard', [born, { at: 10, kind: 'stop', why }], 9_000).told).toEqual([`10 raise ${why}`]);
  });
});

describe('a host that flaps', () => {
  /** Lost by will and back after 10 s, every 40 s. */
  const flaps = (count: number, from: number): Said[] =>
    Array.from({ length: count }, (_, i): Said[] => [
      { at: from + 40 * i, kind: 'will' },
      { at: from + 40 * i + 10, kind: 'heartbeat' },
    ]).flat();

  it('becomes unstable once, and stable when the penalty is over', () => {
    const { told: reported, state } = story(
      'standard',
      [{ at: 0, kind: 'birth' }, ...flaps(4, 10), ...beats(150, 4_000, 30)],
      4_000,
    );
    expect(reported.filter((line) => line.includes('unstable'))).toEqual([
      '130 unstable true',
      expect.stringMatching(/ unstable false$/),
    ]);
    // From about 3,800 to 750 in 2.3 half-lives of 15 min.
    const releasedS = Number(reported.find((line) => line.endsWith('unstable false'))?.split(' ')[0]);
    expect(releasedS).toBeGreaterThan(2_100);
    expect(releasedS).toBeLessThan(2_350);
    expect(state.flap.unstable).toBe(false);
    expect(reported.some((line) => line.includes('raise'))).toBe(false);
  });

  it('raises its first outage in time; the next one only after 5 min unbroken', () => {
    const unstable: Said[] = [{ at: 0, kind: 'birth' }, ...flaps(4, 10)];
    const first = story('standard', unstable, 400);
    // The last heartbeat came at 140.
    expect(first.told.at(-1)).toBe('245 raise silence');
    const back = [...unstable, ...beats(400, 490, 30)];
    const second = story('standard', back, 1_000).told.filter((line) => /raise|clear/.test(line));
    expect(second).toEqual(['245 raise silence', '460 clear', '790 raise silence']);
    const short = story('standard', [...back, ...beats(780, 1_000, 30)], 1_000).told;
    expect(short.filter((line) => /raise|clear/.test(line))).toEqual(['245 raise silence', '460 clear']);
  });

  it('counts the unreported losses, until it is calm', () => {
    const steady: Said[] = [{ at: 0, kind: 'birth' }, ...flaps(3, 10)];
    expect(story('standard', steady, 130).state).toMatchObject({ suppressed: 0, flap: { losses: 3 } });
    const many: Said[] = [{ at: 0, kind: 'birth' }, ...flaps(6, 10), ...beats(240, 290, 30)];
    // The fourth made it unstable, and a notification said so.
    expect(story('standard', many, 290).state).toMatchObject({ suppressed: 2, flap: { losses: 6 } });
    const reported = story('standard', many, 400);
    expect(reported.told.at(-1)).toMatch(/raise silence$/);
    // The silence behind the last heartbeat is the seventh, and is notified: it is the first outage.
    expect(reported.state).toMatchObject({ suppressed: 2, flap: { losses: 7 } });
    const calm = story('standard', [...many, ...beats(300, 5_000, 30)], 5_000).state;
    expect(calm).toMatchObject({ suppressed: 0, flap: { unstable: false } });
    expect(lossesOf(calm.flap, 5_000 * S)).toBe(0);
  });
});

describe('a program that starts again', () => {
  it('remembers who was there and who was not', () => {
    const online = initialPresence('standard', {
      phase: 'online',
      lastSeenMs: 0,
      sid: 'a',
      raisedMs: undefined,
    });
    expect(deadlineOf(online)).toBe(95 * S);
    const offline = initialPresence('standard', {
      phase: 'offline',
      lastSeenMs: 0,
      sid: 'a',
      raisedMs: 105 * S,
    });
    expect(deadlineOf(offline)).toBeUndefined();
    const { told: reported } = story('standard', beats(500, 600, 30), 600, offline);
    expect(reported).toEqual(['560 clear']);
  });
});

describe('every input in every phase', () => {
  it('is taken, and a deadline is never set into the past for ever', () => {
    const inputs: readonly ((nowMs: number) => PresenceInput)[] = [
      (nowMs) => ({ kind: 'birth', atMs: nowMs, sid: 'a' }),
      (nowMs) => ({ kind: 'heartbeat', atMs: nowMs, sid: 'a' }),
      (nowMs) => ({ kind: 'will', atMs: nowMs, sid: 'a' }),
      (nowMs) => ({ kind: 'will', atMs: nowMs, sid: 'old' }),
      (nowMs) => ({ kind: 'stop', atMs: nowMs, sid: 'a', why: 'update', etaS: 60 }),
      (nowMs) => ({ kind: 'stop', atMs: nowMs, sid: 'a', why: 'drain', etaS: 0 }),
      (nowMs) => ({ kind: 'stop', atMs: nowMs, sid: 'a', why: 'poweroff', etaS: 0 }),
      (nowMs) => ({ kind: 'pong', atMs: nowMs }),
      (nowMs) => ({ kind: 'peer', atMs: nowMs, sees: true }),
      (nowMs) => ({ kind: 'peer', atMs: nowMs, sees: false }),
      (nowMs) => ({ kind: 'due', atMs: nowMs }),
    ];
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    const visited = new Set<string>();
    for (let run = 0; run < 300; run++) {
      let state = initialPresence('high');
      let nowMs = 0;
      let raised = false;
      for (let i = 0; i < 60; i++) {
        const make = inputs[random(inputs.length)];
        const due = deadlineOf(state);
        nowMs = random(3) === 0 && due !== undefined ? Math.max(nowMs, due) : nowMs + random(30) * S;
        if (make === undefined) continue;
        const input = make(nowMs);
        visited.add(`${state.phase} ${input.kind}`);
        const step = stepPresence(state, input);
        state = step.state;
        for (const effect of step.effects) {
          // Raised and cleared in turns: no end is notified without its beginning.
          if (effect.kind === 'raise') {
            expect(raised).toBe(false);
            raised = true;
          }
          if (effect.kind === 'clear') {
            expect(raised).toBe(true);
            raised = false;
          }
        }
        const next = deadlineOf(state);
        if (input.kind === 'due' && next !== undefined) expect(next).toBeGreaterThan(nowMs);
      }
    }
    expect(visited.size).toBe(6 * 7);
  });
});
