import { describe, expect, it } from 'vitest';
import {
  type Invitation,
  type InvitationEffect,
  type InvitationInput,
  invitation,
  invite,
} from '#appliance/sip/dialog/index.ts';
import { response, settings } from './dialog-info.ts';
import { sdpOf } from './phone.ts';

const plan = {
  target: 'sip:b@b.example',
  localAddress: '<sip:a@a.example>',
  remoteAddress: '<sip:b@b.example>',
  localTag: 'a-tag',
  callId: 'a-call',
  cseq: 1,
  sdp: sdpOf('a1'),
};

/** An effect in a few words. */
function spell(effect: InvitationEffect): string {
  if (effect.kind === 'leg') {
    const { effect: inner, tag } = effect;
    if (inner.kind === 'request') return `${tag}: ${inner.outgoing.method}`;
    if (inner.kind === 'acknowledge') return `${tag}: ACK`;
    if (inner.kind === 'ended') return `${tag}: ended ${inner.cause}`;
    if (inner.kind === 'progressed') return `${tag}: ${inner.status}`;
    return inner.kind === 'start' || inner.kind === 'stop' ? '' : `${tag}: ${inner.kind}`;
  }
  if (effect.kind === 'failed') return `failed ${effect.status}`;
  return effect.kind;
}

class Story {
  state: Invitation;
  constructor(late = false) {
    const { sdp: _, ...empty } = plan;
    this.state = invite(late ? empty : plan, settings).state;
  }

  hears(input: InvitationInput): string[] {
    const done = invitation.step(this.state, input);
    this.state = done.state;
    return done.ignored === undefined
      ? done.effects.map(spell).filter((word) => word !== '')
      : [`(${done.ignored})`];
  }

  response(status: number, toTag: string, parts = {}): string[] {
    return this.hears({ kind: 'response', response: response({ status, toTag, ...parts }), atMs: 0 });
  }
}

