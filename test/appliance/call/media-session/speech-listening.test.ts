import { describe, expect, it } from 'vitest';
import { wiringOf } from '#appliance/call/media-session/index.ts';
import type { SpeechParams } from '#shared/contract/callback/index.ts';
import { inIvr, type Telling } from './world.ts';

const silence = { format: 'silence', duration: 10 };
const YES: SpeechParams = { reason: 'recognised', text: 'Yes.', confidence: 0.9 };
const timers = (told: Telling) => told.of('startTimer').map(({ timer, ms }) => [timer.split(' ')[0], ms]);
const hearing = (told: Telling) => wiringOf(told.session).hearings[0]?.id ?? 'none';
const began = (told: Telling) => told.input({ kind: 'speechBegan', hearing: hearing(told) });
const ended = (told: Telling, speech: SpeechParams) =>
  told.input({ kind: 'speechEnded', hearing: hearing(told), speech });
const timer = (told: Telling, name: string) => {
  const [connection] = told.session.connections.keys();
  return told.input({ kind: 'timer', timer: `${name} ${connection}` });
};
const next = (told: Telling) => {
  const { ask } = told.one('ask');
  return ask.callback === 'getIvrCommand' ? ask : undefined;
};

describe('the IVR command speech', () => {
  it('listens with the phrases, stops them at the first word, and says the text with the next request', () => {
    const told = inIvr();
    told.answer({ phrases: [silence], speech: { language: 'en' } });
    const { play } = told.one('play');
    expect(wiringOf(told.session).hearings).toMatchObject([
      { participant: 's-p1', speech: { language: 'en', endSilence: 1_000 } },
    ]);
    began(told);
    expect(told.one('stop').play).toBe(play);
    expect(timers(told)).toEqual([['speech', 30_000 + 1_000 + 5_000 + 2_000]]);
    told.played(play, ['interrupted']);
    expect(told.of('ask')).toEqual([]);
    ended(told, YES);
    expect(next(told)).toMatchObject({ speechParams: YES, lastCommandResult: { phrases: 'interrupted' } });
    expect(wiringOf(told.session).hearings).toEqual([]);
  });

  it('bargeIn false: listens after the phrases', () => {
    const told = inIvr();
    told.answer({ phrases: [silence], speech: { bargeIn: false, firstSpeechTimeout: 700 } });
    expect(wiringOf(told.session).hearings).toEqual([]);
    told.played(told.one('play').play);
    expect(wiringOf(told.session).hearings).toHaveLength(1);
    expect(timers(told)).toEqual([['speech', 700]]);
  });

  it.each([
    ['that says nothing', false, { reason: 'noSpeech' }],
    ['whose recogniser is gone', true, { reason: 'error', error: 'the recogniser has not answered in time' }],
  ])('a caller %s is not stuck', (_, speaks, speech) => {
    const told = inIvr();
    told.answer({ speech: {} });
    if (speaks) began(told);
    told.atMs += 60_000;
    timer(told, 'speech');
    expect(next(told)?.speechParams).toEqual(speech);
  });

  it('an error during the phrases: they are played to their end', () => {
    const told = inIvr();
    told.answer({ phrases: [silence], speech: {} });
    const { play } = told.one('play');
    ended(told, { reason: 'error', error: 'it is on fire' });
    expect(told.of('stop')).toEqual([]);
    told.atMs += 2_000;
    told.played(play);
    expect(next(told)).toMatchObject({
      speechParams: { reason: 'error', error: 'it is on fire' },
      lastCommandResult: { phrases: 'completed' },
    });
  });

  describe('with dtmf', () => {
    it('a key comes first: nothing needs to be said', () => {
      const told = inIvr();
      told.answer({ speech: {}, dtmf: { maxDigits: 1 } });
      told.press('5');
      expect(next(told)).toMatchObject({
        dtmfParams: { dtmfMatch: '5', reason: 'maxDigits' },
        speechParams: { reason: 'digits' },
      });
    });

    it('a key that waited is an answer, too', () => {
      const told = inIvr();
      told.press('5');
      told.answer({ speech: {}, dtmf: { maxDigits: 1 } });
      expect(next(told)).toMatchObject({
        dtmfParams: { dtmfMatch: '5' },
        speechParams: { reason: 'digits' },
      });
    });

    it.each(['before', 'after'])(
      'speech comes first: keys are waited for no longer, %s their time',
      (when) => {
        const told = inIvr();
        told.answer({ speech: {}, dtmf: { maxDigits: 1 } });
        began(told);
        if (when === 'after') timer(told, 'digit');
        ended(told, YES);
        expect(next(told)?.speechParams).toEqual(YES);
        expect(next(told)?.dtmfParams).toBeUndefined();
      },
    );

    it('neither: both say so', () => {
      const told = inIvr();
      told.answer({ speech: {}, dtmf: { maxDigits: 1 } });
      told.atMs += 20_000;
      timer(told, 'digit');
      timer(told, 'speech');
      expect(next(told)).toMatchObject({
        dtmfParams: { reason: 'firstDigitTimeout' },
        speechParams: { reason: 'noSpeech' },
      });
    });

    it('a beep before a recording starts the times of both', () => {
      const told = inIvr();
      told.answer({ speech: {}, dtmf: {}, record: { fileName: 'a.wav', beep: true } });
      told.played(told.one('play').play);
      expect(timers(told)).toEqual([
        ['record', 7_200_000],
        ['digit', 10_000],
        ['speech', 10_000],
      ]);
    });
  });

  it('a result of an earlier command, of an interrupted one and after the end changes nothing', () => {
    const told = inIvr();
    told.answer({ speech: {} });
    const first = hearing(told);
    began(told);
    ended(told, YES);
    told.answer({ speech: {} });
    expect(hearing(told)).not.toBe(first);
    expect(told.input({ kind: 'speechEnded', hearing: first, speech: YES })).toEqual([]);
    expect(told.input({ kind: 'speechBegan', hearing: first })).toEqual([]);
    told.input({ kind: 'gone', participant: 's-p1', why: 'hungUp' });
    expect(told.input({ kind: 'speechEnded', hearing: hearing(told), speech: YES })).toEqual([]);
  });

  it.each([
    [YES, 'accepted'],
    [{ reason: 'recognised', text: 'maybe' } as const, 'again'],
    [{ reason: 'noMatch' } as const, 'louder'],
  ])('a list goes on by the words: %j', (speech, name) => {
    const told = inIvr();
    const say = (format: string) => ({ name: format, phrases: [silence], getIVRCommandAfter: 60 });
    told.answer([
      { speech: {}, next: { yes: 'accepted', noMatch: 'louder', default: 'again' } },
      say('accepted'),
      say('again'),
      say('louder'),
    ]);
    began(told);
    told.atMs += 2_000;
    ended(told, speech);
    const [connection] = told.session.connections.values();
    expect(connection?.kind === 'ivr' && connection.machine.command?.name).toBe(name);
  });

  it.each([
    ['no language', { language: 'a language' }, '/speech/language'],
    ['too many hints', { hints: Array(501).fill('yes') }, '/speech/hints'],
    ['a confidence of 2', { minConfidence: 2 }, '/speech/minConfidence'],
    ['no time', { endSilence: 0 }, '/speech/endSilence'],
  ])('%s is no command', (_, speech, place) => {
    const told = inIvr();
    told.answer({ speech });
    expect(told.one('alarm')).toMatchObject({
      error: 'IVR command failed',
      reason: expect.stringContaining(place),
    });
  });
});
