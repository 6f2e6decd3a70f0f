import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tool } from './tool.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
/** Folders and files of the documentation that the release carries. */
const FOLDERS = [
  'docs',
  'docs/spec',
  'systemd',
  'systemd/cloud',
  'systemd/monitoring',
  'systemd/monitoring/runbook',
];
const FILES = ['sdk/README.md', 'sdk/js/README.md', 'sdk/python/README.md', 'examples/README.md'];

/** A part of a document below one heading. */
interface Part {
  readonly document: string;
  readonly heading: string;
  readonly text: string;
}

const MOST_FOUND = 8;
const EXCERPT = 500;

/** Search and reading in the documents of this release. */
export function documentTools(): readonly Tool[] {
  let parts: readonly Part[] | undefined;
  const all = (): readonly Part[] => {
    parts ??= documents().flatMap(partsOf);
    return parts;
  };
  return [
    {
      name: 'search_documentation',
      description: `Finds the parts of the documentation that have these words, best first, ${MOST_FOUND} at most.`,
      input: { query: { type: 'string', description: 'Words to look for, such as "callback signature"' } },
      run: ({ query }) => found(all(), String(query)),
    },
    {
      name: 'read_documentation',
      description: 'Reads one document whole, in Markdown.',
      input: {
        document: { type: 'string', description: 'Name as search_documentation gives it, docs/rehearsal.md' },
      },
      run: ({ document }) => {
        if (!documents().includes(String(document)))
          throw new Error(
            `There is no document ${String(document)}. The documents: ${documents().join(', ')}.`,
          );
        return readFileSync(join(ROOT, String(document)), 'utf8');
      },
    },
  ];
}

function documents(): readonly string[] {
  const inFolders = FOLDERS.filter((folder) => existsSync(join(ROOT, folder))).flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  );
  return [...inFolders, ...FILES.filter((name) => existsSync(join(ROOT, name)))];
}

function partsOf(document: string): readonly Part[] {
  const text = readFileSync(join(ROOT, document), 'utf8');
  return text.split(/^(?=#{1,4} )/m).map((part) => ({
    document,
    heading: /^#+ (.*)$/m.exec(part)?.[1] ?? document,
    text: part.trim(),
  }));
}

/** A heading counts more than the text, and a part with all the words more than one with some. */
function found(parts: readonly Part[], query: string): string {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_-]{2,}/gu) ?? [];
  const scored = parts.flatMap((part) => {
    const [text, heading] = [part.text.toLowerCase(), part.heading.toLowerCase()];
    const hits = words.filter((word) => text.includes(word));
    const score =
      hits.length * 10 + hits.filter((word) => heading.includes(word)).length * 5 - text.length / 10_000;
    return hits.length === 0 ? [] : [{ part, score }];
  });
  if (scored.length === 0)
    return `No document has any of the words ${JSON.stringify(query)}. Ask with other words.`;
  return scored
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST_FOUND)
    .map(({ part: { document, heading, text } }) => `## ${heading} (${document})\n\n${excerpt(text, words)}`)
    .join('\n\n');
}

function excerpt(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const first = Math.min(...words.map((word) => lower.indexOf(word)).filter((at) => at >= 0));
  const from = Math.max(0, first - EXCERPT / 4);
  return `${from > 0 ? '…' : ''}${text.slice(from, from + EXCERPT)}${text.length > from + EXCERPT ? '…' : ''}`;
}
