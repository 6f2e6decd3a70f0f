import { describe, expect, it } from 'vitest';
import { VoiceAttempt } from '#appliance/alarm/sending/attempt/voice-attempt.ts';
import { type AttemptRoom, attemptRoom, CLEARED, planOf, sip } from './attempt-room.ts';

type Step = (room: AttemptRoom, attempt: VoiceAttempt) => void;

const INPUTS: Readonly<Record<string, Step>> = {
  answered: ({ line }) => line().answered(),
  busy: ({ line }) => line().over(sip(486, 'Busy Here'), false),
  lost: ({ line }) => line().over(sip(408, 'RTP media timeout'), true),
  'hung up by the centre': ({ line, call }) => {
    call.hasHungUp = true;
    line().over(CLEARED, true);
  },
  abandoned: (_, attempt) => attempt.abandon(),
};

const ABANDONED = 'hang up';
/** The effects of each input in each state: a receiver that answers has the alarm, one that does not is silent or busy. */
const TABLE: Readonly<
  Record<string, { readonly after: readonly string[]; readonly does: Readonly<Record<string, string>> }>
> = {
  ringing: {
    after: [],
    does: {
      answered: 'way answers, acknowledged s sip:arc@example.com, speech s line',
      busy: 'way is silent, failed s busy alternate, done',
      lost: 'line over s, done',
      'hung up by the centre': 'line over s, the centre has hung up, done',
      abandoned: ABANDONED,
    },
  },
  speaking: {
    after: ['answered'],
    does: {
      lost: 'line over s, done',
      'hung up by the centre': 'line over s, the centre has hung up, done',
      abandoned: ABANDONED,
    },
  },
  over: {
    after: ['busy'],
    does: { answered: 'nothing', busy: 'nothing', lost: 'nothing', 'hung up by the centre': 'nothing' },
  },
  abandoned: {
    after: ['abandoned'],
    does: { answered: 'nothing', busy: 'nothing', lost: 'nothing', 'hung up by the centre': 'nothing' },
  },
};

describe('a voice call that speaks the alarm by itself', () => {
  it.each(
    Object.entries(TABLE).flatMap(([state, { after, does }]) =>
      Object.entries(does).map(([input, effects]) => ({ state, after, input, effects })),
    ),
  )('$state, $input: $effects', ({ after, input, effects }) => {
    const room = attemptRoom();
    const attempt = new VoiceAttempt(planOf(), room.user, room);
    expect(room.effects(() => attempt.begin())).toBe('place');
    for (const before of after) INPUTS[before]?.(room, attempt);
    expect(room.effects(() => INPUTS[input]?.(room, attempt))).toBe(effects);
  });
});