describe('an INVITE that forks', () => {
  it('makes a dialog for each To tag; the first 2xx wins, the second is acknowledged and ended', () => {
    const story = new Story();
    expect(story.response(180, 'x')).toEqual(['x: 180']);
    expect(story.response(183, 'y')).toEqual(['y: 183']);
    expect(story.response(180, 'x')).toEqual(['x: 180']);
    expect(story.response(200, 'y', { sdp: sdpOf('y1') })).toEqual([
      'answered',
      'y: confirmed',
      'y: ACK',
      'y: agreed',
      'x: ended notChosen',
      'start',
    ]);
    expect(story.response(200, 'x', { sdp: sdpOf('x1') })).toEqual(['x: ACK', 'x: BYE']);
    expect(story.response(200, 'z', { sdp: sdpOf('z1') })).toEqual(['z: ACK', 'z: BYE']);
    expect(story.response(200, 'y', { sdp: sdpOf('y1') })).toEqual(['y: ACK']);
    expect(story.response(200, 'x', { sdp: sdpOf('x1') })).toEqual(['x: ACK']);
    expect(story.hears({ kind: 'forksOver', atMs: 0 })).toEqual([]);
    expect([...story.state.legs.keys()]).toEqual(['y']);
  });

  it('with a late offer in a losing 2xx acknowledges without an answer, and BYE follows', () => {
    const story = new Story(true);
    expect(story.response(200, 'x', { sdp: sdpOf('x1') })).toEqual([
      'answered',
      'x: confirmed',
      'x: offered',
      'start',
    ]);
    expect(story.response(200, 'y', { sdp: sdpOf('y1') })).toEqual(['y: ACK', 'y: BYE']);
    const answer = { kind: 'answer', sdp: sdpOf('a1'), atMs: 0 } as const;
    expect(story.hears({ kind: 'leg', tag: 'x', input: answer, atMs: 0 })).toEqual(['x: ACK']);
  });

  it('gives numbers of their own to the requests of each dialog', () => {
    const story = new Story();
    const reliable = { require: ['100rel'], rseq: 1 };
    expect(story.response(183, 'x', { ...reliable, sdp: sdpOf('x1') })).toEqual([
      'x: 183',
      'x: agreed',
      'x: PRACK',
    ]);
    story.response(183, 'x', { require: ['100rel'], rseq: 2 });
    expect(story.response(183, 'y', reliable)).toEqual(['y: 183', 'y: PRACK']);
    expect(story.state.legs.get('x')?.dialog.localSeq).toBe(3);
    expect(story.state.legs.get('y')?.dialog.localSeq).toBe(2);
    story.response(200, 'y', { sdp: sdpOf('y1') });
    story.response(200, 'x');
    // The peer has seen 2 and 3: its BYE must come behind them.
    expect(story.state.legs.get('x')?.dialog.localSeq).toBe(4);
  });

  it('hears a reliable 1xx once, in order', () => {
    const story = new Story();
    const at = (rseq: number) => story.response(180, 'x', { require: ['100rel'], rseq });
    expect(at(7)).toEqual(['x: 180', 'x: PRACK']);
    expect(at(7)).toEqual(['(a reliable 1xx again, or one ahead of its turn)']);
    expect(at(9)).toEqual(['(a reliable 1xx again, or one ahead of its turn)']);
    expect(at(8)).toEqual(['x: 180', 'x: PRACK']);
  });

  it('lets a 2xx without description agree to what an unreliable 183 said', () => {
    const story = new Story();
    story.response(183, 'x', { sdp: sdpOf('early') });
    expect(story.response(200, 'x')).toContain('x: agreed');
  });

  it('that is refused ends every dialog', () => {
    const story = new Story();
    story.response(180, 'x');
    story.response(180, 'y');
    expect(story.response(486, 'x')).toEqual(['x: ended notChosen', 'y: ended notChosen', 'failed 486']);
    expect(story.response(200, 'y')).toEqual([
      '(the call is over; a 2xx nobody acknowledges ends by itself)',
    ]);
  });

  it('acknowledges and ends a late answer when the call is over: a person waits there', () => {
    const story = new Story();
    story.response(180, 'x');
    story.response(200, 'y', { sdp: sdpOf('y1') });
    story.hears({ kind: 'leg', tag: 'y', input: { kind: 'end', atMs: 0 }, atMs: 0 });
    story.hears({
      kind: 'leg',
      tag: 'y',
      input: {
        kind: 'response',
        ref: { method: 'BYE', cseq: 2 },
        response: response({ method: 'BYE', cseq: 2 }),
        atMs: 0,
      },
      atMs: 0,
    });
    expect(story.state.phase).toBe('Ended');
    expect(story.response(200, 'x', { sdp: sdpOf('x1') })).toEqual(['x: ACK', 'x: BYE']);
    expect(story.response(200, 'z', { sdp: sdpOf('z1') })).toEqual(['z: ACK', 'z: BYE']);
    expect(story.response(200, 'y', { sdp: sdpOf('y1') })).toEqual(['y: ACK']);
    expect(story.state.phase).toBe('Ended');
  });

  it('that is cancelled too late acknowledges and ends every 2xx', () => {
    const story = new Story();
    story.response(180, 'x');
    expect(story.hears({ kind: 'cancel', atMs: 0 })).toEqual(['cancel']);
    expect(story.response(200, 'x')).toEqual(['x: ACK', 'x: BYE', 'failed 487', 'start']);
    expect(story.response(200, 'y')).toEqual(['y: ACK', 'y: BYE']);
  });

  it('that is cancelled does not come again for a longer interval', () => {
    const story = new Story();
    story.hears({ kind: 'cancel', atMs: 0 });
    expect(story.response(422, 'x', { minSe: 3_600 })).toEqual(['failed 422']);
  });

  it('rings without a To tag, and makes no dialog of it', () => {
    const story = new Story();
    expect(story.response(180, '')).toEqual(['progressed']);
    expect(story.state.legs.size).toBe(0);
    expect(story.response(200, '', { sdp: sdpOf('old') })).toContain(': ACK');
  });

  it('that is too brief comes again with the interval asked for, once', () => {
    const story = new Story();
    const done = invitation.step(story.state, {
      kind: 'response',
      response: response({ status: 422, minSe: 3_600 }),
      atMs: 0,
    });
    const again = done.effects.find(({ kind }) => kind === 'invite');
    if (again?.kind !== 'invite') throw new Error('no second INVITE');
    expect(Object.fromEntries(again.outgoing.headers)).toMatchObject({
      CSeq: '2 INVITE',
      'Session-Expires': '3600',
      'Min-SE': '3600',
    });
    story.state = done.state;
    expect(story.response(422, 'x', { cseq: 2, minSe: 3_600 })).toEqual(['failed 422']);
  });

  it('that is too brief every time, and more so each time, fails in the end', () => {
    const story = new Story();
    let cseq = 1;
    while (cseq < 50 && story.response(422, 'x', { cseq, minSe: 3_600 + cseq })[0] === 'invite') cseq++;
    expect([cseq, story.state.phase]).toEqual([7, 'Ended']);
    expect(new Story().response(422, 'x', { minSe: 4_000_000_000 })).toEqual(['failed 422']);
  });

  it('holds no more than 32 dialogs', () => {
    const story = new Story();
    for (let fork = 0; fork < 100; fork++) story.response(180, `t${fork}`);
    expect(story.state.legs.size).toBe(32);
  });
});
