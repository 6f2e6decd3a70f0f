import { describe, expect, it } from 'vitest';
import { wiringOf } from '#appliance/call/media-session/index.ts';
import { inIvr, type Telling } from './world.ts';

const silence = { format: 'silence', duration: 10 };
const timers = (story: Telling) => story.of('startTimer').map(({ timer, ms }) => [timer.split(' ')[0], ms]);
const timer = (story: Telling, name: string) => {
  const [connection] = story.session.connections.keys();
  return story.input({ kind: 'timer', timer: `${name} ${connection}` });
};
const next = (story: Telling) => {
  const { ask } = story.one('ask');
  return ask.callback === 'getIvrCommand' ? ask : undefined;
};

/** Each field of an IVR command (media document 2.2, decisions 5). */
describe('an IVR command', () => {
  it('phrases: played, then the next command is asked for, with how they went', () => {
    const story = inIvr();
    story.answer({ phrases: [silence, silence] });
    const { play, phrases } = story.one('play');
    expect(phrases).toHaveLength(2);
    story.atMs += 1_500;
    story.played(play, ['completed', 'error']);
    expect(next(story)?.lastCommandResult).toEqual({
      phrases: 'error',
      failedPhrases: [{ phrase: 1, error: 'phraseError', reason: expect.stringContaining('not played') }],
    });
  });

  it('a phrase that cannot be played is an alarm', () => {
    const story = inIvr();
    story.answer({ phrases: [{ format: 'url', url: 'https://x.example/a.wav' }] });
    const { play } = story.one('play');
    const fault = { phrase: 0, alarm: 'phraseRemoteCacheTimeout', reason: 'late' } as const;
    story.input({ kind: 'played', play, results: ['error'], faults: [fault] });
    expect(story.one('alarm')).toMatchObject({
      type: 'ivrCommandError',
      error: 'phraseRemoteCacheTimeout',
    });
    // It took no time: the next command is not asked for at once.
    expect(timers(story)).toEqual([['pause', 1_000]]);
  });

  it('dtmf: the first digit stops the phrases, the rest are collected', () => {
    const story = inIvr();
    story.answer({ phrases: [silence], dtmf: { maxDigits: 2 } });
    const { play } = story.one('play');
    story.press('1');
    expect(story.one('stop').play).toBe(play);
    story.played(play, ['interrupted']);
    expect(timers(story)).toEqual([['digit', 4_000]]);
    story.press('2');
    expect(next(story)).toMatchObject({
      dtmfParams: { dtmfMatch: '12', reason: 'maxDigits' },
      lastCommandResult: { phrases: 'interrupted' },
    });
  });

  it('bargeIn false: all is played, and digits still count', () => {
    const story = inIvr();
    story.answer({ phrases: [silence], dtmf: { maxDigits: 2, bargeIn: false } });
    const { play } = story.one('play');
    story.press('12');
    expect(story.effects.some(({ kind }) => kind === 'stop' || kind === 'ask')).toBe(false);
    story.played(play);
    expect(next(story)).toMatchObject({
      dtmfParams: { dtmfMatch: '12', reason: 'maxDigits' },
      lastCommandResult: { phrases: 'completed' },
    });
  });

  it.each([
    ['', { firstDigitTimeout: 700 }, 700, 'firstDigitTimeout'],
    ['7', { interDigitTimeout: 300 }, 300, 'interDigitTimeout'],
  ])('digits %j and then nothing', (digits, dtmf, ms, reason) => {
    const story = inIvr();
    story.answer({ dtmf });
    story.press(digits);
    expect(timers(story)).toEqual([['digit', ms]]);
    story.atMs += 2_000;
    timer(story, 'digit');
    expect(next(story)?.dtmfParams).toEqual({ dtmfMatch: digits, reason });
  });

  it('digits pressed between two commands are not lost', () => {
    const story = inIvr();
    story.press('34');
    story.answer({ phrases: [silence], dtmf: { maxDigits: 3 } });
    // A caller who presses keys knows the prompt.
    expect(story.of('play')).toEqual([]);
    story.press('5');
    expect(next(story)?.dtmfParams).toEqual({ dtmfMatch: '345', reason: 'maxDigits' });
    story.press('6');
    story.answer({ dtmf: { finishOnKey: '#' } });
    story.press('#');
    expect(next(story)?.dtmfParams).toEqual({ dtmfMatch: '6', reason: 'finishOnKey' });
  });

  it('clearBuffer forgets them', () => {
    const story = inIvr();
    story.press('34');
    story.answer({ dtmf: { maxDigits: 1, clearBuffer: true } });
    story.press('5');
    expect(next(story)?.dtmfParams).toEqual({ dtmfMatch: '5', reason: 'maxDigits' });
  });

  it('digits of a caller that hangs up come with the callEvent', () => {
    const story = inIvr();
    story.answer({ dtmf: { maxDigits: 4 } });
    story.press('12');
    story.input({ kind: 'gone', participant: 's-p1', why: 'hungUp' });
    expect(story.one('report').report).toMatchObject({
      callback: 'callEvent',
      dtmfParams: { dtmfMatch: '12', reason: 'hangup' },
    });
  });

  it('digits of a command with hangup, too', () => {
    const story = inIvr();
    story.answer({ dtmf: { maxDigits: 1 }, hangup: true });
    story.press('1');
    expect(story.one('ask').ask).toMatchObject({
      callback: 'callEvent',
      dtmfParams: { dtmfMatch: '1', reason: 'maxDigits' },
    });
  });

  it('getIVRCommandAfter: a pause; an interrupt ends it', () => {
    const story = inIvr();
    story.answer({ getIVRCommandAfter: 5 });
    expect(timers(story)).toEqual([['pause', 5_000]]);
    timer(story, 'pause');
    expect(next(story)?.lastCommandResult).toEqual({});
    story.answer({ getIVRCommandAfter: 5 });
    const [refers = ''] = story.session.connections.keys();
    story.input({ kind: 'operation', id: 'o', ask: { kind: 'interrupt', refers } });
    expect(next(story)?.lastCommandResult).toMatchObject({ phrases: 'interrupted' });
  });

  it('backgroundPrompt: loops until a command without it', () => {
    const story = inIvr();
    const backgroundPrompt = { format: 'file', fileName: 'hold.wav', repeatPause: 2 };
    story.answer({ backgroundPrompt, getIVRCommandAfter: 5 });
    const laid = { kind: 'loop', phrase: { format: 'file', fileName: 'hold.wav' }, pauseS: 2 };
    expect(wiringOf(story.session).underlays.get('s-p1')).toEqual(laid);
    timer(story, 'pause');
    expect(wiringOf(story.session).underlays.get('s-p1')).toEqual(laid);
    story.answer({ backgroundPrompt, backgroundDucking: 6, getIVRCommandAfter: 5 });
    expect(wiringOf(story.session).underlays.get('s-p1')).toEqual({ ...laid, duckingDb: 6 });
    timer(story, 'pause');
    story.answer({ getIVRCommandAfter: 5 });
    expect(wiringOf(story.session).underlays.size).toBe(0);
  });

  it('echo alone: a second, and the next request says why it was no longer', () => {
    const story = inIvr();
    story.answer({ echo: true });
    story.input({ kind: 'timer', timer: 'pause s-c2' });
    expect(story.request.ask).toMatchObject({
      lastCommandResult: { reason: expect.stringContaining('getIVRCommandAfter') },
    });
  });

  it('echo: until the next command', () => {
    const story = inIvr();
    story.answer({ echo: true, getIVRCommandAfter: 5 });
    expect(wiringOf(story.session).echoing).toEqual(['s-p1']);
    timer(story, 'pause');
    story.answer({});
    expect(wiringOf(story.session).echoing).toEqual([]);
  });

  it('record: beep, then until the key, the silence, the length or the disk ends it', () => {
    const record = { fileName: 'a.wav', beep: true, maxDuration: 9, silenceTimeout: 3, finishOnKey: '#' };
    const recording = () => {
      const story = inIvr();
      story.answer({ record });
      expect(wiringOf(story.session).recordings).toEqual([]);
      story.played(story.one('play').play);
      expect(timers(story)).toEqual([['record', 9_000]]);
      const { recordings, silence: watched } = wiringOf(story.session);
      expect(recordings).toMatchObject([{ fileName: 'a.wav', sides: [['s-p1']], of: 'said' }]);
      expect(watched.get('s-p1')).toBe(3_000);
      story.atMs += 2_000;
      return { told: story, id: recordings[0]?.id ?? '' };
    };
    const ends: [(of: ReturnType<typeof recording>) => unknown, string][] = [
      [({ told: story }) => story.press('#'), 'completed'],
      [({ told: story }) => story.input({ kind: 'silent', participant: 's-p1' }), 'completed'],
      [({ told: story }) => timer(story, 'record'), 'completed'],
      [
        ({ told: story, id }) => story.input({ kind: 'recordingEnded', recording: id, failed: true }),
        'error',
      ],
    ];
    for (const [end, result] of ends) {
      const running = recording();
      end(running);
      expect(next(running.told)?.lastCommandResult).toEqual({ record: result });
      expect(wiringOf(running.told.session).recordings).toEqual([]);
    }
  });

  it('that does nothing is followed by the next one after a second', () => {
    const story = inIvr();
    story.answer({});
    expect(story.of('ask')).toEqual([]);
    expect(timers(story)).toEqual([['pause', 1_000]]);
  });
});

