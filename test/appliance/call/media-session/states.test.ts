import { describe, expect, it } from 'vitest';
import { readDecision, wiringOf } from '#appliance/call/media-session/index.ts';
import { arrived, connected, inIvr, placed, type Telling } from './world.ts';

const linkOf = (story: Telling) => wiringOf(story.session).links;
const CALLER = 's-p1';
const CALLEE = 's-p2';
const phrases = [{ format: 'silence', duration: 10 }];

/** Each row of the table of states (media document 3). */
describe('the table of states', () => {
  it('no session, a call arrives: newCall; drop refuses it', () => {
    const story = arrived();
    expect(story.one('ask').ask).toEqual({ callback: 'newCall', participant: CALLER });
    story.answer({ action: 'drop' });
    expect(story.one('drop')).toEqual({ kind: 'drop', participant: CALLER, status: 603 });
    expect(story.one('report').report).toEqual({ callback: 'sessionCompleted', reason: 'drop' });
  });

  it('newCall call: a SIP participant; the caller is answered when the callee is', () => {
    const story = arrived();
    story.answer({ action: 'call', destAddr: '17', maxRingTime: 9 });
    expect(story.one('dial')).toMatchObject({
      participant: CALLEE,
      destAddr: '17',
      near: CALLER,
      words: { maxRingTime: 9 },
    });
    story.input({ kind: 'rang', participant: CALLEE, status: 180, early: false });
    expect(story.one('report').report).toMatchObject({
      callback: 'callNotify',
      event: 'ringing',
      remote: CALLER,
    });
    expect(story.one('ring')).toMatchObject({ status: 180, early: false });
    story.input({ kind: 'answered', participant: CALLEE });
    expect(story.one('accept').participant).toBe(CALLER);
    story.input({ kind: 'answered', participant: CALLER });
    expect(story.one('report').report).toMatchObject({
      callback: 'callAnswered',
      caller: CALLER,
      callee: CALLEE,
      monitoring: false,
    });
    expect(linkOf(story)).toMatchObject([{ kind: 'pair', ends: [CALLER, CALLEE] }]);
  });

  it('newCall ivr: an IVR participant, then getIvrCommand', () => {
    const story = inIvr();
    expect(story.one('report').report).toMatchObject({ callback: 'callAnswered', caller: CALLER });
    expect(story.one('ask').ask).toMatchObject({ callback: 'getIvrCommand', participant: CALLER });
    expect(wiringOf(story.session).listening).toEqual([CALLER]);
  });

  it('placeivrcall: ringing, answered, getIvrCommand', () => {
    const story = placed();
    story.input({ kind: 'rang', participant: CALLER, status: 180, early: false });
    expect(story.one('report').report).toMatchObject({ callback: 'callNotify', event: 'ringing' });
    story.input({ kind: 'answered', participant: CALLER });
    expect(story.one('report').report).toMatchObject({ callback: 'callAnswered', callee: CALLER });
    expect(story.one('ask').ask.callback).toBe('getIvrCommand');
  });

  it('placeivrcall: no answer', () => {
    const story = placed();
    story.input({ kind: 'failed', participant: CALLER, status: 486, reason: 'busy' });
    expect(story.of('report').map(({ report }) => report)).toMatchObject([
      { callback: 'callEvent', event: 'calledPartyDrop', sipStatus: 486 },
      { callback: 'sessionCompleted', reason: 'notAnswered' },
    ]);
  });

  it('connected to IVR, a command without hangup: the next one is asked for', () => {
    const story = inIvr();
    story.answer({ phrases });
    story.atMs += 2_000;
    story.played(story.one('play').play);
    expect(story.one('ask').ask).toMatchObject({
      callback: 'getIvrCommand',
      lastCommandResult: { phrases: 'completed' },
    });
  });

  it('connected to IVR, hangup: executed, then callEvent about the party', () => {
    const story = inIvr();
    story.answer({ phrases, hangup: true });
    story.played(story.one('play').play);
    expect(story.one('ask').ask).toMatchObject({
      callback: 'callEvent',
      event: 'calledPartyDrop',
      remaining: CALLER,
    });
    story.answer({ action: 'call', destAddr: '17' });
    expect(story.one('dial').destAddr).toBe('17');
  });

  it.each([
    [CALLER, 'callingPartyDrop', CALLEE],
    [CALLEE, 'calledPartyDrop', CALLER],
  ])('connection, %s hangs up: %s', (participant, event, remaining) => {
    const story = connected();
    story.input({ kind: 'gone', participant, why: 'hungUp' });
    expect(story.one('ask').ask).toMatchObject({ callback: 'callEvent', event, participant, remaining });
    expect(linkOf(story)).toEqual([]);
    story.answer({ action: 'drop', dropCode: 480 });
    expect(story.one('drop')).toMatchObject({ participant: remaining, status: 480 });
    expect(story.session.ended).toBe(true);
  });

  it('splitconnection: a callEvent for each, whose answer is for that one', () => {
    const story = connected();
    const [connection = ''] = story.session.connections.keys();
    story.input({ kind: 'operation', id: 'o', ask: { kind: 'split', connection } });
    expect(story.of('ask').map(({ ask }) => ask)).toMatchObject([
      { event: 'callerConnectionSplit', participant: CALLER, remaining: CALLER },
      { event: 'calleeConnectionSplit', participant: CALLEE, remaining: CALLEE },
    ]);
    const [first] = story.of('ask');
    story.answer({ action: 'drop' });
    expect(story.one('drop').participant).toBe(CALLEE);
    story.input({
      kind: 'decided',
      request: first?.request ?? 0,
      answer: { kind: 'good', value: { action: 'ivr' } },
    });
    expect(story.one('ask').ask).toMatchObject({ callback: 'getIvrCommand', participant: CALLER });
  });

  it('connect: the former IVR connection is dropped', () => {
    const story = connected();
    const [connection = ''] = story.session.connections.keys();
    story.input({ kind: 'operation', id: 'o', ask: { kind: 'split', connection } });
    const [first, second] = story.of('ask');
    const decided = (of: typeof first, value: object) =>
      story.input({
        kind: 'decided',
        request: of?.request ?? 0,
        answer: readDecision('callEvent', { kind: 'answered', status: 200, body: JSON.stringify(value) }),
      });
    decided(first, { action: 'ivr' });
    decided(second, { action: 'connect', participantId: CALLER });
    expect(linkOf(story)).toMatchObject([{ kind: 'pair', ends: [CALLEE, CALLER] }]);
    expect(wiringOf(story.session).listening).toEqual([]);
  });

  it('createconferenceconnection, joinconferenceconnection, leaveconference', () => {
    const story = inIvr();
    story.input({
      kind: 'operation',
      id: 'o',
      ask: { kind: 'createConference', beep: true, maxParticipants: 2 },
    });
    const { result } = story.one('reply');
    const connectionId = result.ok ? result.value.connectionId : undefined;
    story.answer({ hangup: true });
    story.answer({ action: 'joinconferenceconnection', connectionId });
    expect(linkOf(story)).toMatchObject([
      { kind: 'mix', beep: true, most: 2, members: new Map([[CALLER, {}]]) },
    ]);
    story.input({
      kind: 'operation',
      id: 'p',
      ask: { kind: 'leaveConference', participant: CALLER, connection: connectionId ?? '' },
    });
    expect(story.one('ask').ask).toMatchObject({ callback: 'callEvent', event: 'callerConnectionSplit' });
  });

  it('newCall with callRecording: recorded until it is over', () => {
    const story = connected({ callRecording: true, recordingFileName: 'a.wav' });
    expect(wiringOf(story.session).recordings).toMatchObject([
      { fileName: 'a.wav', sides: [[CALLER], [CALLEE]], layout: 'perSide' },
    ]);
    story.input({ kind: 'gone', participant: CALLEE, why: 'hungUp' });
    expect(wiringOf(story.session).recordings).toMatchObject([{ sides: [[CALLER], []] }]);
    story.input({ kind: 'gone', participant: CALLER, why: 'hungUp' });
    expect(wiringOf(story.session).recordings).toEqual([]);
  });

  it('startrecording, pause, resume, stoprecording of a connection', () => {
    const story = connected();
    const [connection = ''] = story.session.connections.keys();
    const operate = (ask: object) =>
      story.input({ kind: 'operation', id: 'o', ask: { connection, ...ask } as never });
    operate({ kind: 'startRecording', fileName: 'b.mp3' });
    expect(wiringOf(story.session).recordings).toMatchObject([
      { fileName: 'b.mp3', connection, paused: false },
    ]);
    operate({ kind: 'startRecording', fileName: 'c.mp3' });
    expect(story.one('reply').result).toMatchObject({ error: { code: 'conflict' } });
    operate({ kind: 'pauseRecording' });
    expect(wiringOf(story.session).recordings).toMatchObject([{ paused: true }]);
    operate({ kind: 'resumeRecording' });
    operate({ kind: 'stopRecording' });
    expect(wiringOf(story.session).recordings).toEqual([]);
  });

  it('monitorDestAddr: called after the first callAnswered, hears all, once', () => {
    const story = connected({
      monitorDestAddr: '99',
      monitorSipFrom: 'watch',
      monitorXHeaders: { 'X-A': 'b' },
    });
    const dial = story.one('dial');
    expect(dial).toMatchObject({ destAddr: '99', words: { sipFrom: 'watch', xHeaders: { 'X-A': 'b' } } });
    story.input({ kind: 'rang', participant: dial.participant, status: 180, early: false });
    expect(story.one('report').report).toMatchObject({ event: 'ringing', monitoring: true });
    story.input({ kind: 'answered', participant: dial.participant });
    expect(story.one('report').report).toMatchObject({ callback: 'callAnswered', monitoring: true });
    const members = new Map<string, object>([
      [CALLER, {}],
      [CALLEE, {}],
      [dial.participant, { monitor: true }],
    ]);
    expect(linkOf(story)).toMatchObject([{ kind: 'mix', members }]);
    story.input({ kind: 'gone', participant: dial.participant, why: 'hungUp' });
    expect(story.effects).toEqual([]);
    expect(linkOf(story)).toMatchObject([{ kind: 'pair' }]);
  });

  it('monitor beside a conference: the pair stays among itself, and no limit of the conference concerns it', () => {
    const story = connected({ monitorDestAddr: '99' });
    const monitor = story.one('dial').participant;
    story.input({ kind: 'answered', participant: monitor });
    const [pair] = story.session.connections.keys();
    story.input({
      kind: 'operation',
      id: 'o',
      ask: { kind: 'createConference', beep: true, maxParticipants: 1 },
    });
    const [, conference] = story.session.connections.keys();
    const [mix, ...others] = linkOf(story);
    expect(others).toEqual([]);
    expect(mix).toEqual({
      kind: 'mix',
      id: conference,
      beep: true,
      most: undefined,
      members: new Map<string, object>([
        [CALLER, { circle: pair }],
        [CALLEE, { circle: pair }],
        [monitor, { monitor: true }],
      ]),
    });
  });

  it('session, all have left: one sessionCompleted, and a monitor is let go', () => {
    const story = connected({ monitorDestAddr: '99' });
    const monitor = story.one('dial').participant;
    story.input({ kind: 'answered', participant: monitor });
    story.input({ kind: 'gone', participant: CALLER, why: 'hungUp' });
    story.input({ kind: 'gone', participant: CALLEE, why: 'hungUp' });
    expect(story.one('drop').participant).toBe(monitor);
    const completed = story.all.filter(
      (each) => each.kind === 'report' && each.report.callback === 'sessionCompleted',
    );
    expect(completed).toHaveLength(1);
  });
});
