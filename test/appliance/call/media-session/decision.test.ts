import { describe, expect, it } from 'vitest';
import { wiringOf } from '#appliance/call/media-session/index.ts';
import { arrived, connected, inIvr, placed, Telling } from './world.ts';

const linkOf = (told: Telling) => wiringOf(told.session).links;
const CALLER = 's-p1';
const CALLEE = 's-p2';
const phrases = [{ format: 'silence', duration: 10 }];

/** Fields of the answers (media document 2.4). */
describe('a decision', () => {
  it.each([
    ['beforeConnect', [CALLER], 'accept'],
    ['onAnswer', [CALLER, CALLEE], 'dial'],
    ['onAnswerSimultaneous', [CALLER, CALLEE], 'dial'],
  ] as const)('greets %s', (playMode, listeners, first) => {
    const told = arrived();
    const callee = playMode === 'beforeConnect' ? {} : { callee: { phrases } };
    const greeting = { playMode, caller: { phrases }, ...callee };
    told.answer({ action: 'call', destAddr: '17', greeting });
    expect(told.one(first)).toBeDefined();
    if (playMode === 'beforeConnect') {
      expect(told.of('dial')).toEqual([]);
      told.input({ kind: 'answered', participant: CALLER });
      told.played(told.one('play').play);
      expect(told.one('dial').participant).toBe(CALLEE);
      told.input({ kind: 'answered', participant: CALLEE });
    } else {
      told.input({ kind: 'answered', participant: CALLEE });
      told.input({ kind: 'answered', participant: CALLER });
      const plays = told.of('play');
      expect(plays.map(({ participant }) => participant)).toEqual(listeners);
      const together = new Set(plays.map((each) => each.together));
      expect(
        [...together].every((name) => (name !== undefined) === (playMode === 'onAnswerSimultaneous')),
      ).toBe(true);
      told.played(plays[0]?.play ?? '');
      expect(linkOf(told)).toEqual([]);
      told.played(plays[1]?.play ?? '');
    }
    expect(linkOf(told)).toMatchObject([{ kind: 'pair', ends: [CALLER, CALLEE] }]);
  });

  it.each([
    ['none', 180, { status: 183, early: true }, undefined],
    ['default', 180, { status: 183, early: true }, { kind: 'ringback' }],
    ['early', 180, { status: 180, early: false }, undefined],
    ['song.wav', 180, { status: 183, early: true }, { kind: 'loop' }],
  ])('ringbackTone %s', (ringbackTone, status, ring, underlay) => {
    const told = arrived();
    told.answer({ action: 'call', destAddr: '17', ringbackTone });
    told.input({ kind: 'rang', participant: CALLEE, status, early: false });
    expect(told.one('ring')).toMatchObject(ring);
    const laid = wiringOf(told.session).underlays.get(CALLER);
    if (underlay === undefined) expect(laid).toBeUndefined();
    else expect(laid).toMatchObject(underlay);
    told.input({ kind: 'answered', participant: CALLEE });
    expect(wiringOf(told.session).underlays.size).toBe(0);
  });

  it('passes early audio, and lets a party that was answered hear the tone of the country', () => {
    const told = arrived();
    told.answer({ action: 'call', destAddr: '17' });
    told.input({ kind: 'rang', participant: CALLEE, status: 183, early: true });
    expect(told.one('ring')).toMatchObject({ status: 183, early: true });
    expect(linkOf(told)).toMatchObject([{ kind: 'pair', ends: [CALLER, CALLEE] }]);
    const later = inIvr();
    later.answer({ hangup: true });
    later.answer({ action: 'call', destAddr: '17' });
    const { participant } = later.one('dial');
    later.input({ kind: 'rang', participant, status: 180, early: false });
    expect(wiringOf(later.session).underlays.get(CALLER)).toEqual({ kind: 'ringback' });
  });

  it('is an alarm when the address is none, and the application hears of it', () => {
    const told = arrived();
    told.answer({ action: 'call', destAddr: 'x y' });
    told.input({ kind: 'failed', participant: CALLEE, status: 404, reason: 'none', invalidAddress: 'x y' });
    expect(told.one('alarm')).toMatchObject({ type: 'callError', error: 'Invalid sip address: x y' });
    expect(told.one('ask').ask).toMatchObject({ callback: 'callEvent', sipStatus: 404, remaining: CALLER });
  });

  it('that cannot be is an alarm and drops the party', () => {
    const told = arrived();
    told.answer({ action: 'connect', participantId: 'nobody' });
    expect(told.effects).toEqual([
      { kind: 'check', participant: CALLER, target: { kind: 'connect', participant: 'nobody' } },
    ]);
    const refusal = { error: 'participantUnknown', status: 480, reason: 'no participant' } as const;
    const later = new Telling(told.session);
    told.input({ kind: 'checked', participant: CALLER, refusal });
    // Before the answer: a final response, and no BYE after a 200.
    expect(told.of('accept')).toEqual([]);
    expect(told.one('alarm')).toMatchObject({ type: 'callEventError', error: 'participantUnknown' });
    expect(told.one('drop')).toMatchObject({ participant: CALLER, status: 480, text: 'no participant' });
    later.input({ kind: 'checked', participant: CALLER });
    expect(later.one('accept').participant).toBe(CALLER);
    later.input({ kind: 'answered', participant: CALLER });
    expect(later.one('move').target).toMatchObject({ kind: 'connect', participant: 'nobody' });
    later.input({ kind: 'unmoved', participant: CALLER, refusal });
    expect(later.one('alarm')).toMatchObject({ type: 'callEventError', error: 'participantUnknown' });
    expect(later.one('drop').participant).toBe(CALLER);
  });

  it('sets the sessionReferenceId of what follows', () => {
    const told = arrived();
    told.answer({ action: 'ivr', sessionReferenceId: { case: '17' } });
    expect(told.session.reference).toEqual({ case: '17' });
  });
});

