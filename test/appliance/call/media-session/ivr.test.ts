import { describe, expect, it } from 'vitest';
import { wiringOf } from '#appliance/call/media-session/index.ts';
import { inIvr, type Telling } from './world.ts';

const silence = { format: 'silence', duration: 10 };
const timers = (told: Telling) => told.of('startTimer').map(({ timer, ms }) => [timer.split(' ')[0], ms]);
const timer = (told: Telling, name: string) => {
  const [connection] = told.session.connections.keys();
  return told.input({ kind: 'timer', timer: `${name} ${connection}` });
};
const next = (told: Telling) => {
  const { ask } = told.one('ask');
  return ask.callback === 'getIvrCommand' ? ask : undefined;
};

/** Each field of an IVR command (media document 2.2, decisions 5). */
describe('an IVR command', () => {
  it('phrases: played, then the next command is asked for, with how they went', () => {
    const told = inIvr();
    told.answer({ phrases: [silence, silence] });
    const { play, phrases } = told.one('play');
    expect(phrases).toHaveLength(2);
    told.atMs += 1_500;
    told.played(play, ['completed', 'error']);
    expect(next(told)?.lastCommandResult).toEqual({
      phrases: 'error',
      failedPhrases: [{ phrase: 1, error: 'phraseError', reason: expect.stringContaining('not played') }],
    });
  });

  it('a phrase that cannot be played is an alarm', () => {
    const told = inIvr();
    told.answer({ phrases: [{ format: 'url', url: 'https://x.example/a.wav' }] });
    const { play } = told.one('play');
    const fault = { phrase: 0, alarm: 'phraseRemoteCacheTimeout', reason: 'late' } as const;
    told.input({ kind: 'played', play, results: ['error'], faults: [fault] });
    expect(told.one('alarm')).toMatchObject({ type: 'ivrCommandError', error: 'phraseRemoteCacheTimeout' });
    // It took no time: the next command is not asked for at once.
    expect(timers(told)).toEqual([['pause', 1_000]]);
  });

  it('dtmf: the first digit stops the phrases, the rest are collected', () => {
    const told = inIvr();
    told.answer({ phrases: [silence], dtmf: { maxDigits: 2 } });
    const { play } = told.one('play');
    told.press('1');
    expect(told.one('stop').play).toBe(play);
    told.played(play, ['interrupted']);
    expect(timers(told)).toEqual([['digit', 4_000]]);
    told.press('2');
    expect(next(told)).toMatchObject({
      dtmfParams: { dtmfMatch: '12', reason: 'maxDigits' },
      lastCommandResult: { phrases: 'interrupted' },
    });
  });

  it('bargeIn false: all is played, and digits still count', () => {
    const told = inIvr();
    told.answer({ phrases: [silence], dtmf: { maxDigits: 2, bargeIn: false } });
    const { play } = told.one('play');
    told.press('12');
    expect(told.effects.some(({ kind }) => kind === 'stop' || kind === 'ask')).toBe(false);
    told.played(play);
    expect(next(told)).toMatchObject({
      dtmfParams: { dtmfMatch: '12', reason: 'maxDigits' },
      lastCommandResult: { phrases: 'completed' },
    });
  });

  it.each([
    ['', { firstDigitTimeout: 700 }, 700, 'firstDigitTimeout'],
    ['7', { interDigitTimeout: 300 }, 300, 'interDigitTimeout'],
  ])('digits %j and then nothing', (digits, dtmf, ms, reason) => {
    const told = inIvr();
    told.answer({ dtmf });
    told.press(digits);
    expect(timers(told)).toEqual([['digit', ms]]);
    told.atMs += 2_000;
    timer(told, 'digit');
    expect(next(told)?.dtmfParams).toEqual({ dtmfMatch: digits, reason });
  });

  it('digits pressed between two commands are not lost', () => {
    const told = inIvr();
    told.press('34');
    told.answer({ phrases: [silence], dtmf: { maxDigits: 3 } });
    // A caller who presses keys knows the prompt.
    expect(told.of('play')).toEqual([]);
    told.press('5');
    expect(next(told)?.dtmfParams).toEqual({ dtmfMatch: '345', reason: 'maxDigits' });
    told.press('6');
    told.answer({ dtmf: { finishOnKey: '#' } });
    told.press('#');
    expect(next(told)?.dtmfParams).toEqual({ dtmfMatch: '6', reason: 'finishOnKey' });
  });

  it('clearBuffer forgets them', () => {
    const told = inIvr();
    told.press('34');
    told.answer({ dtmf: { maxDigits: 1, clearBuffer: true } });
    told.press('5');
    expect(next(told)?.dtmfParams).toEqual({ dtmfMatch: '5', reason: 'maxDigits' });
  });

  it('digits of a caller that hangs up come with the callEvent', () => {
    const told = inIvr();
    told.answer({ dtmf: { maxDigits: 4 } });
    told.press('12');
    told.input({ kind: 'gone', participant: 's-p1', why: 'hungUp' });
    expect(told.one('report').report).toMatchObject({
      callback: 'callEvent',
      dtmfParams: { dtmfMatch: '12', reason: 'hangup' },
    });
  });

  it('digits of a command with hangup, too', () => {
    const told = inIvr();
    told.answer({ dtmf: { maxDigits: 1 }, hangup: true });
    told.press('1');
    expect(told.one('ask').ask).toMatchObject({
      callback: 'callEvent',
      dtmfParams: { dtmfMatch: '1', reason: 'maxDigits' },
    });
  });

  it('getIVRCommandAfter: a pause; an interrupt ends it', () => {
    const told = inIvr();
    told.answer({ getIVRCommandAfter: 5 });
    expect(timers(told)).toEqual([['pause', 5_000]]);
    timer(told, 'pause');
    expect(next(told)?.lastCommandResult).toEqual({});
    told.answer({ getIVRCommandAfter: 5 });
    const [refers = ''] = told.session.connections.keys();
    told.input({ kind: 'operation', id: 'o', ask: { kind: 'interrupt', refers } });
    expect(next(told)?.lastCommandResult).toMatchObject({ phrases: 'interrupted' });
  });

  it('backgroundPrompt: loops until a command without it', () => {
    const told = inIvr();
    const backgroundPrompt = { format: 'file', fileName: 'hold.wav', repeatPause: 2 };
    told.answer({ backgroundPrompt, getIVRCommandAfter: 5 });
    const laid = { kind: 'loop', phrase: { format: 'file', fileName: 'hold.wav' }, pauseS: 2 };
    expect(wiringOf(told.session).underlays.get('s-p1')).toEqual(laid);
    timer(told, 'pause');
    expect(wiringOf(told.session).underlays.get('s-p1')).toEqual(laid);
    told.answer({ backgroundPrompt, backgroundDucking: 6, getIVRCommandAfter: 5 });
    expect(wiringOf(told.session).underlays.get('s-p1')).toEqual({ ...laid, duckingDb: 6 });
    timer(told, 'pause');
    told.answer({ getIVRCommandAfter: 5 });
    expect(wiringOf(told.session).underlays.size).toBe(0);
  });

  it('echo alone: a second, and the next request says why it was no longer', () => {
    const told = inIvr();
    told.answer({ echo: true });
    told.input({ kind: 'timer', timer: 'pause s-c2' });
    expect(told.request.ask).toMatchObject({
      lastCommandResult: { reason: expect.stringContaining('getIVRCommandAfter') },
    });
  });

  it('echo: until the next command', () => {
    const told = inIvr();
    told.answer({ echo: true, getIVRCommandAfter: 5 });
    expect(wiringOf(told.session).echoing).toEqual(['s-p1']);
    timer(told, 'pause');
    told.answer({});
    expect(wiringOf(told.session).echoing).toEqual([]);
  });

  it('record: beep, then until the key, the silence, the length or the disk ends it', () => {
    const record = { fileName: 'a.wav', beep: true, maxDuration: 9, silenceTimeout: 3, finishOnKey: '#' };
    const recording = () => {
      const told = inIvr();
      told.answer({ record });
      expect(wiringOf(told.session).recordings).toEqual([]);
      told.played(told.one('play').play);
      expect(timers(told)).toEqual([['record', 9_000]]);
      const { recordings, silence: watched } = wiringOf(told.session);
      expect(recordings).toMatchObject([{ fileName: 'a.wav', sides: [['s-p1']], of: 'said' }]);
      expect(watched.get('s-p1')).toBe(3_000);
      told.atMs += 2_000;
      return { told, id: recordings[0]?.id ?? '' };
    };
    const ends: [(of: ReturnType<typeof recording>) => unknown, string][] = [
      [({ told }) => told.press('#'), 'completed'],
      [({ told }) => told.input({ kind: 'silent', participant: 's-p1' }), 'completed'],
      [({ told }) => timer(told, 'record'), 'completed'],
      [({ told, id }) => told.input({ kind: 'recordingEnded', recording: id, failed: true }), 'error'],
    ];
    for (const [end, result] of ends) {
      const running = recording();
      end(running);
      expect(next(running.told)?.lastCommandResult).toEqual({ record: result });
      expect(wiringOf(running.told.session).recordings).toEqual([]);
    }
  });

  it('that does nothing is followed by the next one after a second', () => {
    const told = inIvr();
    told.answer({});
    expect(told.of('ask')).toEqual([]);
    expect(timers(told)).toEqual([['pause', 1_000]]);
  });
});

