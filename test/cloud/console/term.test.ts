import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const TEXTS = join(import.meta.dirname, '..', '..', '..', 'cloud', 'console', 'text');

interface Term {
  /** The English term, one or more of it. */
  readonly term: RegExp;
  readonly de: RegExp;
  readonly sv: RegExp;
}

/** Terms of the console and their one word in each other language: a reader finds on one page what another page names. */
const TERMS: readonly Term[] = [
  { term: /\bclaim codes?\b/i, de: /Beitrittscode/i, sv: /anslutningskod/i },
  { term: /\bcontrol planes?\b/i, de: /Steuerungsebene/i, sv: /styrplan/i },
  { term: /\btenants?\b(?!, whom)/i, de: /Mandant/i, sv: /kund/i },
  { term: /(?<!on |ask the |notices of this )\bsites?\b/i, de: /Standort/i, sv: /anläggning/i },
  { term: /\bhosts?\b(?! of this machine)/i, de: /Host/i, sv: /värd/i },
  { term: /\bdevices?\b/i, de: /Gerät/i, sv: /enhet/i },
  { term: /\bappliances?\b/i, de: /Appliance/i, sv: /apparat/i },
  { term: /\bincidents?\b/i, de: /Störung/i, sv: /incident/i },
  { term: /\balarm receivers?\b/i, de: /Alarmempfänger/i, sv: /larmmottagar/i },
  { term: /\bcallbacks?\b/i, de: /Callback/i, sv: /återanrop/i },
  { term: /\brecordings?\b(?! (?:services?|sessions?))/i, de: /Aufnahme/i, sv: /inspelning/i },
  { term: /\brecording services?\b/i, de: /Aufzeichnungsdienst/i, sv: /inspelningstjänst/i },
  { term: /\brecording sessions?\b/i, de: /Aufzeichnungssitzung/i, sv: /inspelningssession/i },
  { term: /\bdestinations?\b(?! match)/i, de: /Ziel/i, sv: /destination/i },
  { term: /\bdrain(?:s|ed|ing)?\b/i, de: /leer/i, sv: /töm/i },
  { term: /\bprompts?\b/i, de: /Ansage/i, sv: /meddelande/i },
  { term: /\bbrokers?\b/i, de: /Broker/i, sv: /bro(?:ker|krar)/i },
  { term: /\bshards?\b/i, de: /Shard/i, sv: /shard/i },
  { term: /\bcertificates?\b/i, de: /Zertifikat/i, sv: /certifikat/i },
  { term: /\brevisions?\b/i, de: /Revision/i, sv: /revision/i },
  { term: /\btrunks?\b/i, de: /Trunk/i, sv: /trunk/i },
];

/** Values, tags, and names of the API stand in each language as they are. */
const FOREIGN = /\{\w+\}|<\d+>[^<]*<\/\d+>|\b[a-z]+[A-Z]\w*|\bCARILLON_\w+/g;

function rowsOf(language: 'de' | 'sv'): (readonly [english: string, words: string])[] {
  const text = readFileSync(join(TEXTS, `${language}.po`), 'utf8');
  return [...text.matchAll(/^msgid "(.*)"\nmsgstr "(.*)"$/gm)].map(([, english = '', words = '']) => [
    english,
    words,
  ]);
}

const otherwise = (rows: ReturnType<typeof rowsOf>, { term, ...words }: Term, language: 'de' | 'sv') =>
  rows.filter(
    ([english, said]) =>
      term.test(english.replaceAll(FOREIGN, ' ')) && said !== '' && !words[language].test(said),
  );

describe.each(['de', 'sv'] as const)('the terms of the console in %s', (language) => {
  const rows = rowsOf(language);

  it.each(TERMS)('$term', (term) => {
    expect(otherwise(rows, term, language)).toEqual([]);
  });

  it('are found in many sentences, and another word is seen', () => {
    expect(rows.length).toBeGreaterThan(2_000);
    const [first] = TERMS;
    if (first === undefined) throw new Error('There is no term.');
    const planted = ['Create a claim code', 'Etwas anderes'] as const;
    expect(otherwise([...rows, planted], first, language)).toEqual([planted]);
  });
});
