import { describe, expect, it } from 'vitest';
import { beginQueued, type CallPlan, restore, step } from '#appliance/alarm/emergency-list/index.ts';
import { ListWalk, PLAN, word } from './list-walk.ts';

/* An alarm that no person of the list has accepted waits in the alarm queue; the person who takes it is called as an entry is. */

type Input = Parameters<ListWalk['give']>[0];

const ONE: CallPlan = { ...PLAN, steps: [[...(PLAN.steps[0] ?? [])].slice(0, 1)], rounds: 1 };
const TAKER = { destination: 'sip:ada@care.example', ringMs: 30_000, accept: 'answer' } as const;
const BY_KEY = { ...TAKER, destination: '+46855511001', accept: 'key' } as const;
const BUSY: Input = { type: 'failed', attempt: 1, reason: 'busy' };
const TAKEN: Input = { type: 'taken', entry: TAKER };
const ANSWERS: Input = { type: 'answered', attempt: 2 };
const STORED: Input = { type: 'committed', attempt: 2, isStored: true };

const PATHS = {
  queued: [BUSY],
  ringing: [BUSY, TAKEN],
  asking: [BUSY, { type: 'taken', entry: BY_KEY }, ANSWERS],
  talking: [BUSY, TAKEN, ANSWERS, STORED],
} as const satisfies Record<string, readonly Input[]>;

const INPUTS: Readonly<Record<string, Input>> = {
  taken: TAKEN,
  'given back': { type: 'givenBack', reason: 'by the person' },
  answers: ANSWERS,
  busy: { type: 'failed', attempt: 2, reason: 'busy' },
  '1': { type: 'key', attempt: 2, key: '1' },
  stored: STORED,
  machine: { type: 'evidence', attempt: 2, evidence: 'machine' },
  'line over': { type: 'evidence', attempt: 2, evidence: 'ended' },
  'hangs up': { type: 'legEnded', attempt: 2, isLost: false, reason: 'BYE' },
  lost: { type: 'legEnded', attempt: 2, isLost: true, reason: 'no audio' },
  'device here': { type: 'device', isHere: true },
  'device gone': { type: 'device', isHere: false },
  stop: { type: 'stop', reason: 'cleared' },
  recovered: { type: 'recovered', ageMs: 0 },
};

const TABLE: Readonly<Record<keyof typeof PATHS, Readonly<Record<string, string>>>> = {
  queued: {
    taken: 'queued: dial 2, (ringing)',
    'given back': 'queued: (queued), queued',
    'device here': 'queued: (deviceJoined)',
    'device gone': 'queued: (deviceLeft)',
    stop: 'ended: (stopped), ended stopped',
    recovered: 'queued: (queued), queued',
  },
  ringing: {
    taken: 'queued: hangUp 2, dial 3, (ringing)',
    'given back': 'queued: hangUp 2, (queued), queued',
    answers: 'queued: (answered), commit 2',
    busy: 'queued: (notReached)',
    'hangs up': 'queued: (notReached)',
    lost: 'queued: (notReached)',
    'device here': 'queued: (deviceJoined)',
    'device gone': 'queued: (deviceLeft)',
    stop: 'ended: (stopped), hangUp 2, ended stopped',
    recovered: 'queued: (queued), queued',
  },
  asking: {
    taken: 'queued: hangUp 2, dial 3, (ringing)',
    'given back': 'queued: hangUp 2, (queued), queued',
    busy: 'queued: (notAccepted)',
    '1': 'queued: commit 2',
    machine: 'queued: (machine), say 2 how',
    'line over': 'queued: (notAccepted), hangUp 2',
    'hangs up': 'queued: (notAccepted)',
    lost: 'queued: (notAccepted)',
    'device here': 'queued: (deviceJoined)',
    'device gone': 'queued: (deviceLeft)',
    stop: 'ended: (stopped), last 2 over, ended stopped',
    recovered: 'queued: (queued), queued',
  },
  talking: {
    taken: 'queued: part 2, (left), hangUp 2, dial 3, (ringing)',
    'given back': 'queued: part 2, (left), hangUp 2, (queued), queued',
    busy: 'queued: part 2, (lost), (queued), queued',
    '1': 'talking: say 2 keys',
    machine: 'queued: (machine), part 2, say 2 how',
    'line over': 'queued: (lost), hangUp 2, part 2, (queued), queued',
    'hangs up': 'queued: part 2, (left), (queued), queued',
    lost: 'queued: part 2, (lost), (queued), queued',
    'device here': 'talking: (deviceJoined), join 2',
    'device gone': 'talking: (deviceLeft), say 2 deviceGone',
    stop: 'ended: (stopped), last 2 over, ended stopped',
    recovered: 'queued: (queued), queued',
  },
};