describe('interrupts', () => {
  const interrupt = (told: Telling, request?: number) => {
    const [refers = ''] = told.session.connections.keys();
    return told.input({
      kind: 'operation',
      id: 'o',
      ask: { kind: 'interrupt', refers, ...(request !== undefined && { request }) },
    });
  };

  it('end what plays; digits wait for the next command', () => {
    const told = inIvr();
    told.answer({ phrases: [silence], dtmf: { maxDigits: 3, bargeIn: false } });
    told.press('1');
    interrupt(told);
    expect(told.of('stop')).toHaveLength(1);
    expect(next(told)?.dtmfParams).toBeUndefined();
    told.answer({ dtmf: { maxDigits: 2 } });
    told.press('2');
    expect(next(told)?.dtmfParams).toEqual({ dtmfMatch: '12', reason: 'maxDigits' });
  });

  it('drop the answer of a request that is out', () => {
    const told = inIvr();
    const { request } = told.request;
    interrupt(told, request);
    expect(told.of('ask')).toEqual([]);
    told.answer({ phrases: [silence] });
    expect(told.of('play')).toEqual([]);
    expect(next(told)?.lastCommandResult).toEqual({ phrases: 'interrupted' });
  });

  it('do nothing to a command that is past, and say so by success', () => {
    const told = inIvr();
    const { request } = told.request;
    told.answer({ getIVRCommandAfter: 5 });
    interrupt(told, request);
    expect(told.of('ask')).toHaveLength(1);
    interrupt(told, request);
    expect(told.of('ask')).toEqual([]);
    expect(told.one('reply').result.ok).toBe(true);
  });

  it('where no IVR is any more conflict', () => {
    const told = inIvr();
    told.answer({ hangup: true });
    told.input({ kind: 'operation', id: 'o', ask: { kind: 'interrupt', refers: 'gone' } });
    expect(told.one('reply').result).toMatchObject({ error: { code: 'conflict' } });
  });
});

describe('bad answers to getIvrCommand', () => {
  it('are asked again after a second; the third in a row ends it', () => {
    const told = inIvr();
    for (const body of [[], { phrases: 'x' }]) {
      told.answer(body);
      expect(told.one('alarm')).toMatchObject({ type: 'ivrCommandError', error: 'IVR command failed' });
      expect(timers(told)).toEqual([['pause', 1_000]]);
      timer(told, 'pause');
      expect(next(told)?.lastCommandResult?.reason).toBeTypeOf('string');
    }
    told.answer({ dtmf: { maxDigits: 'two' } });
    expect(told.one('drop').participant).toBe('s-p1');
    expect(told.session.ended).toBe(true);
  });

  it('in between good ones do not add up', () => {
    const told = inIvr();
    for (let turn = 0; turn < 6; turn++) {
      told.answer({ phrases: 1 });
      timer(told, 'pause');
      told.answer({});
      timer(told, 'pause');
    }
    expect(told.session.ended).toBe(false);
  });
});
