import type { Entry } from './layout-rule.ts';
import type { Finding } from './source.ts';

export const SPEC = 'docs/spec/';

/** Words by which comments and READMEs cite a document, and the file below `docs/spec` that they open. */
export const DOCUMENTS = [
  { file: 'media-and-sites-api', words: 'media and sites document', example: 'media and sites document 4.4' },
  { file: 'media-and-sites-api', words: 'media document', example: 'media document 2.4' },
  { file: 'media-and-sites-api', words: '(?:API )?document 3', example: 'document 3, 4.3' },
  {
    file: 'runtime-api',
    words: 'runtime(?: API)? document(?: 2(?=, section))?',
    example: 'runtime API document 2.1',
  },
  { file: 'runtime-api', words: '(?:API )?document 2', example: 'document 2, 6' },
  { file: 'provisioning-api', words: 'provisioning(?: API)? document', example: 'provisioning document 2.3' },
  { file: 'provisioning-api', words: '(?:API )?document 1', example: 'document 1, 2.2' },
  { file: 'decisions', words: 'decisions(?: of the project)?', example: 'decisions 4.1' },
  { file: 'control-plane', words: 'control[ -]plane', example: 'control plane 3.6' },
  { file: 'protocols', words: 'protocols', example: 'protocols 2.1' },
  { file: 'media', words: 'media(?: engine)?', example: 'media 18' },
  { file: 'operations', words: 'operations contract', example: 'operations contract, "Health"' },
  // Words that say other things too: cited only with the word `section`.
  { file: 'operations', words: 'operations', example: 'operations, section 2', needsSection: true },
  { file: 'packaging', words: 'packaging', example: 'packaging, section 8', needsSection: true },
  { file: 'foundation', words: 'foundation', example: 'foundation, section 4', needsSection: true },
  { file: 'quality', words: 'quality', example: 'quality, section 1', needsSection: true },
  { file: 'sip', words: 'SIP engine', example: 'SIP engine, section 2', needsSection: true },
  { file: 'product', words: 'product', example: 'product, section 3', needsSection: true },
] as const satisfies readonly { file: string; words: string; example: string; needsSection?: boolean }[];

export interface Citation {
  readonly file: string;
  /** Number of a section, a quoted heading, or undefined: the document as a whole. */
  readonly section: string | undefined;
  readonly line: number;
}

const NUMBER = String.raw`\d{1,2}(?:\.\d{1,2})?(?![\d.]*\d|-|\s*(?:ms|s|kB|KiB|MB|MiB|%|h|min|days|bytes|bit|Hz)\b)`;
const SECTION = String.raw`(?:sections?|part)\s+`;
const NUMBERS = String.raw`${NUMBER}(?:(?:\s*,\s*|\s+(?:and|to|or)\s+)(?:${SECTION})?${NUMBER})*`;
const patterns = DOCUMENTS.map((document) => {
  const section = 'needsSection' in document ? SECTION : `(?:${SECTION})?`;
  const words = document.words.replaceAll(' ', String.raw`\s+`);
  const tail = String.raw`,?\s+\(?(?:${section}(?<numbers>${NUMBERS})|"(?<heading>[^"]+)")`;
  const whole = /document/.test(document.words) ? '?' : '';
  return { file: document.file, pattern: new RegExp(String.raw`\b(?:${words})\b(?:${tail})${whole}`, 'gi') };
});

/** A section without a document, and with no standard or manual just before it. */
const ALONE = new RegExp(String.raw`\b${SECTION}(?<numbers>${NUMBERS})`, 'gi');
const FOREIGN = /(?:RFC|MQTT|GSM|draft|manual|specification|standard|3\.1\.1)\b[^.;:]{0,60}$/i;

/**
 * Every citation of a text. A section that is cited alone belongs to the document that was named last before it; a
 * document below `docs/spec` means its own.
 */
export function citationsIn({ path, text }: Entry): Citation[] {
  const own = path.startsWith(SPEC) ? path.slice(SPEC.length, -'.md'.length) : undefined;
  // Comments are read across their lines; places stay what they are.
  const flat = text.replace(/\n[ \t]*(?:\*(?!\/)|\/\/|#(?!#))?[ \t]*/g, (lead) => ' '.repeat(lead.length));
  const found: { file: string; numbers: string[]; from: number; to: number }[] = [];
  const isFree = (from: number) => !found.some((each) => from >= each.from && from < each.to);
  for (const { file, pattern } of patterns)
    for (const { 0: whole, index, groups = {} } of flat.matchAll(pattern))
      if (isFree(index)) found.push({ file, numbers: cited(groups), from: index, to: index + whole.length });
  for (const { 0: whole, index, groups = {} } of flat.matchAll(ALONE)) {
    const named = found.filter(({ from }) => from < index).sort((a, b) => b.from - a.from)[0];
    const file = own ?? named?.file;
    if (file && isFree(index) && !FOREIGN.test(flat.slice(Math.max(0, index - 90), index)))
      found.push({ file, numbers: cited(groups), from: index, to: index + whole.length });
  }
  return found
    .sort((a, b) => a.from - b.from)
    .flatMap(({ file, numbers, from }): Citation[] => {
      const line = text.slice(0, from).split('\n').length;
      if (numbers.length === 0) return [{ file, section: undefined, line }];
      return numbers.map((section) => ({ file, section, line }));
    });
}

const cited = ({ numbers, heading }: Record<string, string | undefined>): string[] =>
  heading === undefined ? (numbers?.match(/\d+(?:\.\d+)?/g) ?? []) : [heading.replaceAll(/\s+/g, ' ')];

/** Numbers and titles of the headings of a document. */
export function headingsOf(text: string): Set<string> {
  return new Set(
    [...text.matchAll(/^#{2,4} (?:(\d+(?:\.\d+)?)\.? )?(.+)$/gm)].flatMap(([, number, title = '']) =>
      number === undefined ? [title] : [number, title],
    ),
  );
}

const IS_CITING = /\.(?:ts|tsx|mjs|md|sh|service|toml|ya?ml|conf)$/;
/** Plants citations, or lists what others wrote. */
const IS_SILENT = /^(?:test\/vectors\/|test\/architecture\/citation|docs\/decisions\.md$|CHANGELOG\.md$)/;

/** Citations that open nothing. */
export function deadCitations(entries: readonly Entry[]): Finding[] {
  const documents = new Map(
    entries
      .filter(({ path }) => path.startsWith(SPEC) && path.endsWith('.md'))
      .map(({ path, text }) => [path.slice(SPEC.length, -'.md'.length), headingsOf(text)]),
  );
  return entries
    .filter(({ path }) => IS_CITING.test(path) && !IS_SILENT.test(path))
    .flatMap(({ path, text }) =>
      citationsIn({ path, text }).flatMap(({ file, section, line }): Finding[] => {
        const headings = documents.get(file);
        if (headings === undefined)
          return [{ path, line, fault: `cites ${SPEC}${file}.md, which is not there` }];
        if (section === undefined || headings.has(section)) return [];
        return [{ path, line, fault: `cites section ${section} of ${SPEC}${file}.md, which has none` }];
      }),
    );
}
