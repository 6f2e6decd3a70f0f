import { describe, expect, it } from 'vitest';
import { wiringOf } from '#appliance/call/media-session/index.ts';
import { arrived, connected, inIvr, placed, Telling } from './world.ts';

const linkOf = (story: Telling) => wiringOf(story.session).links;
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
    const story = arrived();
    const callee = playMode === 'beforeConnect' ? {} : { callee: { phrases } };
    const greeting = { playMode, caller: { phrases }, ...callee };
    story.answer({ action: 'call', destAddr: '17', greeting });
    expect(story.one(first)).toBeDefined();
    if (playMode === 'beforeConnect') {
      expect(story.of('dial')).toEqual([]);
      story.input({ kind: 'answered', participant: CALLER });
      story.played(story.one('play').play);
      expect(story.one('dial').participant).toBe(CALLEE);
      story.input({ kind: 'answered', participant: CALLEE });
    } else {
      story.input({ kind: 'answered', participant: CALLEE });
      story.input({ kind: 'answered', participant: CALLER });
      const plays = story.of('play');
      expect(plays.map(({ participant }) => participant)).toEqual(listeners);
      const together = new Set(plays.map((each) => each.together));
      expect(
        [...together].every((name) => (name !== undefined) === (playMode === 'onAnswerSimultaneous')),
      ).toBe(true);
      story.played(plays[0]?.play ?? '');
      expect(linkOf(story)).toEqual([]);
      story.played(plays[1]?.play ?? '');
    }
    expect(linkOf(story)).toMatchObject([{ kind: 'pair', ends: [CALLER, CALLEE] }]);
  });

  it.each([
    ['none', 180, { status: 183, early: true }, undefined],
    ['default', 180, { status: 183, early: true }, { kind: 'ringback' }],
    ['early', 180, { status: 180, early: false }, undefined],
    ['song.wav', 180, { status: 183, early: true }, { kind: 'loop' }],
  ])('ringbackTone %s', (ringbackTone, status, ring, underlay) => {
    const story = arrived();
    story.answer({ action: 'call', destAddr: '17', ringbackTone });
    story.input({ kind: 'rang', participant: CALLEE, status, early: false });
    expect(story.one('ring')).toMatchObject(ring);
    const laid = wiringOf(story.session).underlays.get(CALLER);
    if (underlay === undefined) expect(laid).toBeUndefined();
    else expect(laid).toMatchObject(underlay);
    story.input({ kind: 'answered', participant: CALLEE });
    expect(wiringOf(story.session).underlays.size).toBe(0);
  });

  it('passes early audio, and lets a party that was answered hear the tone of the country', () => {
    const story = arrived();
    story.answer({ action: 'call', destAddr: '17' });
    story.input({ kind: 'rang', participant: CALLEE, status: 183, early: true });
    expect(story.one('ring')).toMatchObject({ status: 183, early: true });
    expect(linkOf(story)).toMatchObject([{ kind: 'pair', ends: [CALLER, CALLEE] }]);
    const later = inIvr();
    later.answer({ hangup: true });
    later.answer({ action: 'call', destAddr: '17' });
    const { participant } = later.one('dial');
    later.input({ kind: 'rang', participant, status: 180, early: false });
    expect(wiringOf(later.session).underlays.get(CALLER)).toEqual({ kind: 'ringback' });
  });

  it('is an alarm when the address is none, and the application hears of it', () => {
    const story = arrived();
    story.answer({ action: 'call', destAddr: 'x y' });
    story.input({
      kind: 'failed',
      participant: CALLEE,
      status: 404,
      reason: 'none',
      invalidAddress: 'x y',
    });
    expect(story.one('alarm')).toMatchObject({ type: 'callError', error: 'Invalid sip address: x y' });
    expect(story.one('ask').ask).toMatchObject({
      callback: 'callEvent',
      sipStatus: 404,
      remaining: CALLER,
    });
  });

  it('that cannot be is an alarm and drops the party', () => {
    const story = arrived();
    story.answer({ action: 'connect', participantId: 'nobody' });
    expect(story.effects).toEqual([
      { kind: 'check', participant: CALLER, target: { kind: 'connect', participant: 'nobody' } },
    ]);
    const refusal = { error: 'participantUnknown', status: 480, reason: 'no participant' } as const;
    const later = new Telling(story.session);
    story.input({ kind: 'checked', participant: CALLER, refusal });
    // Before the answer: a final response, and no BYE after a 200.
    expect(story.of('accept')).toEqual([]);
    expect(story.one('alarm')).toMatchObject({ type: 'callEventError', error: 'participantUnknown' });
    expect(story.one('drop')).toMatchObject({ participant: CALLER, status: 480, text: 'no participant' });
    later.input({ kind: 'checked', participant: CALLER });
    expect(later.one('accept').participant).toBe(CALLER);
    later.input({ kind: 'answered', participant: CALLER });
    expect(later.one('move').target).toMatchObject({ kind: 'connect', participant: 'nobody' });
    later.input({ kind: 'unmoved', participant: CALLER, refusal });
    expect(later.one('alarm')).toMatchObject({ type: 'callEventError', error: 'participantUnknown' });
    expect(later.one('drop').participant).toBe(CALLER);
  });

  it('sets the sessionReferenceId of what follows', () => {
    const story = arrived();
    story.answer({ action: 'ivr', sessionReferenceId: { case: '17' } });
    expect(story.session.reference).toEqual({ case: '17' });
  });
});

