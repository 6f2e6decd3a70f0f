import { describe, expect, it } from 'vitest';
import {
  type Invitation,
  type InvitationInput,
  invitation,
  invite,
  openIncoming,
  referee,
  referrer,
  type Session,
  type SessionInput,
  session,
} from '#appliance/sip/dialog/index.ts';
import { exchange, offerAnswer } from '#appliance/sip/dialog/offer-answer.ts';
import { confirmed, request, response, settings } from './dialog-info.ts';
import { sdpOf } from './phone.ts';

const sdp = sdpOf('x');
const atMs = 10_000;
const ref = (method: string, id?: string) => ({ method, cseq: 1, ...(id === undefined ? {} : { id }) });

/** Inputs of every kind, with what they may carry. */
const INPUTS: readonly SessionInput[] = [
  { kind: 'progress', status: 180, atMs },
  { kind: 'progress', status: 183, sdp, atMs },
  { kind: 'accept', atMs },
  { kind: 'accept', sdp, atMs },
  { kind: 'refuse', status: 486, atMs },
  { kind: 'answer', sdp, atMs },
  { kind: 'decline', status: 488, atMs },
  { kind: 'change', change: { by: 'INVITE', offer: true }, atMs },
  { kind: 'change', change: { by: 'INVITE', offer: false }, atMs },
  { kind: 'change', change: { by: 'UPDATE', offer: true }, atMs },
  { kind: 'change', change: { by: 'UPDATE', offer: false }, atMs },
  { kind: 'offer', sdp, atMs },
  { kind: 'send', method: 'INFO', id: 'x', content: {}, atMs },
  { kind: 'end', atMs },
  { kind: 'ack', request: request({ method: 'ACK' }), atMs },
  { kind: 'ack', request: request({ method: 'ACK', cseq: 7, sdp }), atMs },
  { kind: 'cancelled', atMs },
  ...['INVITE', 'UPDATE', 'PRACK', 'BYE', 'INFO', 'REFER', 'NEW'].flatMap((method): SessionInput[] => [
    { kind: 'request', request: request({ method, cseq: 9 }), server: 5, atMs },
    {
      kind: 'request',
      request: { ...request({ method, cseq: 9 }), rack: { rseq: 1, cseq: 1, method } },
      server: 5,
      atMs,
    },
    { kind: 'request', request: request({ method, cseq: 0 }), server: 5, atMs },
  ]),
  ...['INVITE', 'UPDATE', 'PRACK', 'BYE', 'INFO'].flatMap((method) =>
    [100, 183, 200, 302, 408, 422, 481, 491, 500].flatMap((status): SessionInput[] => [
      {
        kind: 'response',
        ref: ref(method, method === 'INFO' ? 'x' : undefined),
        response: response({ status, method, minSe: 200 }),
        atMs,
      },
      {
        kind: 'response',
        ref: ref(method),
        response: response({ status, method, sdp, require: ['100rel'], rseq: 3 }),
        atMs,
      },
    ]),
  ),
  ...['INVITE', 'UPDATE', 'PRACK', 'BYE', 'INFO'].flatMap((method): SessionInput[] => [
    { kind: 'failed', ref: ref(method), atMs },
    { kind: 'failed', ref: ref(method, method === 'INFO' ? 'x' : undefined), cause: 'transport', atMs },
    {
      kind: 'again',
      ref: ref(method),
      outgoing: { method, uri: 'sip:b@b.example', headers: [['CSeq', `1 ${method}`]] },
      credentials: [['Authorization', 'Digest x']],
      atMs,
    },
  ]),
  ...(['1xx', '2xx', 'retry', 'refresh', 'expiry'] as const).map(
    (timer): SessionInput => ({ kind: 'timer', timer, atMs }),
  ),
];