describe('interrupts', () => {
  const interrupt = (story: Telling, request?: number) => {
    const [refers = ''] = story.session.connections.keys();
    return story.input({
      kind: 'operation',
      id: 'o',
      ask: { kind: 'interrupt', refers, ...(request !== undefined && { request }) },
    });
  };

  it('end what plays; digits wait for the next command', () => {
    const story = inIvr();
    story.answer({ phrases: [silence], dtmf: { maxDigits: 3, bargeIn: false } });
    story.press('1');
    interrupt(story);
    expect(story.of('stop')).toHaveLength(1);
    expect(next(story)?.dtmfParams).toBeUndefined();
    story.answer({ dtmf: { maxDigits: 2 } });
    story.press('2');
    expect(next(story)?.dtmfParams).toEqual({ dtmfMatch: '12', reason: 'maxDigits' });
  });

  it('drop the answer of a request that is out', () => {
    const story = inIvr();
    const { request } = story.request;
    interrupt(story, request);
    expect(story.of('ask')).toEqual([]);
    story.answer({ phrases: [silence] });
    expect(story.of('play')).toEqual([]);
    expect(next(story)?.lastCommandResult).toEqual({ phrases: 'interrupted' });
  });

  it('do nothing to a command that is past, and say so by success', () => {
    const story = inIvr();
    const { request } = story.request;
    story.answer({ getIVRCommandAfter: 5 });
    interrupt(story, request);
    expect(story.of('ask')).toHaveLength(1);
    interrupt(story, request);
    expect(story.of('ask')).toEqual([]);
    expect(story.one('reply').result.ok).toBe(true);
  });

  it('where no IVR is any more conflict', () => {
    const story = inIvr();
    story.answer({ hangup: true });
    story.input({ kind: 'operation', id: 'o', ask: { kind: 'interrupt', refers: 'gone' } });
    expect(story.one('reply').result).toMatchObject({ error: { code: 'conflict' } });
  });
});

describe('bad answers to getIvrCommand', () => {
  it('are asked again after a second; the third in a row ends it', () => {
    const story = inIvr();
    for (const body of [[], { phrases: 'x' }]) {
      story.answer(body);
      expect(story.one('alarm')).toMatchObject({ type: 'ivrCommandError', error: 'IVR command failed' });
      expect(timers(story)).toEqual([['pause', 1_000]]);
      timer(story, 'pause');
      expect(next(story)?.lastCommandResult?.reason).toBeTypeOf('string');
    }
    story.answer({ dtmf: { maxDigits: 'two' } });
    expect(story.one('drop').participant).toBe('s-p1');
    expect(story.session.ended).toBe(true);
  });

  it('in between good ones do not add up', () => {
    const story = inIvr();
    for (let turn = 0; turn < 6; turn++) {
      story.answer({ phrases: 1 });
      timer(story, 'pause');
      story.answer({});
      timer(story, 'pause');
    }
    expect(story.session.ended).toBe(false);
  });
});
