import { describe, expect, it } from 'vitest';
import { BS8521_PROFILE } from '#appliance/alarm/protocol/bs8521/index.ts';
import { ToneAttempt } from '#appliance/alarm/sending/attempt/tone-attempt.ts';
import { decodeBs8521 } from '#shared/alarm-event/index.ts';
import { attemptRoom, CLEARED, planOf, sip } from './attempt-room.ts';

const formOf = (digits: string) => {
  const read = decodeBs8521(digits);
  if (!read.ok) throw new Error(read.error.reason);
  return { kind: 'bs8521', fields: read.value };
};
/** A unit of its own, a unit of a group scheme, and another unit of that scheme. */
const ALONE = '010012345678000001001000';
const SCHEME = '110012345678001301000000';
const OTHER = '110012345678004301000000';

/** The media engine does it. */
const taken = async () => ({ ok: true });

function room(digits: string) {
  const base = attemptRoom();
  let plays = 0;
  const attempt = new ToneAttempt(planOf({ form: formOf(digits) }), base.user, {
    media: {
      play: async () => {
        plays++;
        base.done.push('play');
        return { ok: true };
      },
      stop: taken,
      listen: taken,
    },
    run: () => undefined,
    turn: base.turn,
    place: base.place,
    start: (timer: string) => void base.done.push(`start ${timer}`),
    // Every end stops every timer: that is said once below.
    stop: () => undefined,
    profiles: { bs8521: () => BS8521_PROFILE },
    kind: 'ours',
  } as never);
  attempt.begin();
  const detected = (event: object) => base.line().mediaEvent({ leg: 'leg', ...event } as never);
  return {
    ...base,
    attempt,
    digit: (digit: string, durationMs: number) =>
      detected({ kind: 'digit', edge: 'end', digit, durationMs, source: 'inband' }),
    played: () => detected({ kind: 'played', play: `call ${plays}` }),
  };
}
type Room = ReturnType<typeof room>;

const INPUTS: Readonly<Record<string, (at: Room) => unknown>> = {
  answered: (at) => at.line().answered(),
  asked: (at) => at.digit('B', 500),
  acknowledged: (at) => at.digit('B', 80),
  'played to the end': (at) => at.played(),
  busy: (at) => at.line().over(sip(486), false),
  lost: (at) => at.line().over(sip(408), true),
  'hung up by the centre': (at) => {
    at.call.hasHungUp = true;
    at.line().over(CLEARED, true);
  },
  'timer answer': (at) => at.attempt.timer('answer'),
  'timer loss': (at) => at.attempt.timer('loss'),
  joined: (at) => {
    if (!at.attempt.add(planOf({ form: formOf(OTHER) }, 'o'))) at.done.push('refused');
  },
  abandoned: (at) => at.attempt.abandon(),
};

const NOT_REPORTED = 'failed s noAnswer alternate';
const QUEUE = {
  lost: `${NOT_REPORTED}, done`,
  'hung up by the centre': `${NOT_REPORTED}, done`,
  'timer answer': 'nothing',
  'timer loss': NOT_REPORTED,
  abandoned: 'hang up, done',
};
const OVER = Object.fromEntries([
  ...Object.keys(INPUTS).map((name) => [name, 'nothing']),
  ['joined', 'refused'],
]) as Readonly<Record<string, string>>;

interface State {
  readonly digits?: string;
  readonly after: readonly string[];
  readonly does: Readonly<Record<string, string>>;
}

/** The effects of each input in each state of the call; `after`: the inputs that lead to the state. */
const TABLE: Readonly<Record<string, State>> = {
  ringing: {
    after: [],
    does: {
      answered: 'way answers, start answer, play, start enquiry',
      busy: 'way is silent, failed s busy alternate',
      'timer answer': 'nothing',
      joined: 'nothing',
      abandoned: 'hang up, done',
    },
  },
  'answered, the centre has not asked': {
    after: ['answered'],
    does: {
      asked: 'play, start answer',
      acknowledged: 'nothing',
      'played to the end': 'nothing',
      lost: `${NOT_REPORTED}, done`,
      'hung up by the centre': `${NOT_REPORTED}, done`,
      'timer answer': NOT_REPORTED,
      abandoned: 'hang up, done',
    },
  },
  'the string is out': {
    after: ['answered', 'asked'],
    does: {
      asked: 'play, start answer',
      acknowledged: 'queued s, start loss',
      lost: `${NOT_REPORTED}, done`,
      'timer answer': 'play, start answer',
      abandoned: 'hang up, done',
    },
  },
  'queued at the centre': {
    after: ['answered', 'asked', 'acknowledged'],
    does: { ...QUEUE, asked: 'nothing', acknowledged: 'start loss', joined: 'queued o' },
  },
  'two are queued': {
    after: ['answered', 'asked', 'acknowledged', 'joined'],
    does: {
      lost: `${NOT_REPORTED}, failed o noAnswer alternate, done`,
      'hung up by the centre': `${NOT_REPORTED}, failed o noAnswer alternate, done`,
      'timer loss': `${NOT_REPORTED}, failed o noAnswer alternate`,
      abandoned: 'hang up, failed o noAnswer alternate, done',
    },
  },
  'two ring': {
    after: ['joined'],
    does: { busy: 'way is silent, failed s busy alternate, failed o busy alternate' },
  },
  'given up while a tone plays': {
    after: ['answered', 'timer answer'],
    does: { 'played to the end': 'hang up', lost: 'done', joined: 'refused', abandoned: 'hang up, done' },
  },
  'the string of a unit by itself is out': {
    digits: ALONE,
    after: ['answered', 'asked'],
    does: { acknowledged: `acknowledged s A${ALONE}00#, speech s line, start loss` },
  },
  speaking: {
    digits: ALONE,
    after: ['answered', 'asked', 'acknowledged'],
    does: {
      lost: 'line over s, done',
      'hung up by the centre': 'line over s, the centre has hung up, done',
      abandoned: 'hang up, done',
    },
  },
  busy: { after: ['busy'], does: OVER },
  abandoned: { after: ['abandoned'], does: OVER },
  'hung up': { after: ['answered', 'hung up by the centre'], does: OVER },
};

describe('a call that carries an alarm in tones', () => {
  it.each(
    Object.entries(TABLE).flatMap(([state, { digits = SCHEME, after, does }]) =>
      Object.entries(does).map(([input, effects]) => ({ state, digits, after, input, effects })),
    ),
  )('$state, $input: $effects', ({ digits, after, input, effects }) => {
    const at = room(digits);
    for (const before of after) INPUTS[before]?.(at);
    expect(at.effects(() => INPUTS[input]?.(at))).toBe(effects);
  });

  it('leaves no timer behind, however it ends', () => {
    for (const end of ['busy', 'lost', 'hung up by the centre', 'abandoned']) {
      const base = attemptRoom();
      const running = new Set<string>();
      const attempt = new ToneAttempt(planOf({ form: formOf(ALONE) }), base.user, {
        media: { play: taken, stop: taken, listen: taken },
        run: () => undefined,
        turn: base.turn,
        place: base.place,
        start: (timer: string) => void running.add(timer),
        stop: (timer: string) => void running.delete(timer),
        profiles: { bs8521: () => BS8521_PROFILE },
        kind: 'ours',
      } as never);
      attempt.begin();
      base.line().answered();
      expect(running.size).toBeGreaterThan(0);
      INPUTS[end]?.({ ...base, attempt } as Room);
      expect([...running]).toEqual([]);
    }
  });
});