/** States that matter, reached by their usual ways. */
function states(): Map<string, Session> {
  const opened = openIncoming(request(), 0, 'a-tag', settings);
  if ('refusal' in opened) throw new Error('refused');
  const empty = openIncoming({ ...request(), sdp: undefined } as never, 0, 'a-tag', settings);
  if ('refusal' in empty) throw new Error('refused');
  const on = (state: Session, ...inputs: readonly SessionInput[]): Session =>
    inputs.reduce((now, input) => session.step(now, input).state, state);
  const early = (late: boolean): Session => {
    const begun = invite(
      {
        target: 'sip:b@b.example',
        localAddress: '<sip:a@a.example>',
        remoteAddress: '<sip:b@b.example>',
        localTag: 'a-tag',
        callId: 'a-call',
        cseq: 1,
        ...(late ? {} : { sdp }),
      },
      settings,
    );
    const rung = invitation.step(begun.state, {
      kind: 'response',
      response: response({ status: 180 }),
      atMs: 0,
    });
    const leg = rung.state.legs.get('b1');
    if (leg === undefined) throw new Error('no leg');
    return leg;
  };
  const up = confirmed();
  const reliable: SessionInput = { kind: 'progress', status: 183, sdp, atMs: 0 };
  const calledUp = on(early(false), {
    kind: 'response',
    ref: ref('INVITE'),
    response: response({ sdp }),
    atMs: 0,
  });
  const change = (by: 'INVITE' | 'UPDATE'): SessionInput => ({
    kind: 'change',
    change: { by, offer: true },
    atMs: 0,
  });
  const reinvite: SessionInput = { kind: 'request', request: request({ cseq: 2 }), server: 1, atMs: 0 };
  const update: SessionInput = {
    kind: 'request',
    request: request({ cseq: 2, method: 'UPDATE' }),
    server: 1,
    atMs: 0,
  };
  return new Map([
    ['called', opened.state],
    ['called without an offer', empty.state],
    ['called, reliable 183 sent', on(opened.state, reliable)],
    ['called, 2xx waits for PRACK', on(opened.state, reliable, { kind: 'accept', atMs: 0 })],
    ['calling', early(false)],
    ['calling without an offer', early(true)],
    [
      'calling, offered in 183',
      on(early(true), {
        kind: 'response',
        ref: ref('INVITE'),
        response: response({ status: 183, sdp, require: ['100rel'], rseq: 1 }),
        atMs: 0,
      }),
    ],
    ['answered, no ACK yet', on(opened.state, { kind: 'accept', sdp, atMs: 0 })],
    ['offered in our 2xx', on(empty.state, { kind: 'accept', sdp, atMs: 0 })],
    ['BYE waits for the ACK', on(opened.state, { kind: 'accept', sdp, atMs: 0 }, { kind: 'end', atMs: 0 })],
    [
      'offered in their 2xx',
      on(early(true), { kind: 'response', ref: ref('INVITE'), response: response({ sdp }), atMs: 0 }),
    ],
    ['confirmed', up],
    ['confirmed, caller', calledUp],
    ['composing', on(up, change('INVITE'))],
    ['re-INVITE sent', on(up, change('INVITE'), { kind: 'offer', sdp, atMs: 0 })],
    ['UPDATE sent', on(up, change('UPDATE'), { kind: 'offer', sdp, atMs: 0 })],
    ['re-INVITE came', on(up, reinvite)],
    ['UPDATE came', on(up, update)],
    [
      'glare',
      on(
        up,
        change('UPDATE'),
        { kind: 'offer', sdp, atMs: 0 },
        {
          kind: 'response',
          ref: ref('UPDATE'),
          response: response({ status: 491, method: 'UPDATE' }),
          atMs: 0,
        },
      ),
    ],
    ['ending', on(up, { kind: 'end', atMs: 0 })],
    [
      'ended',
      on(
        up,
        { kind: 'end', atMs: 0 },
        { kind: 'response', ref: ref('BYE'), response: response({ method: 'BYE' }), atMs: 0 },
      ),
    ],
  ]);
}

