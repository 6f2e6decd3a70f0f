import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join, normalize } from 'node:path/posix';
import { CONTENTS } from './contents.ts';
import { fenced, type Page } from './page.ts';

/** Languages of fenced blocks by the ending of an included file. */
const LANGUAGES: Readonly<Record<string, string>> = {
  '.ts': 'ts',
  '.py': 'python',
  '.go': 'go',
  '.java': 'java',
  '.php': 'php',
  '.cs': 'csharp',
  '.json': 'json',
  '.xml': 'xml',
};

/** Stands in a page where the text of a file of the repository goes; a link to the file stands above it. */
const INCLUDE = /^<!-- include: `?([^\s`]+)`? -->$/gm;
const PICTURE = /^!\[([^\]]*)\]\((\S+\.svg)\)$/gm;
const LINK = /(?<!!)\[([^\]]+)\]\(([^)\s]+)\)/g;

/** The addresses of the pages that are files of the repository, by those files. */
const ADDRESSES: ReadonlyMap<string, string> = new Map([
  ...Object.values(CONTENTS)
    .flat()
    .map(({ file, address }) => [file, address] as const),
  ['docs/README.md', ''],
  ['docs/logging.md', 'reference/log'],
]);

/** A page as it stands in the repository, with its links, pictures and included files as the site has them. */
export function ownPage(root: string, address: string, file: string): Page {
  const text = readFileSync(join(root, file), 'utf8');
  const [head = '', ...rest] = text.split('\n');
  if (!head.startsWith('# '))
    throw new Error(`${file} does not begin with its title: write "# Title" in its first line`);
  const body = outsideCode(rest.join('\n').trim(), (prose) =>
    prose
      .replaceAll(PICTURE, (_, alt: string, picture: string) =>
        pictureOf(root, join(dirname(file), picture), alt),
      )
      .replaceAll(LINK, (_, label: string, target: string) => linkOf(root, file, label, target)),
  ).replaceAll(INCLUDE, (_, included: string) => includedFile(root, file, included));
  return { address, title: head.slice(2).trim(), summary: firstSentence(body), body };
}

/** Applies `change` to everything but fenced blocks. */
const outsideCode = (text: string, change: (prose: string) => string): string =>
  text
    .split(/^(```[\s\S]*?^```)$/m)
    .map((part) => (part.startsWith('```') ? part : change(part)))
    .join('');

function includedFile(root: string, page: string, file: string): string {
  if (!existsSync(join(root, file))) throw new Error(`${page} includes ${file}, which is nowhere`);
  return fenced(LANGUAGES[extname(file)] ?? 'text', readFileSync(join(root, file), 'utf8'));
}

/** The picture in the page itself, so that it has the colours of the page. Its own style stays in the file, for other readers. */
function pictureOf(root: string, file: string, alt: string): string {
  const svg = readFileSync(join(root, file), 'utf8')
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace('<svg ', `<svg role="img" aria-label="${alt.replaceAll('"', '&quot;')}" class="picture" `)
    .replaceAll(/\n\s*/g, '');
  return `<figure>${svg}</figure>`;
}

/** Pages lead to pages; a file of the repository that is no page is named by its path. */
function linkOf(root: string, page: string, label: string, target: string): string {
  if (/^(?:https?:|mailto:|#|\/)/.test(target)) return `[${label}](${target})`;
  const [path = '', anchor = ''] = target.split('#');
  const file = normalize(join(dirname(page), path));
  const address = ADDRESSES.get(file);
  if (address !== undefined)
    return `[${label}](/docs${address === '' ? '' : `/${address}`}${anchor === '' ? '' : `#${anchor}`})`;
  const generated = /^docs\/(protocols|callbacks|reference)\/(.+)\.md$/.exec(file);
  if (generated !== null) throw new Error(`${page} links ${target}: name a generated page as /docs/…`);
  if (!existsSync(join(root, file))) throw new Error(`${page} links ${target}, which is nowhere`);
  return label.includes(file) || label.startsWith('`') ? label : `${label} (\`${file}\`)`;
}

function firstSentence(body: string): string {
  const paragraph = body.split(/\n\s*\n/).find((each) => /^[A-Z`*[]/.test(each)) ?? '';
  const flat = paragraph
    .replaceAll('\n', ' ')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*`]/g, '');
  return /^.*?[.:](?=\s|$)/.exec(flat)?.[0].replace(/:$/, '.') ?? flat;
}
