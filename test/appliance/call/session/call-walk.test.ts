import { describe, expect, it } from 'vitest';
import {
  type CallEffect,
  type CallInput,
  type CallPhase,
  type CallSession,
  callSession,
  type EndReason,
  initial,
  placing,
} from '#appliance/call/session/index.ts';

const { step, table } = callSession;

const feed = (state: CallSession, ...inputs: readonly CallInput[]): CallSession =>
  inputs.reduce((now, input) => step(now, input).state, state);

const rings = feed(initial('a'), { kind: 'dial', groups: [['b']] });
const attended = feed(initial('a', { keepsCaller: true }), { kind: 'attend' });

/** One state of each phase, as stories lead to it. */
const STATES: Readonly<Record<CallPhase, CallSession>> = {
  Placing: feed(placing({ keepsCaller: true }), { kind: 'dial', groups: [['b']] }),
  Arrived: initial('a'),
  Dialling: rings,
  Attended: attended,
  Seeking: feed(attended, { kind: 'dial', groups: [['b']] }),
  Talking: feed(rings, { kind: 'answered', leg: 'b' }),
  Ended: feed(rings, { kind: 'ended', leg: 'a', cause: 'cancelled' }),
};

const INPUTS: Readonly<Record<CallInput['kind'], CallInput>> = {
  dial: { kind: 'dial', groups: [['c']] },
  attend: { kind: 'attend' },
  refuse: { kind: 'refuse', status: 480 },
  hangUp: { kind: 'hangUp' },
  progressed: { kind: 'progressed', leg: 'b', status: 180, early: false },
  answered: { kind: 'answered', leg: 'b' },
  failed: { kind: 'failed', leg: 'b', status: 486, text: 'said 486', another: false },
  acknowledged: { kind: 'acknowledged', leg: 'a' },
  ended: { kind: 'ended', leg: 'a', cause: 'remote' },
  held: { kind: 'held', leg: 'a', direction: 'recvonly' },
  digit: { kind: 'digit', leg: 'a', digit: '5', durationMs: 100 },
  refer: { kind: 'refer', leg: 'b', groups: [['c']] },
  take: { kind: 'take', leg: 'b', taken: 'c' },
  inherit: { kind: 'inherit', leg: 'b', ringing: ['c'] },
  bequeath: { kind: 'bequeath' },
  replace: { kind: 'replace', leg: 'n', replaced: 'b' },
  give: { kind: 'give', leg: 'b' },
  silent: { kind: 'silent', leg: 'a', hadAudio: true },
  heard: { kind: 'heard', leg: 'a' },
  unanswered: { kind: 'unanswered', leg: 'a', isAble: true },
  broken: { kind: 'broken', leg: 'a', status: 488, text: 'unfit' },
  timer: { kind: 'timer', timer: 'ring' },
};