describe('without an answer', () => {
  const silent = { kind: 'unreached', error: 'newCall request failed', reason: 'timeout' } as const;

  it('newCall: the emergency destination; the application is asked no more', () => {
    const told = arrived({ emergencyDestination: '112' });
    told.input({ kind: 'decided', request: told.request.request, answer: silent });
    expect(told.of('alarm').map(({ type, error }) => [type, error])).toEqual([
      ['newCallEventError', 'newCall request failed'],
      ['emergencyFallback', 'triggeredByError'],
    ]);
    expect(told.one('dial').destAddr).toBe('112');
    told.input({ kind: 'failed', participant: CALLEE, status: 503, reason: 'down' });
    expect(told.of('ask')).toEqual([]);
    expect(told.one('drop')).toMatchObject({ participant: CALLER, status: 503 });
  });

  it('newCall without such a destination: 480', () => {
    const told = arrived();
    told.input({ kind: 'decided', request: told.request.request, answer: silent });
    expect(told.one('drop')).toMatchObject({ status: 480 });
  });

  it('emergencyFallback always: called at once', () => {
    const told = arrived({ emergencyDestination: '112', emergencyFallback: 'always' });
    expect(told.of('ask')).toEqual([]);
    expect(told.one('alarm')).toMatchObject({ type: 'emergencyFallback', error: 'triggeredByAlways' });
    expect(told.one('dial').destAddr).toBe('112');
  });

  it('callEvent: who remains is dropped', () => {
    const told = connected();
    told.input({ kind: 'gone', participant: CALLER, why: 'hungUp' });
    told.input({
      kind: 'decided',
      request: told.request.request,
      answer: { kind: 'unreached', error: 'No response to callEvent request', reason: '500', status: 500 },
    });
    expect(told.one('alarm')).toMatchObject({ type: 'callEventError', status: 500 });
    expect(told.one('drop')).toMatchObject({ participant: CALLEE });
  });

  it('getIvrCommand: the emergency destination for a caller, the end for a party that we called', () => {
    const told = inIvr({ emergencyDestination: '112' });
    const none = { kind: 'unreached', error: 'getIvrCommand request error', reason: 'x' } as const;
    told.input({ kind: 'commanded', request: told.request.request, answer: none });
    expect(told.one('dial').destAddr).toBe('112');
    const ours = placed();
    ours.input({ kind: 'answered', participant: CALLER });
    ours.input({ kind: 'commanded', request: ours.request.request, answer: none });
    expect(ours.one('drop').participant).toBe(CALLER);
  });

  it('the session lasts too long: everybody goes', () => {
    const told = connected();
    told.input({ kind: 'timer', timer: 'session' });
    expect(told.one('alarm')).toMatchObject({ type: 'sessionError', error: 'maxDuration' });
    expect(told.of('drop')).toHaveLength(2);
    expect(told.session.ended).toBe(true);
  });

  it.each([
    ['rtpTimeout', 'RTP media timeout'],
    ['expired', 'sessionExpired'],
    ['mediaLost', 'mediaServerError'],
    ['invalidSdp', 'invalidSdp'],
  ] as const)('%s is the alarm callError %s', (why, error) => {
    const told = connected();
    told.input({ kind: 'gone', participant: CALLER, why });
    expect(told.one('alarm')).toMatchObject({ type: 'callError', error, participant: CALLER });
  });

  it('the audio of a connection cannot be had: its parties go', () => {
    const told = connected();
    const [connection = ''] = told.session.connections.keys();
    told.input({ kind: 'mediaFailed', connection, reason: 'no room' });
    expect(told.one('alarm')).toMatchObject({ type: 'sessionError', error: 'mediaServerError' });
    expect(told.session.ended).toBe(true);
  });
});