describe('without an answer', () => {
  const silent = { kind: 'unreached', error: 'newCall request failed', reason: 'timeout' } as const;

  it('newCall: the emergency destination; the application is asked no more', () => {
    const story = arrived({ emergencyDestination: '112' });
    story.input({ kind: 'decided', request: story.request.request, answer: silent });
    expect(story.of('alarm').map(({ type, error }) => [type, error])).toEqual([
      ['newCallEventError', 'newCall request failed'],
      ['emergencyFallback', 'triggeredByError'],
    ]);
    expect(story.one('dial').destAddr).toBe('112');
    story.input({ kind: 'failed', participant: CALLEE, status: 503, reason: 'down' });
    expect(story.of('ask')).toEqual([]);
    expect(story.one('drop')).toMatchObject({ participant: CALLER, status: 503 });
  });

  it('newCall without such a destination: 480', () => {
    const story = arrived();
    story.input({ kind: 'decided', request: story.request.request, answer: silent });
    expect(story.one('drop')).toMatchObject({ status: 480 });
  });

  it('emergencyFallback always: called at once', () => {
    const story = arrived({ emergencyDestination: '112', emergencyFallback: 'always' });
    expect(story.of('ask')).toEqual([]);
    expect(story.one('alarm')).toMatchObject({ type: 'emergencyFallback', error: 'triggeredByAlways' });
    expect(story.one('dial').destAddr).toBe('112');
  });

  it('callEvent: who remains is dropped', () => {
    const story = connected();
    story.input({ kind: 'gone', participant: CALLER, why: 'hungUp' });
    story.input({
      kind: 'decided',
      request: story.request.request,
      answer: { kind: 'unreached', error: 'No response to callEvent request', reason: '500', status: 500 },
    });
    expect(story.one('alarm')).toMatchObject({ type: 'callEventError', status: 500 });
    expect(story.one('drop')).toMatchObject({ participant: CALLEE });
  });

  it('getIvrCommand: the emergency destination for a caller, the end for a party that we called', () => {
    const story = inIvr({ emergencyDestination: '112' });
    const none = { kind: 'unreached', error: 'getIvrCommand request error', reason: 'x' } as const;
    story.input({ kind: 'commanded', request: story.request.request, answer: none });
    expect(story.one('dial').destAddr).toBe('112');
    const ours = placed();
    ours.input({ kind: 'answered', participant: CALLER });
    ours.input({ kind: 'commanded', request: ours.request.request, answer: none });
    expect(ours.one('drop').participant).toBe(CALLER);
  });

  it('the session lasts too long: everybody goes', () => {
    const story = connected();
    story.input({ kind: 'timer', timer: 'session' });
    expect(story.one('alarm')).toMatchObject({ type: 'sessionError', error: 'maxDuration' });
    expect(story.of('drop')).toHaveLength(2);
    expect(story.session.ended).toBe(true);
  });

  it.each([
    ['rtpTimeout', 'RTP media timeout'],
    ['expired', 'sessionExpired'],
    ['mediaLost', 'mediaServerError'],
    ['invalidSdp', 'invalidSdp'],
  ] as const)('%s is the alarm callError %s', (why, error) => {
    const story = connected();
    story.input({ kind: 'gone', participant: CALLER, why });
    expect(story.one('alarm')).toMatchObject({ type: 'callError', error, participant: CALLER });
  });

  it('the audio of a connection cannot be had: its parties go', () => {
    const story = connected();
    const [connection = ''] = story.session.connections.keys();
    story.input({ kind: 'mediaFailed', connection, reason: 'no room' });
    expect(story.one('alarm')).toMatchObject({ type: 'sessionError', error: 'mediaServerError' });
    expect(story.session.ended).toBe(true);
  });
});

describe('hanging up in each state', () => {
  it.each([
    ['while newCall is out', () => arrived()],
    [
      'while others ring',
      () => {
        const story = arrived();
        story.answer({ action: 'call', destAddr: '17' });
        return story;
      },
    ],
    [
      'while its answer is not acknowledged',
      () => {
        const story = arrived();
        story.answer({ action: 'ivr' });
        return story;
      },
    ],
    ['in an IVR that asks', () => inIvr()],
    [
      'in an IVR that plays',
      () => {
        const story = inIvr();
        story.answer({ phrases });
        return story;
      },
    ],
    [
      'in an IVR that pauses',
      () => {
        const story = inIvr();
        story.answer({ getIVRCommandAfter: 9 });
        return story;
      },
    ],
    [
      'during a greeting before the callee is dialled',
      () => {
        const story = arrived();
        story.answer({
          action: 'call',
          destAddr: '17',
          greeting: { playMode: 'beforeConnect', caller: { phrases } },
        });
        story.input({ kind: 'answered', participant: CALLER });
        return story;
      },
    ],
  ])('%s ends the session, and no participant is left', (_, begin) => {
    const story = begin();
    story.input({ kind: 'gone', participant: CALLER, why: 'hungUp' });
    expect(story.session.ended).toBe(true);
    expect(story.session.parties.size).toBe(0);
    expect(story.of('report').map(({ report }) => report.callback)).toEqual([
      'callEvent',
      'sessionCompleted',
    ]);
    const after = story.input({ kind: 'gone', participant: CALLER, why: 'hungUp' });
    expect(after).toEqual([]);
  });

  it('during greetings leaves the callee to the application', () => {
    const story = arrived();
    story.answer({ action: 'call', destAddr: '17', greeting: { callee: { phrases } } });
    story.input({ kind: 'answered', participant: CALLEE });
    story.input({ kind: 'answered', participant: CALLER });
    story.input({ kind: 'gone', participant: CALLER, why: 'hungUp' });
    expect(story.of('stop')).toHaveLength(1);
    expect(story.one('ask').ask).toMatchObject({ callback: 'callEvent', remaining: CALLEE });
  });
});
