/** One page of the site, before it is drawn. */
export interface Page {
  /** Below `/docs/`: `concepts/alarm`; empty: the first page. */
  readonly address: string;
  readonly title: string;
  /** One sentence, for the list of pages and for the search. */
  readonly summary: string;
  /** Markdown below the title; links lead to addresses of the site or to the outside. */
  readonly body: string;
}

/** A part of the navigation, with its pages in the order in which they are read. */
export interface Section {
  readonly label: string;
  readonly pages: readonly Page[];
}

/** A table; a cell may hold any text. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ').trim();

export const code = (text: string): string =>
  text === '' ? '' : text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;

export const fenced = (language: string, text: string): string =>
  `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;

export const json = (value: unknown): string => fenced('json', JSON.stringify(value, null, 2));

/** Parts of a page with an empty line between them; empty ones are left out. */
export const joined = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join('\n\n');

/** A name as a part of an address. */
export const slug = (name: string): string =>
  name
    .replaceAll('#', 'sharp')
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** Text that Markdown would take for markup outside of code. */
export const plain = (text: string): string => text.replaceAll(/([<>{}*_[\]])/g, '\\$1');