describe('hanging up in each state', () => {
  it.each([
    ['while newCall is out', () => arrived()],
    [
      'while others ring',
      () => {
        const told = arrived();
        told.answer({ action: 'call', destAddr: '17' });
        return told;
      },
    ],
    [
      'while its answer is not acknowledged',
      () => {
        const told = arrived();
        told.answer({ action: 'ivr' });
        return told;
      },
    ],
    ['in an IVR that asks', () => inIvr()],
    [
      'in an IVR that plays',
      () => {
        const told = inIvr();
        told.answer({ phrases });
        return told;
      },
    ],
    [
      'in an IVR that pauses',
      () => {
        const told = inIvr();
        told.answer({ getIVRCommandAfter: 9 });
        return told;
      },
    ],
    [
      'during a greeting before the callee is dialled',
      () => {
        const told = arrived();
        told.answer({
          action: 'call',
          destAddr: '17',
          greeting: { playMode: 'beforeConnect', caller: { phrases } },
        });
        told.input({ kind: 'answered', participant: CALLER });
        return told;
      },
    ],
  ])('%s ends the session, and no participant is left', (_, begin) => {
    const told = begin();
    told.input({ kind: 'gone', participant: CALLER, why: 'hungUp' });
    expect(told.session.ended).toBe(true);
    expect(told.session.parties.size).toBe(0);
    expect(told.of('report').map(({ report }) => report.callback)).toEqual(['callEvent', 'sessionCompleted']);
    const after = told.input({ kind: 'gone', participant: CALLER, why: 'hungUp' });
    expect(after).toEqual([]);
  });

  it('during greetings leaves the callee to the application', () => {
    const told = arrived();
    told.answer({ action: 'call', destAddr: '17', greeting: { callee: { phrases } } });
    told.input({ kind: 'answered', participant: CALLEE });
    told.input({ kind: 'answered', participant: CALLER });
    told.input({ kind: 'gone', participant: CALLER, why: 'hungUp' });
    expect(told.of('stop')).toHaveLength(1);
    expect(told.one('ask').ask).toMatchObject({ callback: 'callEvent', remaining: CALLEE });
  });
});
