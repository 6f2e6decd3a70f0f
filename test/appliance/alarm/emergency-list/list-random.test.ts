import { expect, it } from 'vitest';
import type {
  CallEntry,
  CallPlan,
  EmergencyList,
  ListEffect,
  ListInput,
} from '#appliance/alarm/emergency-list/index.ts';
import { dice } from '../random.ts';
import { ListWalk } from './list-walk.ts';

interface Random {
  /** A whole number from 0 to `limit` - 1. */
  readonly below: (limit: number) => number;
}

function randomOf(seed: number): Random {
  const next = dice(seed);
  return { below: (limit) => Math.floor(next() * limit) };
}

const PROGRAMS = 400;
const KEYS = [...'0123456789*#'];

function planOf(random: Random): CallPlan {
  const entryOf = (): CallEntry => ({
    destination: `+4685550${random.below(100)}`,
    ringMs: 1 + random.below(60_000),
    accept: random.below(2) === 0 ? 'key' : 'answer',
    ...(random.below(2) === 0 && { pin: '12' }),
  });
  const several = <T>(most: number, make: () => T): T[] =>
    Array.from({ length: 1 + random.below(most) }, make);
  return {
    steps: several(4, () => several(3, entryOf)),
    rounds: 1 + random.below(4),
    pauseMs: 1 + random.below(120_000),
    longestMs: 60_000 + random.below(1_800_000),
  };
}

/** Something that may happen, to a call that is there or to one that is long over. */
function anything(random: Random, { attempts, made }: EmergencyList): Parameters<ListWalk['give']>[0] {
  const running = attempts[random.below(attempts.length + 1)];
  const attempt = running?.id ?? 1 + random.below(made + 1);
  const reason = 'random';
  const kinds: readonly Parameters<ListWalk['give']>[0][] = [
    { type: 'answered', attempt },
    { type: 'answered', attempt },
    { type: 'waits', attempt },
    { type: 'begins', attempt },
    { type: 'failed', attempt, reason },
    { type: 'key', attempt, key: '1' },
    { type: 'key', attempt, key: KEYS[random.below(KEYS.length)] ?? '1' },
    {
      type: 'evidence',
      attempt,
      evidence: (['human', 'machine', 'ended'] as const)[random.below(3)] ?? 'human',
    },
    { type: 'committed', attempt, isStored: random.below(4) > 0 },
    { type: 'committed', attempt, isStored: true },
    { type: 'legEnded', attempt, isLost: random.below(2) === 0, reason },
    { type: 'device', isHere: random.below(2) === 0 },
    { type: 'recovered', ageMs: random.below(4_000_000) - 1_000 },
  ];
  return kinds[random.below(kinds.length)] ?? { type: 'timer' };
}

/** The promise: until the end a person has accepted, an accept is being written, or a call or a round is certain to follow. */
function judge(walk: ListWalk, program: string): void {
  const { list, wakeAt, effects } = walk;
  const taken = list.attempts.filter(({ phase }) => phase === 'accepted');
  expect(taken.length, program).toBe(list.phase === 'talking' ? 1 : 0);
  expect(list.phase === 'ended', program).toBe(list.result !== null);
  const isWriting = list.attempts.some(({ phase }) => phase === 'accepting');
  if (list.phase !== 'talking' && list.phase !== 'ended' && !isWriting)
    expect(wakeAt ?? Number.NaN, program).toBeGreaterThan(walk.nowMs);
  const facts = effects.findIndex((effect) => effect.type === 'say' && effect.sentence === 'facts');
  if (facts >= 0) expect(effects.slice(0, facts).some(isAccepted), program).toBe(true);
}

const isAccepted = (effect: ListEffect): boolean => effect.type === 'progress' && effect.step === 'accepted';

it('always calls another person until one has the alarm or the list has ended', () => {
  const ends = new Set<string>();
  for (let seed = 1; seed <= PROGRAMS; seed++) {
    const random = randomOf(seed);
    const plan = planOf(random);
    const walk = new ListWalk(plan, random.below(2) === 0);
    const length = random.below(40);
    for (let each = 0; each < length; each++) {
      const isDue = random.below(3) === 0;
      walk.give(isDue ? { type: 'timer' } : anything(random, walk.list), isDue);
      judge(walk, `seed ${seed}`);
    }
    ends.add(quietEnd(walk, plan, `seed ${seed}`));
  }
  expect([...ends].sort()).toEqual(['ended handled', 'ended unanswered', 'talking']);
});

/** From here on no callee answers, and every write succeeds: the list calls on, and ends in bounded time. */
function quietEnd(walk: ListWalk, plan: CallPlan, program: string): string {
  const calls = plan.steps.flat().length * plan.rounds;
  const mostInputs = 20 + calls * 4;
  for (let inputs = 0; inputs <= mostInputs; inputs++) {
    const { phase, attempts, result } = walk.list;
    if (phase === 'ended') return `ended ${result}`;
    if (phase === 'talking') return phase;
    const writing = attempts.find((attempt) => attempt.phase === 'accepting');
    const input: Omit<ListInput & { type: 'timer' }, 'at'> = { type: 'timer' };
    if (writing === undefined) walk.give(input, true);
    else walk.give({ type: 'committed', attempt: writing.id, isStored: true });
    judge(walk, program);
  }
  throw new Error(`${program}: the list does not end`);
}
