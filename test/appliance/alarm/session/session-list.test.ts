import { expect, it } from 'vitest';
import {
  type AlarmSession,
  initial,
  restore,
  type SessionEffect,
  type SessionInput,
  step,
  type TimelessListInput,
} from '#appliance/alarm/session/index.ts';
import { dice } from '../random.ts';
import { INPUTS, SETTING } from './session-walk.ts';

/*
 * A session with a list of people, under random inputs of every kind: it ends with its list, and never before.
 */

const entry = (destination: string) => ({ destination, ringMs: 25_000, accept: 'key' as const, pin: '12' });
const callList = {
  steps: [[entry('a'), entry('b')], [entry('c')]],
  rounds: 2,
  pauseMs: 5_000,
  longestMs: 60_000,
};
const PROGRAMS = 600;
const NAMES = Object.keys(INPUTS);
const KEYS = [...'110000489*#'];

function ofList(below: (limit: number) => number, made: number): TimelessListInput {
  const attempt = Math.max(1, made - below(4));
  const all: readonly TimelessListInput[] = [
    { type: 'answered', attempt },
    { type: 'key', attempt, key: KEYS[below(KEYS.length)] ?? '1' },
    { type: 'committed', attempt, isStored: true },
    { type: 'failed', attempt, reason: 'busy' },
    { type: 'legEnded', attempt, isLost: below(2) === 0, reason: 'BYE' },
    { type: 'evidence', attempt, evidence: 'machine' },
  ];
  return all[below(all.length)] ?? { type: 'timer' };
}

/** One program; gives the ends that it has reached. */
function run(seed: number): string | undefined {
  const next = dice(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  const arcDisconnectClearsCall = below(2) === 0;
  let session: AlarmSession = initial({ ...SETTING, callList, arcDisconnectClearsCall });
  let at = 0;
  const give = (input: SessionInput): readonly SessionEffect[] => {
    const before = session;
    const { state, effects } = step(session, { ...input, at });
    session = state;
    judge(before, state, effects, `seed ${seed}, ${input.type}`);
    return effects;
  };
  for (const name of ['first event', 'stored 0', 'answer call']) give(INPUTS[name] as SessionInput);
  for (let inputs = below(40); inputs > 0 && session.state !== 'closed'; inputs--) {
    at += below(15_000);
    const choice = below(5);
    if (choice === 0) give({ type: 'timer', at, timer: 'list' });
    else if (choice < 3) give({ type: 'list', at, input: ofList(below, session.list?.made ?? 0) });
    else give(INPUTS[NAMES[below(NAMES.length)] ?? ''] as SessionInput);
  }
  // A device that takes its alarm back ends the list first, and then as every alarm does.
  return session.list?.result === 'stopped' ? 'stopped' : (session.outcome ?? undefined);
}

function judge(
  before: AlarmSession,
  after: AlarmSession,
  effects: readonly SessionEffect[],
  program: string,
): void {
  const isListOver = after.list === undefined || after.list.phase === 'ended';
  if (after.state === 'closed') expect(isListOver, program).toBe(true);
  const ends = effects.filter(({ type }) => type === 'end');
  expect(ends.length, program).toBe(before.state !== 'closed' && after.state === 'closed' ? 1 : 0);
  if (ends.length > 0 && after.outcome !== 'notStored') expect(effects.at(-1)?.type, program).toBe('end');
  // No person has accepted: the device hears no clear-down from the list.
  if (after.outcome === 'unanswered') {
    expect(
      effects.some((each) => each.type === 'deviceCommand' && each.command === 'clearDown'),
      program,
    ).toBe(false);
    expect(
      effects.some((each) => each.type === 'raise' && each.alarm.error === 'emergencyUnanswered'),
      program,
    ).toBe(true);
  }
}

it('ends with its list and never before, whatever happens to device, people and program', () => {
  const ends = new Set<string>();
  for (let seed = 1; seed <= PROGRAMS; seed++) ends.add(run(seed) ?? 'open');
  expect([...ends].sort()).toEqual(['handled', 'open', 'stopped', 'unanswered']);
});

it('goes on with the one destination when its list is of a later version', () => {
  const list = { version: 2, phase: 'calling' };
  const stored = {
    ...initial({ ...SETTING, callList }),
    state: 'waitingCall',
    list,
  } as unknown as AlarmSession;
  const { state } = step(restore(stored) ?? stored, { type: 'voiceArrived', at: 0 });
  expect([state.state, state.list]).toEqual(['inCall', undefined]);
});

it.each([
  [{ usePredefinedDestination: true, destinationRewrite: '112' }, undefined],
  [{ usePredefinedDestination: true }, 'calling'],
  [{ destinationRewrite: '112' }, 'calling'],
] as const)('a device whose own calls are set by %j has its list in the phase %s', (fields, phase) => {
  let session: AlarmSession = initial({ ...SETTING, callList, ...fields });
  for (const name of ['first event', 'stored 0', 'answer call'])
    session = step(session, INPUTS[name] as SessionInput).state;
  expect(session.decision?.kind).toBe('usePredefinedDestination' in fields ? 'predefined' : 'emergency');
  expect(session.list?.phase).toBe(phase);
});

it('keeps a device without speech in its call, uncleared, until a person has accepted its alarm', () => {
  let session: AlarmSession = initial({ ...SETTING, callList });
  const give = (input: SessionInput): readonly SessionEffect[] => {
    const { state, effects } = step(session, input);
    session = state;
    return effects;
  };
  const first = INPUTS['first event'] as SessionInput & { type: 'event' };
  give({ ...first, offer: { ...first.offer, voice: false } });
  give({ type: 'voiceArrived', at: 1 });
  give(INPUTS['stored 0'] as SessionInput);
  give(INPUTS['answer call'] as SessionInput);
  give({ type: 'answered', voice: 'none', at: 2 });
  expect([session.state, session.list?.phase]).toEqual(['inCall', 'calling']);
  for (const input of [
    { type: 'answered', attempt: 1 },
    { type: 'key', attempt: 1, key: '1' },
    { type: 'committed', attempt: 1, isStored: true },
    { type: 'key', attempt: 1, key: '0' },
  ] as const)
    give({ type: 'list', at: 3, input });
  const cleared = give({ type: 'list', at: 4, input: { type: 'key', attempt: 1, key: '0' } });
  expect(cleared).toContainEqual({ type: 'deviceCommand', command: 'clearDown' });
  expect(session.state).toBe('clearing');
});
