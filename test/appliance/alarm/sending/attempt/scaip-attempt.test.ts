import { describe, expect, it } from 'vitest';
import {
  SCAIP_PROFILE,
  type ScaipRequestForm,
  type ScaipResponse,
  SNU,
} from '#appliance/alarm/protocol/scaip/index.ts';
import type { LineOutcome } from '#appliance/alarm/sending/attempt/message-line.ts';
import { ScaipAttempt, type ScaipAttemptPorts } from '#appliance/alarm/sending/attempt/scaip-attempt.ts';
import { attemptRoom, planOf } from './attempt-room.ts';

const FORM = { ref: 'abcd', xml: '<mrq><ref>abcd</ref></mrq>' } as unknown as ScaipRequestForm;

function room(fields: { readonly deflateAboveBytes?: number | null; readonly login?: object } = {}) {
  const base = attemptRoom();
  let outcome: (reported: LineOutcome) => void = () => undefined;
  const { deflateAboveBytes = null } = fields;
  const ports = {
    line: {
      newAttempt: () => ({ callId: 'call-id' }),
      send: (message: { body: { isDeflated?: boolean }; isRepeat: boolean }, reported: typeof outcome) => {
        const { body, isRepeat } = message;
        base.done.push(
          ['send', ...(body.isDeflated ? ['deflated'] : []), ...(isRepeat ? ['again'] : [])].join(' '),
        );
        outcome = reported;
      },
    },
    now: () => 0,
    turn: base.turn,
    start: (ms: number) => void base.done.push(`start ${ms}`),
    stop: () => void base.done.push('stop'),
    deflate: (bytes: Uint8Array) => bytes,
    profile: { ...SCAIP_PROFILE, sender: { ...SCAIP_PROFILE.sender, deflateAboveBytes } },
  } as unknown as ScaipAttemptPorts;
  const address = { destination: 'sip:arc@example.com', login: fields.login };
  const attempt = new ScaipAttempt(planOf({ address }), FORM, base.user, ports);
  return {
    ...base,
    attempt,
    sip: (status: number, body = '') =>
      outcome({ kind: 'answered', response: { status, reason: 'Said', body: Buffer.from(body) } } as never),
    unreachable: () => outcome({ kind: 'unreachable', reason: 'no route' } as LineOutcome),
  };
}
type Room = ReturnType<typeof room>;
const answer = (snu: number, more: object = {}): ScaipResponse =>
  ({ ref: 'abcd', snu, ...more }) as unknown as ScaipResponse;

const INPUTS: Readonly<Record<string, (at: Room) => void>> = {
  'sip 200': (at) => at.sip(200),
  'sip 404': (at) => at.sip(404),
  'sip 503': (at) => at.sip(503),
  unreachable: (at) => at.unreachable(),
  taken: (at) => at.attempt.answered(answer(0)),
  refused: (at) => at.attempt.answered(answer(2)),
  timer: (at) => at.attempt.timer(),
  abandoned: (at) => at.attempt.abandon(),
};

const TAKEN = 'stop, way answers, acknowledged s <mrq><ref>abcd</ref></mrq>, speech s none';
const SENT = {
  'sip 200': 'way answers, start 10000',
  'sip 404': 'way answers, stop, way is silent, failed s noRoute alternate',
  'sip 503': 'way answers, stop, failed s busy alternate',
  unreachable: 'stop, way is silent, failed s noRoute alternate',
  taken: TAKEN,
  refused: 'stop, failed s protocolError once',
  timer: 'send again, start 5000',
  abandoned: 'stop',
};
const SETTLED = {
  'sip 200': 'way answers',
  'sip 404': 'way answers',
  unreachable: 'nothing',
  taken: 'nothing',
  refused: 'nothing',
  timer: 'nothing',
  abandoned: 'stop',
};
/** The effects of each input in each state; `after`: the inputs that lead to the state. */
const TABLE: Readonly<
  Record<string, { readonly after: readonly string[]; readonly does: Readonly<Record<string, string>> }>
> = {
  sent: { after: [], does: SENT },
  'waiting for the answer': { after: ['sip 200'], does: SENT },
  taken: { after: ['taken'], does: SETTLED },
  refused: { after: ['refused'], does: SETTLED },
  abandoned: {
    after: ['abandoned'],
    does: {
      'sip 200': 'nothing',
      'sip 404': 'nothing',
      unreachable: 'nothing',
      taken: 'nothing',
      refused: 'nothing',
      timer: 'nothing',
    },
  },
};

describe('a SCAIP request that is being sent', () => {
  it.each(
    Object.entries(TABLE).flatMap(([state, { after, does }]) =>
      Object.entries(does).map(([input, effects]) => ({ state, after, input, effects })),
    ),
  )('$state, $input: $effects', ({ after, input, effects }) => {
    const at = room();
    expect(at.effects(() => at.attempt.begin())).toBe('send, start 5000');
    for (const before of after) INPUTS[before]?.(at);
    expect(at.effects(() => INPUTS[input]?.(at))).toBe(effects);
  });
});

describe('a request that went out deflated', () => {
  const deflated = (): Room => {
    const at = room({ deflateAboveBytes: 10 });
    expect(at.effects(() => at.attempt.begin())).toContain('send deflated');
    return at;
  };
  const unread = (at: Room) => at.attempt.answered(answer(SNU.invalidFormat));

  it.each([
    ['415', (at: Room) => at.sip(415), 'way answers, send'],
    ['an answer that finds no XML in it', unread, 'send'],
  ])('is sent as it is after %s, once', (_, said, effects) => {
    const at = deflated();
    expect(at.effects(() => said(at))).toBe(effects);
    expect(at.effects(() => said(at))).toContain('failed s');
  });

  it('is sent as it is when nothing answers, and deflated no more', () => {
    const at = deflated();
    expect(at.effects(() => at.attempt.timer())).toContain('send, start');
  });

  it('is not sent again once it was abandoned', () => {
    for (const said of [(at: Room) => at.sip(415), unread]) {
      const at = deflated();
      at.attempt.abandon();
      expect(at.effects(() => said(at))).toBe('nothing');
    }
  });
});