/** Next phase and what is done, in the order of the effects; `-`: nothing, and the reason stands in the table. */
const WALK: Readonly<Record<CallPhase, Readonly<Record<CallInput['kind'], string>>>> = {
  Placing: {
    dial: 'Placing end startTimer dial',
    attend: '-',
    refuse: 'Ended end stopTimer tell',
    hangUp: 'Ended end stopTimer tell',
    progressed: 'Placing tell',
    answered: 'Attended stopTimer tell',
    failed: 'Ended stopTimer tell',
    acknowledged: '-',
    ended: '-',
    held: '-',
    digit: '-',
    refer: 'Placing referAnswered',
    take: 'Placing referAnswered end',
    inherit: 'Placing referAnswered end',
    bequeath: '-',
    replace: 'Attended accept stopTimer end tell',
    give: '-',
    silent: '-',
    heard: '-',
    unanswered: '-',
    broken: '-',
    timer: 'Ended stopTimer end tell',
  },
  Arrived: {
    dial: 'Dialling startTimer dial',
    attend: 'Attended accept',
    refuse: 'Ended refuse stopTimer tell',
    hangUp: 'Ended refuse stopTimer tell',
    progressed: '-',
    answered: 'Arrived end',
    failed: '-',
    acknowledged: '-',
    ended: 'Ended stopTimer tell',
    held: '-',
    digit: '-',
    refer: 'Arrived referAnswered',
    take: 'Arrived referAnswered end',
    inherit: 'Arrived referAnswered end',
    bequeath: '-',
    replace: 'Arrived refuse',
    give: '-',
    silent: '-',
    heard: '-',
    unanswered: '-',
    broken: 'Ended end stopTimer tell',
    timer: '-',
  },
  Dialling: {
    dial: 'Dialling end startTimer dial',
    attend: 'Seeking accept',
    refuse: 'Ended refuse end stopTimer tell',
    hangUp: 'Ended refuse end stopTimer tell',
    progressed: 'Dialling ring',
    answered: 'Talking stopTimer connect accept startTimer tell',
    failed: 'Ended stopTimer refuse tell',
    acknowledged: '-',
    ended: 'Ended end stopTimer tell',
    held: '-',
    digit: '-',
    refer: 'Dialling referAnswered',
    take: 'Dialling referAnswered end',
    inherit: 'Dialling referAnswered end',
    bequeath: 'Ended disconnect refuse stopTimer tell',
    replace: 'Talking accept stopTimer end connect accept startTimer tell',
    give: '-',
    silent: '-',
    heard: '-',
    unanswered: '-',
    broken: 'Ended end stopTimer tell',
    timer: 'Ended stopTimer end refuse tell',
  },
  Attended: {
    dial: 'Seeking startTimer dial',
    attend: '-',
    refuse: 'Ended end stopTimer tell',
    hangUp: 'Ended end stopTimer tell',
    progressed: '-',
    answered: 'Attended end',
    failed: '-',
    acknowledged: 'Attended tell',
    ended: 'Ended stopTimer tell',
    held: '-',
    digit: '-',
    refer: 'Attended referAnswered',
    take: 'Attended referAnswered end',
    inherit: 'Attended referAnswered end',
    bequeath: '-',
    replace: 'Attended refuse',
    give: '-',
    silent: 'Ended end stopTimer tell',
    heard: '-',
    unanswered: '-',
    broken: 'Ended end stopTimer tell',
    timer: '-',
  },
  Seeking: {
    dial: 'Seeking end startTimer dial',
    attend: '-',
    refuse: 'Ended end stopTimer tell',
    hangUp: 'Ended end stopTimer tell',
    progressed: '-',
    answered: 'Talking stopTimer connect startTimer tell',
    failed: 'Attended stopTimer tell',
    acknowledged: 'Seeking tell',
    ended: 'Ended end stopTimer tell',
    held: '-',
    digit: '-',
    refer: 'Seeking referAnswered',
    take: 'Seeking referAnswered end',
    inherit: 'Seeking referAnswered end',
    bequeath: '-',
    replace: 'Talking accept stopTimer end connect startTimer tell',
    give: '-',
    silent: 'Ended end stopTimer tell',
    heard: '-',
    unanswered: '-',
    broken: 'Ended end stopTimer tell',
    timer: 'Attended stopTimer end tell',
  },
  Talking: {
    dial: 'Seeking end stopTimer startTimer dial',
    attend: '-',
    refuse: 'Ended end stopTimer tell',
    hangUp: 'Ended end stopTimer tell',
    progressed: '-',
    // The peer itself: it is answered already, a second answer of its name is one too many.
    answered: 'Talking end',
    failed: '-',
    acknowledged: 'Talking tell',
    ended: 'Ended end stopTimer tell',
    held: 'Talking direct',
    digit: 'Talking digit',
    refer: 'Talking referAnswered startTimer dial',
    take: 'Talking referAnswered direct connect referTold end tell',
    inherit: 'Talking referAnswered startTimer referTold',
    bequeath: '-',
    replace: 'Talking accept direct connect end tell',
    give: 'Ended end stopTimer tell',
    silent: 'Ended end stopTimer tell',
    heard: '-',
    unanswered: '-',
    broken: 'Ended end stopTimer tell',
    timer: '-',
  },
  Ended: {
    dial: '-',
    attend: '-',
    refuse: '-',
    hangUp: '-',
    progressed: '-',
    answered: 'Ended end',
    failed: '-',
    acknowledged: '-',
    ended: '-',
    held: '-',
    digit: '-',
    refer: 'Ended referAnswered',
    take: 'Ended referAnswered end',
    inherit: 'Ended referAnswered end',
    bequeath: '-',
    replace: 'Ended refuse',
    give: '-',
    silent: '-',
    heard: '-',
    unanswered: '-',
    broken: '-',
    timer: '-',
  },
};

/** Kinds of effects in their order, each run of one kind once. */
const kindsOf = (effects: readonly CallEffect[]): string[] =>
  effects.map(({ kind }) => kind).filter((kind, index, all) => kind !== all[index - 1]);

const PHASES = Object.keys(WALK) as CallPhase[];
const KINDS = Object.keys(INPUTS) as CallInput['kind'][];

describe('the machine of a call', () => {
  it('has a row for every input in every state', () => {
    for (const phase of PHASES) expect(Object.keys(table[phase]).sort()).toEqual([...KINDS].sort());
  });

  describe.each(PHASES)('in %s', (phase) => {
    it.each(KINDS)('takes %s', (kind) => {
      expect(STATES[phase].phase).toBe(phase);
      const done = step(STATES[phase], INPUTS[kind]);
      const walked =
        done.ignored === undefined ? [done.state.phase, ...kindsOf(done.effects)].join(' ') : '-';
      expect(walked).toBe(WALK[phase][kind]);
      if (done.ignored !== undefined) {
        expect(done.state).toBe(STATES[phase]);
        expect(done.ignored.length).toBeGreaterThan(10);
      }
    });
  });
});

