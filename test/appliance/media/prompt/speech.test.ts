import { describe, expect, it } from 'vitest';
import {
  keyOf,
  plainText,
  sentences,
  speakersFor,
  type Voice,
  voiceFor,
} from '#appliance/media/prompt/index.ts';

const voice = (id: string, lang = id): Voice => ({ id, lang, rate: 22_050 });
const espeak = {
  id: 'espeak',
  voices: [voice('en-gb'), voice('en-us'), voice('sv'), voice('nb'), voice('fr-fr')],
};
const embedded = { id: 'embedded', voices: [voice('slt', 'en-us'), voice('awb', 'en-gb')] };
const ids = (lang: string, engine?: string) =>
  speakersFor({ lang, ...(engine === undefined ? {} : { engine }) }, [espeak, embedded]).map(({ id }) => id);

describe('the speaker', () => {
  it('is the first that has the language, then the others that have it', () => {
    expect(ids('en')).toEqual(['espeak', 'embedded']);
    expect(ids('sv-SE')).toEqual(['espeak']);
  });
  it('is the engine that was named, when it has the language', () => {
    expect(ids('en-US', 'embedded')).toEqual(['embedded', 'espeak']);
    expect(ids('sv', 'embedded')).toEqual(['espeak']);
    expect(ids('en', 'neural')).toEqual(['espeak', 'embedded']);
  });
  it('is no engine where only English is spoken', () => {
    expect(speakersFor({ lang: 'sv' }, [embedded])).toEqual([]);
    expect(ids('xx')).toEqual([]);
  });
});

describe('which voice', () => {
  const of = (lang: string, name?: string) =>
    voiceFor({ lang, ...(name === undefined ? {} : { voice: name }) }, [...espeak.voices, ...embedded.voices])
      ?.id;
  it('is the one named, if it speaks the language', () => {
    expect(of('en', 'AWB')).toBe('awb');
    expect(of('sv', 'awb')).toBe('sv');
  });
  it('has the region, else the language', () => {
    expect([of('en-US'), of('en_us'), of('en'), of('fr-CA'), of('no'), of('nb-NO')]).toEqual([
      ...['en-us', 'en-us', 'en-gb', 'fr-fr', 'nb', 'nb'],
    ]);
  });
});

describe('the text', () => {
  it('loses its markup where no engine reads it', () => {
    const ssml =
      '<?xml version="1.0"?><speak>Hej <!-- <b>no</b> --><emphasis level="strong">d&#228;r</emphasis> &amp; du<break time="1s"/>Bra.</speak>';
    expect(plainText(ssml)).toBe('Hej där & du. Bra.');
    expect(plainText('<s>One</s><s>two &unknown; &#x110000;</s>')).toBe('One. two &unknown; &#x110000;.');
  });
  it('is cut into sentences, long ones where one breathes', () => {
    expect(sentences('Hello. How are you? Fine', 'en')).toEqual(['Hello. How are you? Fine']);
    const one =
      'This sentence has more than a hundred characters, so that no other finds any room beside it at all, not one.';
    expect(sentences(`Hello. ${one} Fine.`, 'en')).toEqual(['Hello.', one, 'Fine.']);
    const long = sentences(`${'word '.repeat(100)}end.`, 'not a language');
    expect(long.length).toBe(2);
    expect(long.every((each) => each.length <= 300)).toBe(true);
    expect(long.join(' ')).toBe(`${'word '.repeat(100)}end.`);
    expect(sentences('x'.repeat(700), 'en').map(({ length }) => length)).toEqual([300, 300, 100]);
  });
  it('is another prompt in another voice, language, engine or speed', () => {
    const speech = { kind: 'tts', text: 'Hi', lang: 'en' } as const;
    const all = [
      speech,
      { ...speech, text: 'Ho' },
      { ...speech, lang: 'en-US' },
      { ...speech, voice: 'slt' },
      { ...speech, engine: 'espeak' },
      { ...speech, rate: 1.2 },
      { ...speech, ssml: true },
    ].map(keyOf);
    expect(new Set(all).size).toBe(all.length);
    expect(keyOf({ ...speech, rate: 1 })).toBe(keyOf(speech));
  });
});
