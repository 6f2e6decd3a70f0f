import { describe, expect, it } from 'vitest';
import { readDecision, wiringOf } from '#appliance/call/media-session/index.ts';
import { arrived, connected, inIvr, placed, type Telling } from './world.ts';

const linkOf = (told: Telling) => wiringOf(told.session).links;
const CALLER = 's-p1';
const CALLEE = 's-p2';
const phrases = [{ format: 'silence', duration: 10 }];

/** Each row of the table of states (media document 3). */
describe('the table of states', () => {
  it('no session, a call arrives: newCall; drop refuses it', () => {
    const told = arrived();
    expect(told.one('ask').ask).toEqual({ callback: 'newCall', participant: CALLER });
    told.answer({ action: 'drop' });
    expect(told.one('drop')).toEqual({ kind: 'drop', participant: CALLER, status: 603 });
    expect(told.one('report').report).toEqual({ callback: 'sessionCompleted', reason: 'drop' });
  });

  it('newCall call: a SIP participant; the caller is answered when the callee is', () => {
    const told = arrived();
    told.answer({ action: 'call', destAddr: '17', maxRingTime: 9 });
    expect(told.one('dial')).toMatchObject({
      participant: CALLEE,
      destAddr: '17',
      near: CALLER,
      words: { maxRingTime: 9 },
    });
    told.input({ kind: 'rang', participant: CALLEE, status: 180, early: false });
    expect(told.one('report').report).toMatchObject({
      callback: 'callNotify',
      event: 'ringing',
      remote: CALLER,
    });
    expect(told.one('ring')).toMatchObject({ status: 180, early: false });
    told.input({ kind: 'answered', participant: CALLEE });
    expect(told.one('accept').participant).toBe(CALLER);
    told.input({ kind: 'answered', participant: CALLER });
    expect(told.one('report').report).toMatchObject({
      callback: 'callAnswered',
      caller: CALLER,
      callee: CALLEE,
      monitoring: false,
    });
    expect(linkOf(told)).toMatchObject([{ kind: 'pair', ends: [CALLER, CALLEE] }]);
  });

  it('newCall ivr: an IVR participant, then getIvrCommand', () => {
    const told = inIvr();
    expect(told.one('report').report).toMatchObject({ callback: 'callAnswered', caller: CALLER });
    expect(told.one('ask').ask).toMatchObject({ callback: 'getIvrCommand', participant: CALLER });
    expect(wiringOf(told.session).listening).toEqual([CALLER]);
  });

  it('placeivrcall: ringing, answered, getIvrCommand', () => {
    const told = placed();
    told.input({ kind: 'rang', participant: CALLER, status: 180, early: false });
    expect(told.one('report').report).toMatchObject({ callback: 'callNotify', event: 'ringing' });
    told.input({ kind: 'answered', participant: CALLER });
    expect(told.one('report').report).toMatchObject({ callback: 'callAnswered', callee: CALLER });
    expect(told.one('ask').ask.callback).toBe('getIvrCommand');
  });

  it('placeivrcall: no answer', () => {
    const told = placed();
    told.input({ kind: 'failed', participant: CALLER, status: 486, reason: 'busy' });
    expect(told.of('report').map(({ report }) => report)).toMatchObject([
      { callback: 'callEvent', event: 'calledPartyDrop', sipStatus: 486 },
      { callback: 'sessionCompleted', reason: 'notAnswered' },
    ]);
  });

  it('connected to IVR, a command without hangup: the next one is asked for', () => {
    const told = inIvr();
    told.answer({ phrases });
    told.atMs += 2_000;
    told.played(told.one('play').play);
    expect(told.one('ask').ask).toMatchObject({
      callback: 'getIvrCommand',
      lastCommandResult: { phrases: 'completed' },
    });
  });

  it('connected to IVR, hangup: executed, then callEvent about the party', () => {
    const told = inIvr();
    told.answer({ phrases, hangup: true });
    told.played(told.one('play').play);
    expect(told.one('ask').ask).toMatchObject({
      callback: 'callEvent',
      event: 'calledPartyDrop',
      remaining: CALLER,
    });
    told.answer({ action: 'call', destAddr: '17' });
    expect(told.one('dial').destAddr).toBe('17');
  });

  it.each([
    [CALLER, 'callingPartyDrop', CALLEE],
    [CALLEE, 'calledPartyDrop', CALLER],
  ])('connection, %s hangs up: %s', (participant, event, remaining) => {
    const told = connected();
    told.input({ kind: 'gone', participant, why: 'hungUp' });
    expect(told.one('ask').ask).toMatchObject({ callback: 'callEvent', event, participant, remaining });
    expect(linkOf(told)).toEqual([]);
    told.answer({ action: 'drop', dropCode: 480 });
    expect(told.one('drop')).toMatchObject({ participant: remaining, status: 480 });
    expect(told.session.ended).toBe(true);
  });

  it('splitconnection: a callEvent for each, whose answer is for that one', () => {
    const told = connected();
    const [connection = ''] = told.session.connections.keys();
    told.input({ kind: 'operation', id: 'o', ask: { kind: 'split', connection } });
    expect(told.of('ask').map(({ ask }) => ask)).toMatchObject([
      { event: 'callerConnectionSplit', participant: CALLER, remaining: CALLER },
      { event: 'calleeConnectionSplit', participant: CALLEE, remaining: CALLEE },
    ]);
    const [first] = told.of('ask');
    told.answer({ action: 'drop' });
    expect(told.one('drop').participant).toBe(CALLEE);
    told.input({
      kind: 'decided',
      request: first?.request ?? 0,
      answer: { kind: 'good', value: { action: 'ivr' } },
    });
    expect(told.one('ask').ask).toMatchObject({ callback: 'getIvrCommand', participant: CALLER });
  });

  it('connect: the former IVR connection is dropped', () => {
    const told = connected();
    const [connection = ''] = told.session.connections.keys();
    told.input({ kind: 'operation', id: 'o', ask: { kind: 'split', connection } });
    const [first, second] = told.of('ask');
    const decided = (of: typeof first, value: object) =>
      told.input({
        kind: 'decided',
        request: of?.request ?? 0,
        answer: readDecision('callEvent', { kind: 'answered', status: 200, body: JSON.stringify(value) }),
      });
    decided(first, { action: 'ivr' });
    decided(second, { action: 'connect', participantId: CALLER });
    expect(linkOf(told)).toMatchObject([{ kind: 'pair', ends: [CALLEE, CALLER] }]);
    expect(wiringOf(told.session).listening).toEqual([]);
  });

  it('createconferenceconnection, joinconferenceconnection, leaveconference', () => {
    const told = inIvr();
    told.input({
      kind: 'operation',
      id: 'o',
      ask: { kind: 'createConference', beep: true, maxParticipants: 2 },
    });
    const { result } = told.one('reply');
    const connectionId = result.ok ? result.value.connectionId : undefined;
    told.answer({ hangup: true });
    told.answer({ action: 'joinconferenceconnection', connectionId });
    expect(linkOf(told)).toMatchObject([
      { kind: 'mix', beep: true, most: 2, members: new Map([[CALLER, {}]]) },
    ]);
    told.input({
      kind: 'operation',
      id: 'p',
      ask: { kind: 'leaveConference', participant: CALLER, connection: connectionId ?? '' },
    });
    expect(told.one('ask').ask).toMatchObject({ callback: 'callEvent', event: 'callerConnectionSplit' });
  });

  it('newCall with callRecording: recorded until it is over', () => {
    const told = connected({ callRecording: true, recordingFileName: 'a.wav' });
    expect(wiringOf(told.session).recordings).toMatchObject([
      { fileName: 'a.wav', sides: [[CALLER], [CALLEE]], layout: 'perSide' },
    ]);
    told.input({ kind: 'gone', participant: CALLEE, why: 'hungUp' });
    expect(wiringOf(told.session).recordings).toMatchObject([{ sides: [[CALLER], []] }]);
    told.input({ kind: 'gone', participant: CALLER, why: 'hungUp' });
    expect(wiringOf(told.session).recordings).toEqual([]);
  });

  it('startrecording, pause, resume, stoprecording of a connection', () => {
    const told = connected();
    const [connection = ''] = told.session.connections.keys();
    const operate = (ask: object) =>
      told.input({ kind: 'operation', id: 'o', ask: { connection, ...ask } as never });
    operate({ kind: 'startRecording', fileName: 'b.mp3' });
    expect(wiringOf(told.session).recordings).toMatchObject([
      { fileName: 'b.mp3', connection, paused: false },
    ]);
    operate({ kind: 'startRecording', fileName: 'c.mp3' });
    expect(told.one('reply').result).toMatchObject({ error: { code: 'conflict' } });
    operate({ kind: 'pauseRecording' });
    expect(wiringOf(told.session).recordings).toMatchObject([{ paused: true }]);
    operate({ kind: 'resumeRecording' });
    operate({ kind: 'stopRecording' });
    expect(wiringOf(told.session).recordings).toEqual([]);
  });

  it('monitorDestAddr: called after the first callAnswered, hears all, once', () => {
    const told = connected({
      monitorDestAddr: '99',
      monitorSipFrom: 'watch',
      monitorXHeaders: { 'X-A': 'b' },
    });
    const dial = told.one('dial');
    expect(dial).toMatchObject({ destAddr: '99', words: { sipFrom: 'watch', xHeaders: { 'X-A': 'b' } } });
    told.input({ kind: 'rang', participant: dial.participant, status: 180, early: false });
    expect(told.one('report').report).toMatchObject({ event: 'ringing', monitoring: true });
    told.input({ kind: 'answered', participant: dial.participant });
    expect(told.one('report').report).toMatchObject({ callback: 'callAnswered', monitoring: true });
    const members = new Map<string, object>([
      [CALLER, {}],
      [CALLEE, {}],
      [dial.participant, { monitor: true }],
    ]);
    expect(linkOf(told)).toMatchObject([{ kind: 'mix', members }]);
    told.input({ kind: 'gone', participant: dial.participant, why: 'hungUp' });
    expect(told.effects).toEqual([]);
    expect(linkOf(told)).toMatchObject([{ kind: 'pair' }]);
  });

  it('monitor beside a conference: the pair stays among itself, and no limit of the conference concerns it', () => {
    const told = connected({ monitorDestAddr: '99' });
    const monitor = told.one('dial').participant;
    told.input({ kind: 'answered', participant: monitor });
    const [pair] = told.session.connections.keys();
    told.input({
      kind: 'operation',
      id: 'o',
      ask: { kind: 'createConference', beep: true, maxParticipants: 1 },
    });
    const [, conference] = told.session.connections.keys();
    const [mix, ...others] = linkOf(told);
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
    const told = connected({ monitorDestAddr: '99' });
    const monitor = told.one('dial').participant;
    told.input({ kind: 'answered', participant: monitor });
    told.input({ kind: 'gone', participant: CALLER, why: 'hungUp' });
    told.input({ kind: 'gone', participant: CALLEE, why: 'hungUp' });
    expect(told.one('drop').participant).toBe(monitor);
    const completed = told.all.filter(
      (each) => each.kind === 'report' && each.report.callback === 'sessionCompleted',
    );
    expect(completed).toHaveLength(1);
  });
});
