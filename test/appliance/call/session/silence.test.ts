import { describe, expect, it } from 'vitest';
import {
  type CallEffect,
  type CallInput,
  type CallSession,
  callSession,
  initial,
} from '#appliance/call/session/index.ts';

/* An alarm device (a) speaks with people (b), and one of them sends no audio any more. */

const ALARM = { keepsCaller: true, endsSilent: false } as const;

function following(state: CallSession, ...inputs: readonly CallInput[]) {
  let effects: readonly CallEffect[] = [];
  let now = state;
  for (const input of inputs) ({ state: now, effects } = callSession.step(now, input));
  return { state: now, effects: effects.map((one) => ('leg' in one ? `${one.kind} ${one.leg}` : one.kind)) };
}

const talking = following(
  initial('a', ALARM),
  { kind: 'attend' },
  { kind: 'dial', groups: [['b']] },
  { kind: 'answered', leg: 'b' },
).state;
const silent = (leg: string, wasAudible = true): CallInput => ({ kind: 'silent', leg, hadAudio: wasAudible });
const TIMER: CallInput = { kind: 'timer', timer: 'silence' };
const times = (count: number): CallInput[] => Array.from({ length: count }, () => TIMER);

describe('a party of an alarm call that sends no audio', () => {
  it('is asked at once, and again every 30 s', () => {
    const first = following(talking, silent('a'));
    expect(first.effects).toEqual(['ask a', 'startTimer']);
    expect(following(first.state, TIMER)).toMatchObject({
      state: { phase: 'Talking' },
      effects: ['ask a', 'startTimer'],
    });
  });

  it('and is audible again is asked no more', () => {
    const { state, effects } = following(talking, silent('a'), { kind: 'heard', leg: 'a' });
    expect([effects, state.silent]).toEqual([['stopTimer'], []]);
    expect(following(state, TIMER).effects).toEqual([]);
  });

  it('people: are lost after five minutes, and the device stays', () => {
    const nearly = following(talking, silent('b'), ...times(9));
    expect(nearly.state.phase).toBe('Talking');
    const { state, effects } = following(nearly.state, TIMER);
    expect(state.phase).toBe('Attended');
    expect(effects.slice(0, 2)).toEqual(['end b', 'disconnect a']);
  });

  it('the device: is lost after five minutes, and so is the call', () => {
    const { state, effects } = following(talking, silent('a'), ...times(10));
    expect(state.phase).toBe('Ended');
    expect(effects).toEqual(['end a', 'end b', 'stopTimer', 'stopTimer', 'stopTimer', 'tell']);
  });

  it('and never sent any is only asked: it may still hear', () => {
    const { state, effects } = following(talking, silent('a', false), ...times(100));
    expect(state.phase).toBe('Talking');
    expect(effects).toEqual(['ask a', 'startTimer']);
  });

  it('both: the one that is silent longer goes first, the other one is asked on', () => {
    const both = following(talking, silent('b'), ...times(5), silent('a'), ...times(5));
    expect(both.state.phase).toBe('Attended');
    expect(both.effects.at(-2)).toBe('ask a');
    expect(following(both.state, ...times(5)).state.phase).toBe('Ended');
  });

  it('that has left is forgotten', () => {
    const { state } = following(talking, silent('b'), { kind: 'ended', leg: 'b', cause: 'remote' });
    expect(following(state, TIMER).effects).toEqual([]);
  });
});

describe('a party of an ordinary call that sends no audio', () => {
  const ordinary = following(
    initial('a'),
    { kind: 'dial', groups: [['b']] },
    { kind: 'answered', leg: 'b' },
  ).state;
  const alive = (aliveBy: 'comfortNoise' | 'reports', leg = 'b'): CallInput => ({
    kind: 'silent',
    leg,
    hadAudio: true,
    aliveBy,
  });
  const UNANSWERED: CallInput = { kind: 'unanswered', leg: 'b', isAble: false };

  it('and gives no sign of life ends it at once', () => {
    expect(following(ordinary, silent('b')).state.phase).toBe('Ended');
  });

  it.each(['comfortNoise', 'reports'] as const)('and lives by its %s is asked, for an hour', (sign) => {
    const first = following(ordinary, alive(sign));
    expect(first).toMatchObject({ state: { phase: 'Talking' }, effects: ['ask b', 'startTimer'] });
    const nearly = following(first.state, ...times(119));
    expect(nearly).toMatchObject({ state: { phase: 'Talking' }, effects: ['ask b', 'startTimer'] });
    expect(following(nearly.state, TIMER).state.phase).toBe('Ended');
  });

  it('after comfort noise: is lost when it does not answer', () => {
    expect(following(ordinary, alive('comfortNoise'), UNANSWERED).state.phase).toBe('Ended');
  });

  it('need not answer while its reports come', () => {
    const { state } = following(ordinary, alive('reports'), UNANSWERED);
    expect(state.phase).toBe('Talking');
    expect(following(state, silent('b')).state.phase).toBe('Ended');
  });

  it('and is audible again before its answer came late stays', () => {
    const { state } = following(ordinary, alive('comfortNoise'), { kind: 'heard', leg: 'b' }, UNANSWERED);
    expect(state.phase).toBe('Talking');
  });

  it('is asked in its time, however often the other one falls silent', () => {
    const { state } = following(ordinary, alive('reports'));
    const other = following(state, alive('reports', 'a'));
    expect(other.effects).toEqual(['ask a']);
  });
});

describe('a party of an alarm call whose reports come', () => {
  it('is not lost after five minutes, but after an hour', () => {
    const reports: CallInput = { kind: 'silent', leg: 'b', hadAudio: true, aliveBy: 'reports' };
    const nearly = following(talking, reports, ...times(119));
    expect(nearly.state.phase).toBe('Talking');
    expect(following(nearly.state, TIMER).state.phase).toBe('Attended');
  });
});
