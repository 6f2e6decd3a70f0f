/** Chosen: about ten minutes of speech. */
export const MOST_CHARACTERS = 10_000;
/** Chosen: a sentence beyond this is spoken in pieces, so that no single one takes long. */
const LONGEST_SENTENCE = 300;
/** Chosen: short sentences are spoken together up to this length; each run of a synthesizer costs its start. */
const TOGETHER = 100;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** SSML without its markup: what is left to say. Breaks and ends of paragraphs and sentences stay as pauses. */
export function plainText(ssml: string): string {
  return ssml
    .replace(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g, ' ')
    .replace(/<(break|\/p|\/s)\b[^>]*>/gi, '. ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|\w{1,8});/gi, (whole, name: string) => entity(name) ?? whole)
    .replace(/\s+/g, ' ')
    .replace(/([.!?]) ?(?:\. ?)+/g, '$1 ')
    .trim();
}

function entity(name: string): string | undefined {
  if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()];
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : undefined;
}

/** A text cut where one breathes: sentences, short ones together, long ones at commas or spaces. */
export function sentences(text: string, lang: string): readonly string[] {
  const cut: string[] = [];
  for (const { segment } of new Intl.Segmenter(localeOf(lang), { granularity: 'sentence' }).segment(text)) {
    let rest = segment.trim();
    while (rest.length > LONGEST_SENTENCE) {
      const piece = rest.slice(0, LONGEST_SENTENCE);
      const at = [', ', '; ', ' '].map((mark) => piece.lastIndexOf(mark)).find((found) => found > 0);
      cut.push(rest.slice(0, at === undefined ? LONGEST_SENTENCE : at + 1).trim());
      rest = rest.slice(at === undefined ? LONGEST_SENTENCE : at + 1).trim();
    }
    const before = cut.at(-1);
    if (before !== undefined && before.length + rest.length < TOGETHER)
      cut[cut.length - 1] = `${before} ${rest}`.trim();
    else if (rest !== '') cut.push(rest);
  }
  return cut;
}

const localeOf = (lang: string): string => (/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(lang) ? lang : 'en');
