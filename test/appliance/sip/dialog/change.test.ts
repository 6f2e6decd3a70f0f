import { describe, expect, it } from 'vitest';
import { openIncoming, type Session, type SessionInput, session } from '#appliance/sip/dialog/index.ts';
import { confirmed, request, response, settings } from './fact.ts';
import { sdpOf, textOf } from './phone.ts';

const sdp = sdpOf('x');

/** Goes through the inputs; answers the last state and the kinds of the last effects. */
function told(state: Session, ...inputs: readonly Record<string, unknown>[]) {
  let now = state;
  let kinds: string[] = [];
  for (const input of inputs) {
    const done = session.step(now, { nowMs: 0, ...input } as SessionInput);
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
    const wish = { kind: 'change', wish: { by: 'UPDATE', offer: false } };
    const asked = told(confirmed(), wish);
    expect(asked.kinds).toEqual(['UPDATE']);
    const refused = told(asked.state, reply('UPDATE', 1, 405));
    expect(refused.kinds).toEqual(['compose']);
    expect(told(refused.state, { kind: 'offer', sdp }).kinds).toEqual(['INVITE']);
    expect(refused.state.peerAllows).not.toContain('UPDATE');
  });

  it('whose offer of the peer came in a reliable 1xx and was then refused leaves nothing open', () => {
    const { state, kinds } = told(
      confirmed(),
      { kind: 'change', wish: { by: 'INVITE', offer: false } },
      reply('INVITE', 1, 183, { sdp, require: ['100rel'], rseq: 1 }),
      reply('INVITE', 1, 488),
    );
    expect(kinds).toEqual(['unchanged']);
    expect([state.exchange.state, state.prackDue, state.inviting]).toEqual(['Stable', undefined, undefined]);
  });

  it('too brief for the peer is made again with the interval it asks for, and not a second time', () => {
    const asked = told(confirmed(), { kind: 'change', wish: { by: 'UPDATE', offer: false } });
    const again = told(asked.state, reply('UPDATE', 1, 422, { minSe: 7_200 }));
    expect(again.kinds).toEqual(['UPDATE']);
    expect(told(again.state, reply('UPDATE', 2, 422, { minSe: 7_200 })).kinds).toEqual(['unchanged']);
  });

  it('waits out a glare even when it is wished for again', () => {
    const glare = told(
      confirmed(),
      { kind: 'change', wish: { by: 'INVITE', offer: true } },
      { kind: 'offer', sdp },
      reply('INVITE', 1, 491),
    );
    expect(glare.kinds).toEqual(['start']);
    const wished = told(glare.state, { kind: 'change', wish: { by: 'INVITE', offer: true } });
    expect(wished.kinds).toEqual([]);
    expect(told(wished.state, { kind: 'timer', timer: 'retry' }).kinds).toEqual(['compose']);
  });

  it('for which the offer comes too late waits its turn', () => {
    const composing = told(confirmed(), { kind: 'change', wish: { by: 'INVITE', offer: true } });
    const met = told(composing.state, { kind: 'request', request: request({ cseq: 2 }), server: 1 });
    const late = told(met.state, { kind: 'offer', sdp });
    expect(late.kinds).toEqual([]);
    const free = told(
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
      const { effects } = session.step(opened.state, { kind: 'progress', status: 183, sdp, nowMs: 0 });
      expect(
        effects.filter((effect) => effect.kind === 'respond' && effect.answer.body !== undefined),
      ).toHaveLength(bodies);
    }
  });

  it('whose PRACK was overtaken and refused gets another one, with the same answer', () => {
    const reliable = reply('INVITE', 1, 183, { sdp, require: ['100rel'], rseq: 1 });
    const first = told(confirmed(), { kind: 'change', wish: { by: 'INVITE', offer: false } }, reliable, {
      kind: 'answer',
      sdp: sdpOf('mine'),
    });
    expect(first.kinds).toEqual(['PRACK']);
    expect(told(first.state, reliable).kinds).toEqual([]);
    const refused = told(first.state, reply('PRACK', 2, 500)).state;
    const again = session.step(refused, { nowMs: 0, ...reliable } as SessionInput);
    const [, prack] = again.effects;
    expect(prack?.kind === 'request' && [prack.ref.cseq, textOf(prack.outgoing.body)]).toEqual([3, 'mine']);
  });

  it('is reliable where the caller demands it, whatever we prefer', () => {
    const opened = openIncoming(request({ supported: [], require: ['100rel'] }), 0, 't', {
      ...settings,
      reliableProvisional: false,
    });
    if ('refusal' in opened) throw new Error('refused');
    const { effects } = session.step(opened.state, { kind: 'progress', status: 180, nowMs: 0 });
    const [first] = effects;
    expect(first?.kind === 'respond' && first.answer.headers).toContainEqual(['Require', '100rel']);
  });
});