/** A list whose people are called in vain, with its hang-up clearing: that of a person of the queue must not. */
function at(situation: keyof typeof PATHS): ListWalk {
  const walk = new ListWalk(ONE, true, true, true);
  for (const input of PATHS[situation]) walk.give(input);
  return walk;
}

const said = (walk: ListWalk): string =>
  walk.effects
    .filter(({ type }) => type !== 'wake' && type !== 'sleep')
    .map(word)
    .join(', ');

describe('an alarm in the alarm queue', () => {
  it.each(Object.keys(PATHS) as (keyof typeof PATHS)[])('answers every input in %s', (situation) => {
    const happened = Object.fromEntries(
      Object.entries(INPUTS).flatMap(([name, input]) => {
        const walk = at(situation);
        const before = JSON.stringify(walk.list);
        walk.give(input);
        const isSame = JSON.stringify(walk.list) === before && said(walk) === '';
        return isSame ? [] : [[name, `${walk.list.phase}: ${said(walk)}`]];
      }),
    );
    expect(happened).toEqual(TABLE[situation]);
  });

  it.each(Object.keys(PATHS) as (keyof typeof PATHS)[])('is plain JSON in %s', (situation) => {
    const { list } = at(situation);
    expect(restore(JSON.parse(JSON.stringify(list)))).toEqual(list);
  });

  it('ends unanswered in 30 min without a person, and a take begins the time again', () => {
    const walk = at('queued');
    walk.give(TAKEN);
    walk.give({ type: 'failed', attempt: 2, reason: 'busy' });
    const from = walk.nowMs;
    walk.give({ type: 'timer' }, true);
    expect(walk.nowMs - from).toBeGreaterThan(1_799_000);
    expect(said(walk)).toBe('(unanswered), ended unanswered');
  });

  it('hangs up on a telephone that rings too long, and waits on', () => {
    const walk = at('ringing');
    walk.give({ type: 'timer' }, true);
    expect(said(walk)).toBe('(notReached), hangUp 2');
    expect(walk.list.phase).toBe('queued');
    expect(walk.wakeAt).toBeGreaterThan(walk.nowMs);
  });

  it('begins in the queue where no list is there', () => {
    const { state, effects } = beginQueued('no application has decided', 1_000, false);
    expect(state).toMatchObject({ phase: 'queued', isQueued: true });
    expect(effects.map(word)).toEqual(['(queued)', 'queued', 'wake 1800000']);
    expect(step(state, { type: 'taken', at: 2_000, entry: TAKER }).effects[0]).toMatchObject({
      type: 'dial',
      entry: TAKER,
    });
  });

  it('is not entered while the line to the control plane is down, and takes no person then', () => {
    const walk = new ListWalk(ONE, false, true, false);
    walk.give(TAKEN);
    expect(walk.effects).toEqual([{ type: 'wake', ms: 24_999 }]);
    walk.give(BUSY);
    expect(said(walk)).toBe('(notReached), (unanswered), ended unanswered');
  });
});