describe('a callee that redirects', () => {
  const trunk = feed(initial('a'), { kind: 'dial', groups: [['one'], ['two']] });
  const dialled = ({ effects }: { effects: readonly CallEffect[] }): string[] =>
    effects.flatMap((effect) => (effect.kind === 'dial' ? [effect.leg] : []));

  it('is replaced by those it names, in their order, and then by who was next anyway', () => {
    const first = step(trunk, {
      kind: 'failed',
      leg: 'one',
      status: 302,
      text: 'said 302',
      another: false,
      elsewhere: [['x', 'y'], ['z']],
    });
    expect(dialled(first)).toEqual(['x', 'y']);
    const none = step(first.state, {
      kind: 'failed',
      leg: 'x',
      status: 404,
      text: 'said 404',
      another: false,
    });
    expect(dialled(none)).toEqual([]);
    const second = step(none.state, {
      kind: 'failed',
      leg: 'y',
      status: 486,
      text: 'said 486',
      another: false,
    });
    expect(dialled(second)).toEqual(['z']);
    const third = step(second.state, {
      kind: 'failed',
      leg: 'z',
      status: 503,
      text: 'said 503',
      another: true,
    });
    expect(dialled(third)).toEqual(['two']);
  });

  it('reports the best failure of those it named, not that it redirected', () => {
    const redirected = feed(
      trunk,
      {
        kind: 'failed',
        leg: 'one',
        status: 302,
        text: 'said 302',
        another: false,
        elsewhere: [['x'], ['z']],
      },
      { kind: 'failed', leg: 'x', status: 486, text: 'said 486', another: false },
    );
    const over = step(redirected, {
      kind: 'failed',
      leg: 'z',
      status: 404,
      text: 'said 404',
      another: false,
    });
    expect(over.effects).toContainEqual({ kind: 'refuse', leg: 'a', status: 486 });
  });

  it('reports the words of that failure, too; of an empty list those of the search', () => {
    const over = (...inputs: CallInput[]): EndReason | undefined => {
      const done = step(feed(placing(), ...inputs.slice(0, -1)), inputs.at(-1) ?? { kind: 'hangUp' });
      for (const effect of done.effects)
        if (effect.kind === 'tell' && effect.progress.kind === 'over') return effect.progress.reason;
      return undefined;
    };
    const both: CallInput = { kind: 'dial', groups: [['x', 'y']] };
    const busy = { kind: 'failed', leg: 'x', status: 486, text: 'In a meeting', another: false } as const;
    const away = { kind: 'failed', leg: 'y', status: 404, text: 'Gone home', another: false } as const;
    expect(over(both, busy, away)).toEqual({ protocol: 'SIP', cause: 486, text: 'In a meeting' });
    expect(over(both, away, busy)).toMatchObject({ cause: 486, text: 'In a meeting' });
    expect(over(both, away, { kind: 'timer', timer: 'ring' })).toMatchObject({
      cause: 404,
      text: 'Gone home',
    });
    const unreached = { status: 480, text: 'b is not registered' };
    expect(over({ kind: 'dial', groups: [[]], unreached })).toMatchObject({
      cause: 480,
      text: unreached.text,
    });
  });

  it('leaves the others of its group ringing', () => {
    const fork = feed(initial('a'), { kind: 'dial', groups: [['one', 'two']] });
    const redirected = feed(fork, {
      kind: 'failed',
      leg: 'one',
      status: 301,
      text: 'said 301',
      another: false,
      elsewhere: [['x']],
    });
    expect(redirected.ringing).toEqual(['two', 'x']);
  });
});

describe('a host that says 100 and no more', () => {
  const words = ({ effects }: { effects: readonly CallEffect[] }): string[] =>
    effects.map((effect) => {
      if (effect.kind === 'startTimer') return `${effect.timer} ${effect.ms}`;
      return 'leg' in effect ? `${effect.kind} ${effect.leg}` : effect.kind;
    });
  const two = step(initial('a'), { kind: 'dial', groups: [['one'], ['two']] });
  const ring = { kind: 'timer', timer: 'ring' } as const;

  it('is given 32 s while another is left, the last one its whole time', () => {
    expect(words(two)).toEqual(['ring 32000', 'dial one']);
    const next = step(two.state, ring);
    expect(words(next)).toEqual(['overdue one', 'ring 180000', 'dial two']);
    expect(words(step(next.state, ring))).toEqual(['stopTimer', 'end two', 'refuse a', 'tell']);
  });

  it('has its whole time once it rings, and is the last one then', () => {
    const rung = step(two.state, { kind: 'progressed', leg: 'one', status: 183, early: false });
    expect(words(rung)).toEqual(['ring a', 'ring 180000']);
    const again = step(rung.state, { kind: 'progressed', leg: 'one', status: 180, early: false });
    expect(words(again)).toEqual(['ring a']);
    expect(words(step(again.state, ring))).toEqual(['stopTimer', 'end one', 'refuse a', 'tell']);
  });

  it('is one of several that ring together: one of them that rings is enough', () => {
    const group = step(initial('a'), { kind: 'dial', groups: [['x', 'y'], ['z']] });
    const next = step(group.state, ring);
    expect(words(next)).toEqual(['overdue x', 'overdue y', 'ring 180000', 'dial z']);
    const rung = step(group.state, { kind: 'progressed', leg: 'y', status: 180, early: false });
    expect(words(step(rung.state, ring))).toContain('refuse a');
  });
});
