import { describe, expect, it } from 'vitest';
import { type AskedPhrase, phrasePlan } from '#appliance/media/prompt/index.ts';
import { ok } from '#shared/result.ts';

const setting = { lang: 'sv' };

describe('phrases of a command as a plan', () => {
  it('keeps every phrase at its place and names what must be prepared', () => {
    const phrases: AskedPhrase[] = [
      { format: 'cloudtts', cloudTTSParameters: { Text: 'Hej' }, volume: -3 },
      { format: 'file', fileName: 'hello.wav', revision: 7, repeat: 2, repeatPause: 1.5 },
      { format: 'silence', duration: 300 },
      { format: 'url', url: 'https://example.com/a.mp3' },
      { format: 'tone', frequency: 425, duration: 200 },
      { format: 'dtmf', digits: '1a#' },
      {
        format: 'cloudtts',
        cloudTTSParameters: {
          Text: '<speak/>',
          VoiceId: 'v',
          LanguageCode: 'en',
          TextType: 'ssml',
          Engine: 'e',
        },
      },
    ];
    const made = phrasePlan(phrases, { ...setting, loop: { pauseMs: 500 } });
    expect(made.plan).toEqual({
      over: 'instead',
      loop: { pauseMs: 500 },
      phrases: [
        { kind: 'awaited', name: 'phrase-0', volumeDb: -3 },
        { kind: 'awaited', name: 'phrase-1', repeat: 2, repeatPauseMs: 1_500 },
        { kind: 'silence', ms: 300 },
        { kind: 'awaited', name: 'phrase-3' },
        { kind: 'tone', segments: [{ sines: [{ hz: 425, levelDbm0: -9 }], ms: 200, rampMs: 2 }] },
        { kind: 'digits', digits: '1A#', onMs: 80, offMs: 80 },
        { kind: 'awaited', name: 'phrase-6' },
      ],
    });
    expect(made.awaited).toEqual([
      { name: 'phrase-0', phrase: 0, source: ok({ kind: 'tts', text: 'Hej', lang: 'sv' }) },
      { name: 'phrase-1', phrase: 1, source: ok({ kind: 'named', fileName: 'hello.wav', revision: 7 }) },
      { name: 'phrase-3', phrase: 3, source: ok({ kind: 'url', url: 'https://example.com/a.mp3' }) },
      {
        name: 'phrase-6',
        phrase: 6,
        source: ok({ kind: 'tts', text: '<speak/>', lang: 'en', voice: 'v', engine: 'e', ssml: true }),
      },
    ]);
  });

  it.each<[AskedPhrase, RegExp]>([
    [{ format: 'dtmf', digits: '12X' }, /"X"/],
    [{ format: 'tone', frequency: 12_000, duration: 5 }, /12000 Hz/],
    [{ format: 'tone', frequency: 400, duration: 5, level: 6 }, /6 dBm0/],
  ])('says what is wrong with %o, and keeps the others', (phrase, reason) => {
    const { plan, awaited } = phrasePlan([{ format: 'silence', duration: 1 }, phrase], setting);
    expect(plan.phrases).toEqual([
      { kind: 'silence', ms: 1 },
      { kind: 'awaited', name: 'phrase-1' },
    ]);
    const error = { code: 'Refused', reason: expect.stringMatching(reason) };
    expect(awaited).toMatchObject([{ name: 'phrase-1', phrase: 1, source: { ok: false, error } }]);
  });
});
