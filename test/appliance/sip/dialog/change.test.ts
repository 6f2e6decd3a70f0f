import { describe, expect, it } from 'vitest';
import { openIncoming, type Session, type SessionInput, session } from '#appliance/sip/dialog/index.ts';
import { confirmed, request, response, settings } from './dialog-info.ts';
import { sdpOf, textOf } from './phone.ts';

const sdp = sdpOf('x');

/** Goes through the inputs; answers the last state and the kinds of the last effects. */
function reported(state: Session, ...inputs: readonly Record<string, unknown>[]) {
  let now = state;
  let kinds: string[] = [];
  for (const input of inputs) {
    const done = session.step(now, { atMs: 0, ...input } as SessionInput);
    now = done.state;
    kinds = done.effects.map((effect) => (effect.kind === 'request' ? effect.outgoing.method : effect.kind));
  }
  return { state: now, kinds };
}

const reply = (method: string, cseq: number, status: number, parts = {}) => ({
  kind: 'response',
  ref: { method, cseq },
  response: response({ method, cseq, status, ...parts }),
});

describe('a change', () => {
  it('by an UPDATE the peer does not know after all is made by re-INVITE, from then on', () => {
    const change = { kind: 'change', change: { by: 'UPDATE', offer: false } };
    const asked = reported(confirmed(), change);
    expect(asked.kinds).toEqual(['UPDATE']);
    const refused = reported(asked.state, reply('UPDATE', 1, 405));
    expect(refused.kinds).toEqual(['compose']);
    expect(reported(refused.state, { kind: 'offer', sdp }).kinds).toEqual(['INVITE']);
    expect(refused.state.peerAllows).not.toContain('UPDATE');
  });

  it('leaves nothing open when its offer of the peer came in a reliable 1xx and was then refused', () => {
    const { state, kinds } = reported(
      confirmed(),
      { kind: 'change', change: { by: 'INVITE', offer: false } },
      reply('INVITE', 1, 183, { sdp, require: ['100rel'], rseq: 1 }),
      reply('INVITE', 1, 488),
    );
    expect(kinds).toEqual(['unchanged']);
    expect([state.exchange.state, state.prackDue, state.inviting]).toEqual(['Stable', undefined, undefined]);
  });

  it('too brief for the peer is made again with the interval it asks for, and not a second time', () => {
    const asked = reported(confirmed(), { kind: 'change', change: { by: 'UPDATE', offer: false } });
    const again = reported(asked.state, reply('UPDATE', 1, 422, { minSe: 7_200 }));
    expect(again.kinds).toEqual(['UPDATE']);
    expect(reported(again.state, reply('UPDATE', 2, 422, { minSe: 7_200 })).kinds).toEqual(['unchanged']);
  });

  it('too brief for a peer that asks for more every time is given up in the end', () => {
    let { state, kinds } = reported(confirmed(), { kind: 'change', change: { by: 'UPDATE', offer: false } });
    let sent = 0;
    for (; kinds.includes('UPDATE') && sent < 50; sent++)
      ({ state, kinds } = reported(state, reply('UPDATE', sent + 1, 422, { minSe: 2_000 + sent })));
    expect([sent, kinds]).toEqual([7, ['unchanged']]);
    const asked = reported(confirmed(), { kind: 'change', change: { by: 'UPDATE', offer: false } });
    expect(reported(asked.state, reply('UPDATE', 1, 422, { minSe: 4_000_000_000 })).kinds).toEqual([
      'unchanged',
    ]);
  });

  it('that meets one of the peer is made again when the peer says it may, and then works', () => {
    const offered = reported(
      confirmed(),
      { kind: 'change', change: { by: 'INVITE', offer: true } },
      { kind: 'offer', sdp },
    );
    const busy = session.step(offered.state, {
      atMs: 0,
      ...reply('INVITE', 1, 500, { retryAfter: 7 }),
    } as SessionInput);
    expect(busy.effects).toEqual([{ kind: 'start', timer: 'retry', ms: 7_000 }]);
    const again = reported(busy.state, { kind: 'timer', timer: 'retry' }, { kind: 'offer', sdp });
    expect(again.kinds).toEqual(['INVITE']);
    const done = reported(again.state, reply('INVITE', 2, 200, { sdp }));
    expect([done.kinds.includes('agreed'), done.state.tries]).toEqual([true, 0]);
  });

  it('is not made for ever, nor for a peer that says nothing or something else', () => {
    const begun = () => reported(confirmed(), { kind: 'change', change: { by: 'UPDATE', offer: false } });
    for (const [status, parts] of [
      [500, {}],
      [500, { retryAfter: 3_600 }],
      [486, { retryAfter: 5 }],
    ] as const)
      expect(reported(begun().state, reply('UPDATE', 1, status, parts)).kinds).toEqual(['unchanged']);
    let { state, kinds } = begun();
    let sent = 0;
    for (; kinds.includes('UPDATE') && sent < 50; sent++)
      ({ state, kinds } = reported(state, reply('UPDATE', sent + 1, 500, { retryAfter: 0 }), {
        kind: 'timer',
        timer: 'retry',
      }));
    expect(sent).toBe(7);
  });

  it('that could not be sent ends nothing and is tried again; an unanswered one ends the session', () => {
    const asked = reported(confirmed(), { kind: 'change', change: { by: 'UPDATE', offer: false } });
    const ref = { method: 'UPDATE', cseq: 1 };
    const unsent = reported(asked.state, { kind: 'failed', ref, cause: 'transport' });
    expect([unsent.state.phase, unsent.kinds]).toEqual(['Confirmed', ['start']]);
    expect(reported(unsent.state, { kind: 'timer', timer: 'retry' }).kinds).toEqual(['UPDATE']);
    expect(reported(asked.state, { kind: 'failed', ref, cause: 'timeout' }).state.phase).toBe('Ending');
  });

  it('that is challenged is made again under the next number, and its ACK proves who we are, too', () => {
    const offered = reported(
      confirmed(),
      { kind: 'change', change: { by: 'INVITE', offer: true } },
      { kind: 'offer', sdp },
    );
    const first = session.step(
      reported(confirmed(), { kind: 'change', change: { by: 'INVITE', offer: true } }).state,
      {
        kind: 'offer',
        sdp,
        atMs: 0,
      },
    ).effects[0];
    if (first?.kind !== 'request') throw new Error('no re-INVITE');
    const credentials = [['Proxy-Authorization', 'Digest x']] as const;
    const step = session.step(offered.state, {
      kind: 'again',
      ref: first.ref,
      outgoing: first.outgoing,
      credentials,
      atMs: 0,
    });
    const [again] = step.effects;
    if (again?.kind !== 'request') throw new Error('not again');
    expect(again.ref).toEqual({ method: 'INVITE', cseq: 2 });
    expect(again.outgoing.body).toBe(first.outgoing.body);
    expect(again.outgoing.headers.filter(([name]) => name === 'CSeq')).toEqual([['CSeq', '2 INVITE']]);
    const done = session.step(step.state, { atMs: 0, ...reply('INVITE', 2, 200, { sdp }) } as SessionInput);
    const ack = done.effects.find(({ kind }) => kind === 'acknowledge');
    expect(ack?.kind === 'acknowledge' && ack.outgoing.headers).toContainEqual(credentials[0]);
    // The first one's answer was the challenge: nothing of it counts any more.
    expect(reported(step.state, reply('INVITE', 1, 488)).kinds).toEqual([]);
  });

  it('waits out a glare even when it is changed for again', () => {
    const glare = reported(
      confirmed(),
      { kind: 'change', change: { by: 'INVITE', offer: true } },
      { kind: 'offer', sdp },
      reply('INVITE', 1, 491),
    );
    expect(glare.kinds).toEqual(['start']);
    const changed = reported(glare.state, { kind: 'change', change: { by: 'INVITE', offer: true } });
    expect(changed.kinds).toEqual([]);
    expect(reported(changed.state, { kind: 'timer', timer: 'retry' }).kinds).toEqual(['compose']);
  });

  it('for which the offer comes too late waits its turn', () => {
    const composing = reported(confirmed(), { kind: 'change', change: { by: 'INVITE', offer: true } });
    const met = reported(composing.state, { kind: 'request', request: request({ cseq: 2 }), server: 1 });
    const late = reported(met.state, { kind: 'offer', sdp });
    expect(late.kinds).toEqual([]);
    const free = reported(
      late.state,
      { kind: 'accept', sdp },
      { kind: 'ack', request: request({ method: 'ACK', cseq: 2 }) },
    );
    expect(free.kinds).toEqual(['stop', 'acknowledged', 'compose']);
  });
});

