import { describe, expect, it } from 'vitest';
import { wiringOf } from '#appliance/call/media-session/index.ts';
import type { SpeechParams } from '#shared/contract/callback/index.ts';
import { inIvr, type Telling } from './world.ts';

const silence = { format: 'silence', duration: 10 };
const YES: SpeechParams = { reason: 'recognised', text: 'Yes.', confidence: 0.9 };
const timers = (story: Telling) => story.of('startTimer').map(({ timer, ms }) => [timer.split(' ')[0], ms]);
const hearing = (story: Telling) => wiringOf(story.session).hearings[0]?.id ?? 'none';
const began = (story: Telling) => story.input({ kind: 'speechBegan', hearing: hearing(story) });
const ended = (story: Telling, speech: SpeechParams) =>
  story.input({ kind: 'speechEnded', hearing: hearing(story), speech });
const timer = (story: Telling, name: string) => {
  const [connection] = story.session.connections.keys();
  return story.input({ kind: 'timer', timer: `${name} ${connection}` });
};
const next = (story: Telling) => {
  const { ask } = story.one('ask');
  return ask.callback === 'getIvrCommand' ? ask : undefined;
};

describe('the IVR command speech', () => {
  it('listens with the phrases, stops them at the first word, and says the text with the next request', () => {
    const story = inIvr();
    story.answer({ phrases: [silence], speech: { language: 'en' } });
    const { play } = story.one('play');
    expect(wiringOf(story.session).hearings).toMatchObject([
      { participant: 's-p1', speech: { language: 'en', endSilence: 1_000 } },
    ]);
    began(story);
    expect(story.one('stop').play).toBe(play);
    expect(timers(story)).toEqual([['speech', 30_000 + 1_000 + 5_000 + 2_000]]);
    story.played(play, ['interrupted']);
    expect(story.of('ask')).toEqual([]);
    ended(story, YES);
    expect(next(story)).toMatchObject({
      speechParams: YES,
      lastCommandResult: { phrases: 'interrupted' },
    });
    expect(wiringOf(story.session).hearings).toEqual([]);
  });

  it('bargeIn false: listens after the phrases', () => {
    const story = inIvr();
    story.answer({ phrases: [silence], speech: { bargeIn: false, firstSpeechTimeout: 700 } });
    expect(wiringOf(story.session).hearings).toEqual([]);
    story.played(story.one('play').play);
    expect(wiringOf(story.session).hearings).toHaveLength(1);
    expect(timers(story)).toEqual([['speech', 700]]);
  });

  it.each([
    ['that says nothing', false, { reason: 'noSpeech' }],
    [
      'whose recogniser does not answer',
      true,
      { reason: 'error', error: 'the recogniser has not answered in time' },
    ],
  ])('a caller %s is not stuck', (_, speaks, speech) => {
    const story = inIvr();
    story.answer({ speech: {} });
    if (speaks) began(story);
    story.atMs += 60_000;
    timer(story, 'speech');
    expect(next(story)?.speechParams).toEqual(speech);
  });

  it('an error during the phrases: they are played to their end', () => {
    const story = inIvr();
    story.answer({ phrases: [silence], speech: {} });
    const { play } = story.one('play');
    ended(story, { reason: 'error', error: 'it is on fire' });
    expect(story.of('stop')).toEqual([]);
    story.atMs += 2_000;
    story.played(play);
    expect(next(story)).toMatchObject({
      speechParams: { reason: 'error', error: 'it is on fire' },
      lastCommandResult: { phrases: 'completed' },
    });
  });

  describe('with dtmf', () => {
    it('a key comes first: nothing needs to be said', () => {
      const story = inIvr();
      story.answer({ speech: {}, dtmf: { maxDigits: 1 } });
      story.press('5');
      expect(next(story)).toMatchObject({
        dtmfParams: { dtmfMatch: '5', reason: 'maxDigits' },
        speechParams: { reason: 'digits' },
      });
    });

    it('a key that waited is an answer, too', () => {
      const story = inIvr();
      story.press('5');
      story.answer({ speech: {}, dtmf: { maxDigits: 1 } });
      expect(next(story)).toMatchObject({
        dtmfParams: { dtmfMatch: '5' },
        speechParams: { reason: 'digits' },
      });
    });

    it.each(['before', 'after'])(
      'speech comes first: keys are waited for no longer, %s their time',
      (when) => {
        const story = inIvr();
        story.answer({ speech: {}, dtmf: { maxDigits: 1 } });
        began(story);
        if (when === 'after') timer(story, 'digit');
        ended(story, YES);
        expect(next(story)?.speechParams).toEqual(YES);
        expect(next(story)?.dtmfParams).toBeUndefined();
      },
    );

    it('neither: both say so', () => {
      const story = inIvr();
      story.answer({ speech: {}, dtmf: { maxDigits: 1 } });
      story.atMs += 20_000;
      timer(story, 'digit');
      timer(story, 'speech');
      expect(next(story)).toMatchObject({
        dtmfParams: { reason: 'firstDigitTimeout' },
        speechParams: { reason: 'noSpeech' },
      });
    });

    it('a beep before a recording starts the times of both', () => {
      const story = inIvr();
      story.answer({ speech: {}, dtmf: {}, record: { fileName: 'a.wav', beep: true } });
      story.played(story.one('play').play);
      expect(timers(story)).toEqual([
        ['record', 7_200_000],
        ['digit', 10_000],
        ['speech', 10_000],
      ]);
    });
  });

  it('a result of an earlier command, of an interrupted one and after the end changes nothing', () => {
    const story = inIvr();
    story.answer({ speech: {} });
    const first = hearing(story);
    began(story);
    ended(story, YES);
    story.answer({ speech: {} });
    expect(hearing(story)).not.toBe(first);
    expect(story.input({ kind: 'speechEnded', hearing: first, speech: YES })).toEqual([]);
    expect(story.input({ kind: 'speechBegan', hearing: first })).toEqual([]);
    story.input({ kind: 'gone', participant: 's-p1', why: 'hungUp' });
    expect(story.input({ kind: 'speechEnded', hearing: hearing(story), speech: YES })).toEqual([]);
  });

  it.each([
    [YES, 'accepted'],
    [{ reason: 'recognised', text: 'maybe' } as const, 'again'],
    [{ reason: 'noMatch' } as const, 'louder'],
  ])('a list goes on by the words: %j', (speech, name) => {
    const story = inIvr();
    const say = (format: string) => ({ name: format, phrases: [silence], getIVRCommandAfter: 60 });
    story.answer([
      { speech: {}, next: { yes: 'accepted', noMatch: 'louder', default: 'again' } },
      say('accepted'),
      say('again'),
      say('louder'),
    ]);
    began(story);
    story.atMs += 2_000;
    ended(story, speech);
    const [connection] = story.session.connections.values();
    expect(connection?.kind === 'ivr' && connection.machine.command?.name).toBe(name);
  });

  it.each([
    ['no language', { language: 'a language' }, '/speech/language'],
    ['too many hints', { hints: Array(501).fill('yes') }, '/speech/hints'],
    ['a confidence of 2', { minConfidence: 2 }, '/speech/minConfidence'],
    ['no time', { endSilence: 0 }, '/speech/endSilence'],
  ])('%s is no command', (_, speech, place) => {
    const story = inIvr();
    story.answer({ speech });
    expect(story.one('alarm')).toMatchObject({
      error: 'IVR command failed',
      reason: expect.stringContaining(place),
    });
  });
});