describe('a session', () => {
  const all = states();
  it('is in the phase its story says', () => {
    expect([...all].map(([name, { phase }]) => `${name}: ${phase}`)).toMatchInlineSnapshot(`
      [
        "called: EarlyIn",
        "called without an offer: EarlyIn",
        "called, reliable 183 sent: EarlyIn",
        "called, 2xx waits for PRACK: EarlyIn",
        "calling: EarlyOut",
        "calling without an offer: EarlyOut",
        "calling, offered in 183: EarlyOut",
        "answered, no ACK yet: Confirmed",
        "offered in our 2xx: Confirmed",
        "BYE waits for the ACK: Confirmed",
        "offered in their 2xx: Confirmed",
        "confirmed: Confirmed",
        "confirmed, caller: Confirmed",
        "composing: Confirmed",
        "re-INVITE sent: Confirmed",
        "UPDATE sent: Confirmed",
        "re-INVITE came: Confirmed",
        "UPDATE came: Confirmed",
        "glare: Confirmed",
        "ending: Ending",
        "ended: Ended",
      ]
    `);
  });

  it.each([...all])('%s: every input is handled, by an effect, a change or a reason', (_, state) => {
    const frozen = JSON.stringify(state);
    for (const input of INPUTS) {
      const done = session.step(state, input);
      const word = JSON.stringify(input);
      if (done.ignored !== undefined) {
        expect(done.ignored.length, word).toBeGreaterThan(10);
        expect(done, word).toMatchObject({ state, effects: [] });
      } else expect(done.effects.length > 0 || done.state !== state, word).toBe(true);
      expect(JSON.stringify(state), word).toBe(frozen);
    }
  });

  it.each([...all])('%s: a request is answered once, now or by whoever it was handed to', (_, state) => {
    for (const input of INPUTS) {
      if (input.kind !== 'request') continue;
      const { effects, state: after } = session.step(state, input);
      const answered = effects.filter((effect) => effect.kind === 'respond' && effect.server === 5).length;
      const handed = effects.filter((effect) => effect.kind === 'delivered').length;
      const held = [after.pendingInvite, after.pendingOffer].filter(
        (pending) => pending?.server === 5,
      ).length;
      expect(answered + handed + held, JSON.stringify(input)).toBe(1);
    }
  });

  it.each([...all])(
    '%s: any two inputs in a row leave nothing open behind the end, and no offer without its carrier',
    (_, state) => {
      for (const first of INPUTS)
        for (const second of INPUTS) {
          const two = session.step(session.step(state, first).state, second).state;
          if (two.phase === 'Ended' || two.phase === 'Ending')
            expect([two.pendingInvite, two.pendingOffer, two.unacknowledged]).toEqual([
              undefined,
              undefined,
              undefined,
            ]);
          if (two.updating !== undefined && two.exchange.state === 'OfferSent')
            expect(two.exchange.by).toBe('UPDATE');
        }
    },
  );
});

describe('an invitation', () => {
  it('handles every input in every phase', () => {
    const plan = {
      target: 'sip:b@b.example',
      localAddress: '<sip:a@a.example>',
      remoteAddress: '<sip:b@b.example>',
      localTag: 'a-tag',
      callId: 'a-call',
      cseq: 1,
      sdp,
    };
    const inputs: readonly InvitationInput[] = [
      ...[100, 180, 200, 302, 422, 487].map(
        (status): InvitationInput => ({
          kind: 'response',
          response: response({ status, minSe: 300 }),
          atMs,
        }),
      ),
      { kind: 'response', response: response({ status: 180, toTag: '' }), atMs },
      { kind: 'response', response: response({ cseq: 99 }), atMs },
      { kind: 'failed', cause: 'timeout', atMs },
      { kind: 'failed', cause: 'transport', atMs },
      { kind: 'cancel', atMs },
      { kind: 'leg', tag: 'b1', input: { kind: 'end', atMs }, atMs },
      { kind: 'leg', tag: 'nobody', input: { kind: 'end', atMs }, atMs },
      { kind: 'forksOver', atMs },
    ];
    const seen = new Map<string, Invitation>();
    const walk = (state: Invitation, depth: number): void => {
      seen.set(state.phase, state);
      if (depth === 0) return;
      for (const input of inputs) {
        const done = invitation.step(state, input);
        if (done.ignored !== undefined) expect(done.ignored.length).toBeGreaterThan(10);
        walk(done.state, depth - 1);
      }
    };
    walk(invite(plan, settings).state, 4);
    expect([...seen.keys()].sort()).toEqual(Object.keys(invitation.table).sort());
  });
});

describe('offers and answers', () => {
  it('follow the figure', () => {
    const rows = Object.entries(offerAnswer.table).flatMap(([state, row]) =>
      Object.entries(row)
        .filter(([, next]) => next !== 'conflict' && next !== state)
        .map(([input, next]) => `${state}, ${input} -> ${next}`),
    );
    expect(rows).toEqual([
      'Stable, send offer -> OfferSent',
      'Stable, receive offer -> OfferReceived',
      'OfferSent, receive answer -> Stable',
      'OfferSent, fail -> Stable',
      'OfferReceived, send answer -> Stable',
      'OfferReceived, fail -> Stable',
    ]);
    expect(exchange({ state: 'OfferSent', by: 'UPDATE' }, 'receive offer', 'INVITE')).toBeUndefined();
  });
});

describe('a transfer', () => {
  it('handles every input in every state, on both sides', () => {
    for (const [state, row] of [...Object.entries(referee.table), ...Object.entries(referrer.table)])
      for (const go of Object.values(row) as ((input: unknown) => {
        state: string;
        ignored?: string;
        effects: unknown[];
      })[]) {
        const done = go({ status: 200, over: true });
        if (done.ignored !== undefined) expect([done.state, done.effects]).toEqual([state, []]);
        else expect(done.effects.length > 0 || done.state !== state).toBe(true);
      }
  });
});