describe('a 1xx', () => {
  it('without 100rel carries an answer, never an offer', () => {
    const { sdp: _, ...empty } = request();
    for (const [invite, bodies] of [
      [{ ...empty, supported: [] }, 0],
      [request({ supported: [] }), 1],
    ] as const) {
      const opened = openIncoming(invite, 0, 'a-tag', settings);
      if ('refusal' in opened) throw new Error('refused');
      const { effects } = session.step(opened.state, { kind: 'progress', status: 183, sdp, atMs: 0 });
      expect(
        effects.filter((effect) => effect.kind === 'respond' && effect.answer.body !== undefined),
      ).toHaveLength(bodies);
    }
  });

  it('gets another PRACK, with the same answer, when that was overtaken and refused', () => {
    const reliable = reply('INVITE', 1, 183, { sdp, require: ['100rel'], rseq: 1 });
    const first = reported(
      confirmed(),
      { kind: 'change', change: { by: 'INVITE', offer: false } },
      reliable,
      {
        kind: 'answer',
        sdp: sdpOf('mine'),
      },
    );
    expect(first.kinds).toEqual(['PRACK']);
    expect(reported(first.state, reliable).kinds).toEqual([]);
    const refused = reported(first.state, reply('PRACK', 2, 500)).state;
    const again = session.step(refused, { atMs: 0, ...reliable } as SessionInput);
    const [, prack] = again.effects;
    expect(prack?.kind === 'request' && [prack.ref.cseq, textOf(prack.outgoing.body)]).toEqual([3, 'mine']);
  });

  it('is reliable where the caller demands it, whatever we prefer', () => {
    const opened = openIncoming(request({ supported: [], require: ['100rel'] }), 0, 't', {
      ...settings,
      reliableProvisional: false,
    });
    if ('refusal' in opened) throw new Error('refused');
    const { effects } = session.step(opened.state, { kind: 'progress', status: 180, atMs: 0 });
    const [first] = effects;
    expect(first?.kind === 'respond' && first.answer.headers).toContainEqual(['Require', '100rel']);
  });
});
