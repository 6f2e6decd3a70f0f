import { describe, expect, test } from 'vitest';
import { type Language, languageOf, speaker, type TextKey, texts } from '#installer/text/index.ts';

const languages = Object.keys(texts) as Language[];
const keys = Object.keys(texts.en) as TextKey[];
const gaps = (text: string): readonly string[] => (text.match(/\{\w+\}/g) ?? []).sort();

describe('the texts for technicians', () => {
  test.each(languages)('are all there in %s, with the same gaps as in English', (language) => {
    expect(Object.keys(texts[language]).sort()).toEqual([...keys].sort());
    for (const key of keys) {
      expect(gaps(texts[language][key]), `${language} ${key}`).toEqual(gaps(texts.en[key]));
      expect(texts[language][key].trim(), `${language} ${key}`).not.toBe('');
    }
  });

  test('say of every check what to do about it', () => {
    for (const key of keys) {
      if (key.endsWith('.what')) expect(keys).toContain(key.replace(/what$/, 'do'));
    }
  });

  test('are really in three languages: no sentence is the same in two of them', () => {
    const sentences = keys.filter((key) => texts.en[key].includes(' '));
    for (const key of sentences) {
      expect(texts.sv[key], key).not.toBe(texts.en[key]);
      expect(texts.de[key], key).not.toBe(texts.en[key]);
    }
  });

  test('fill their gaps, and leave an unknown one', () => {
    expect(speaker('en')('check.port.what', { port: 5060, transport: 'udp', holder: 'kamailio' })).toBe(
      'Port 5060 (udp) is in use by kamailio.',
    );
    expect(speaker('de')('upgrade.same')).toContain('{version}');
  });

  test.each([
    [['sv_SE.UTF-8'], 'sv'],
    [[undefined, 'de_AT'], 'de'],
    [['C', 'POSIX'], 'en'],
    [['fr', 'sv'], 'sv'],
  ] as const)('are chosen by the languages %j', (languages, language) => {
    expect(languageOf(...languages)).toBe(language);
  });
});
