import { describe, expect, it } from 'vitest';
import {
  decodeAtm,
  encodeAtm,
  NOWIP_PROFILE,
  type NowIpForm,
} from '#appliance/alarm/protocol/nowip/index.ts';
import type { LineOutcome } from '#appliance/alarm/sending/attempt/message-line.ts';
import { NowIpAttempt, type NowIpAttemptPorts } from '#appliance/alarm/sending/attempt/nowip-attempt.ts';
import { attemptRoom, CLEARED, planOf, sip } from './attempt-room.ts';

const ALONE: NowIpForm = { type: '1', data: '010012345678000001001000' };
const SCHEME: NowIpForm = { type: '1', data: '110012345678004201907900' };
const OTHER: NowIpForm = { type: '1', data: '110012345678004301000000' };

const planFor = (form: NowIpForm, audio: string, id?: string) =>
  planOf(
    {
      form: { kind: 'nowip', form },
      order: { event: { audio }, voice: { tones: {} } },
      target: { protocol: 'nowip', headers: [] },
    },
    id,
  );

function room(form: NowIpForm, audio = 'duplex') {
  const base = attemptRoom();
  let outcome: (reported: LineOutcome) => void = () => undefined;
  const ports = {
    line: {
      newAttempt: () => ({ callId: 'message' }),
      send: ({ body }: { readonly body: { readonly bytes: Uint8Array } }, reported: typeof outcome) => {
        const atm = decodeAtm(Buffer.from(body.bytes).toString());
        base.done.push(`send ${atm.ok ? atm.value.type : atm.error.reason}`);
        outcome = reported;
      },
    },
    now: () => 0,
    wallMs: () => 0,
    turn: base.turn,
    place: base.place,
    start: () => void base.done.push('start'),
    stop: () => undefined,
    onFlow: () => undefined,
    profile: NOWIP_PROFILE,
    idle: undefined,
  } as unknown as NowIpAttemptPorts;
  const attempt = new NowIpAttempt(planFor(form, audio), form, base.user, ports);
  return {
    ...base,
    attempt,
    says: (type: string, data = '') => {
      const atm = decodeAtm(encodeAtm({ version: '2', type, data, time: 't', mac: 'm' }));
      if (atm.ok) attempt.onMessage(atm.value);
    },
    sip: (status: number) =>
      outcome({ kind: 'answered', response: { status, reason: 'Said' } } as unknown as LineOutcome),
    unreachable: () => outcome({ kind: 'unreachable', reason: 'no route' } as LineOutcome),
  };
}
type Room = ReturnType<typeof room>;

const INPUTS: Readonly<Record<string, (at: Room) => unknown>> = {
  'sip 200': (at) => at.sip(200),
  'sip 403': (at) => at.sip(403),
  'sip 500': (at) => at.sip(500),
  unreachable: (at) => at.unreachable(),
  acknowledged: (at) => at.says('A'),
  closed: (at) => at.says('2', '9'),
  'call answered': (at) => at.line().answered(),
  'call busy': (at) => at.line().over(sip(486), false),
  'call lost': (at) => at.line().over(sip(408), true),
  'hung up by the centre': (at) => {
    at.call.hasHungUp = true;
    at.line().over(CLEARED, true);
  },
  timer: (at) => at.attempt.timer(),
  joined: (at) => {
    if (!at.attempt.add(planFor(OTHER, 'duplex', 'o'))) at.done.push('refused');
  },
  abandoned: (at) => at.attempt.abandon(),
};

const TAKEN = `way answers, acknowledged s ${ALONE.data}`;
const SENT = {
  'sip 200': 'nothing',
  'sip 403': 'failed s authFailed alternate, hang up',
  'sip 500': 'failed s rejected alternate, hang up',
  unreachable: 'way is silent, failed s noRoute alternate, hang up',
  timer: 'send 1, start',
  joined: 'refused',
  abandoned: 'hang up, done',
};
const WITHOUT_CALL = {
  'sip 200': 'nothing',
  'sip 403': 'failed s authFailed alternate, done',
  unreachable: 'way is silent, failed s noRoute alternate, done',
  acknowledged: `${TAKEN}, speech s none, done`,
  timer: 'send 1, start',
  joined: 'refused',
  abandoned: 'done',
};
const SETTLED = {
  'sip 200': 'nothing',
  'sip 403': 'nothing',
  unreachable: 'nothing',
  acknowledged: 'way answers',
  closed: 'way answers, send 7, start',
  timer: 'hang up',
  joined: 'refused',
  abandoned: 'hang up, done',
};
const LOST = 'way is silent, failed s noAnswer alternate, done';
const OVER = Object.fromEntries([
  ...Object.keys(INPUTS).map((name) => [name, 'nothing']),
  ['joined', 'refused'],
]) as Readonly<Record<string, string>>;

interface State {
  readonly form?: NowIpForm;
  readonly audio?: string;
  readonly after: readonly string[];
  readonly does: Readonly<Record<string, string>>;
}

/** The effects of each input in each state of message and call; `after`: the inputs that lead to the state. */
const TABLE: Readonly<Record<string, State>> = {
  'sent, the call rings': {
    after: [],
    does: { ...SENT, acknowledged: TAKEN, 'call answered': 'nothing', 'call busy': 'nothing' },
  },
  'sent, the call is up': {
    after: ['call answered'],
    does: {
      ...SENT,
      acknowledged: `${TAKEN}, speech s line`,
      'call lost': LOST,
      'hung up by the centre': LOST,
    },
  },
  'sent, the call came to nothing': { after: ['call busy'], does: WITHOUT_CALL },
  'sent without speech': { audio: 'none', after: [], does: WITHOUT_CALL },
  'taken, the call rings': {
    after: ['acknowledged'],
    does: { ...SETTLED, 'call answered': 'speech s line', 'call busy': 'speech s none, done' },
  },
  speaking: {
    after: ['acknowledged', 'call answered'],
    does: {
      ...SETTLED,
      'call lost': 'line over s, done',
      'hung up by the centre': 'line over s, the centre has hung up, done',
    },
  },
  'queued at the centre': {
    form: SCHEME,
    after: ['acknowledged', 'call answered'],
    does: {
      'sip 403': 'nothing',
      'call lost': LOST,
      'hung up by the centre': LOST,
      timer: 'way is silent, failed s noAnswer alternate, hang up',
      joined: 'queued o',
      abandoned: 'hang up, done',
    },
  },
  'two are queued': {
    form: SCHEME,
    after: ['acknowledged', 'call answered', 'joined'],
    does: { abandoned: 'hang up, failed o noAnswer alternate, done' },
  },
  abandoned: { after: ['abandoned'], does: OVER },
  'over with its call': { after: ['call answered', 'call lost'], does: OVER },
};

describe('a NOW-IP message with its call', () => {
  it.each(
    Object.entries(TABLE).flatMap(([state, { after, does, form = ALONE, audio = 'duplex' }]) =>
      Object.entries(does).map(([input, effects]) => ({ state, form, audio, after, input, effects })),
    ),
  )('$state, $input: $effects', ({ form, audio, after, input, effects }) => {
    const at = room(form, audio);
    expect(at.effects(() => at.attempt.begin())).toBe(
      audio === 'none' ? 'send 1, start' : 'place, send 1, start',
    );
    for (const before of after) INPUTS[before]?.(at);
    expect(at.effects(() => INPUTS[input]?.(at))).toBe(effects);
  });
});
