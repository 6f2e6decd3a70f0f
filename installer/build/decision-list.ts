import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dirname } from 'node:path/posix';

export interface Decision {
  readonly kind: string;
  /** The name that the comment stands above, where there is one. */
  readonly about: string | undefined;
  readonly text: string;
}

const FOLDERS = 'appliance cloud installer shared systemd test'.split(' ');
const ENDS = 'ts tsx mjs md sh service toml yml yaml conf'.split(' ');
/** They speak about the marks. */
const SILENT = /^(?:test\/vectors\/|test\/architecture\/|installer\/build\/(?:decision-list|README))/;

const MARK = /(?<![\w`])`?(Chosen|Deviation|Interop):`?\s/;
const COMMENT = /^\s*(?:\/\*\*?|\*(?!\/)|\/\/|#)\s?/;
/** Where a paragraph of a comment or of a README ends. */
const NEXT = /^\s*(?:$|[-|*] |#+ |\d+\. |@\w)/;
const DECLARED =
  /^\s*(?:export )?(?:async )?(?:const|let|function|class|interface|type) (\w+)|^\s*(?:readonly )?(\w+)\??:/;

/** The `Chosen:`, `Deviation:` and `Interop:` remarks of one text, in its order. */
export function decisionsIn(path: string, text: string): Decision[] {
  const all = text.split('\n');
  const isProse = path.endsWith('.md');
  return all.flatMap((_, at) => {
    const { spoken, after } = paragraph(all, at, isProse);
    const about = isProse
      ? undefined
      : DECLARED.exec(all[after] ?? '')
          ?.slice(1)
          .find(Boolean);
    return decisionsOf(spoken, about);
  });
}

/** The marks of one line, each with what follows it until the next mark. */
function decisionsOf(spoken: readonly string[], about: string | undefined): Decision[] {
  const [first = '', ...rest] = spoken;
  if (!MARK.test(first)) return [];
  const pieces = first.split(new RegExp(MARK, 'g')).slice(1);
  const count = pieces.length / 2;
  return Array.from({ length: count }, (_, index) => {
    const more = index === count - 1 ? rest : [];
    return { kind: pieces[2 * index] ?? '', about, text: sentence([pieces[2 * index + 1] ?? '', ...more]) };
  });
}

const sentence = (parts: readonly string[]): string => parts.join(' ').replaceAll(/\s+/g, ' ').trim();

/** Line `at` without its signs of a comment, the lines that go on with it, and the first line of code behind. */
function paragraph(
  all: readonly string[],
  at: number,
  isProse: boolean,
): { spoken: string[]; after: number } {
  const line = all[at] ?? '';
  const spoken = [isProse ? cellOf(line) : bare(line)];
  const isTrailing = !isProse && !COMMENT.test(line);
  let after = at + 1;
  let isOpen = !(isTrailing || (isProse && /^\s*\|/.test(line)) || /\*\/\s*$/.test(line));
  for (; isOpen && after < all.length; after++) {
    const next = all[after] ?? '';
    const content = isProse ? next : next.replace(COMMENT, '');
    if (
      (!isProse && !COMMENT.test(next) && !/^\s*\*\//.test(next)) ||
      NEXT.test(content) ||
      MARK.test(content)
    )
      break;
    isOpen = !/\*\/\s*$/.test(next);
    spoken.push(isProse ? next : bare(next));
  }
  while (
    !isProse &&
    after < all.length &&
    COMMENT.test(all[after] ?? '') &&
    !/^\s*\/\*\*/.test(all[after] ?? '')
  )
    after++;
  if (/^\s*\*\/\s*$/.test(all[after] ?? '')) after++;
  return { spoken, after };
}

/** The cell of a table row that has the mark. */
const cellOf = (line: string): string =>
  /^\s*\|/.test(line)
    ? (line.split(' | ').find((cell) => MARK.test(cell)) ?? line).replace(/\s*\|\s*$/, '')
    : line;

function bare(line: string): string {
  const trailing = COMMENT.test(line)
    ? line.replace(COMMENT, '')
    : line.slice(Math.max(0, line.search(/\/\/|\/\*/)));
  return trailing.replace(/^\s*(?:\/\*\*?|\/\/)\s?/, '').replace(/\s*\*\/\s*.*$/, '');
}

/** `docs/decisions.md`: every decision of the tree, grouped by folder. */
export function decisionDocument(root: string): string {
  const paths = globSync(`{${FOLDERS.join(',')}}/**/*.{${ENDS.join(',')}}`, {
    cwd: root,
    exclude: (name) => /(?:^|[\\/])(?:node_modules|dist)$/.test(name),
  })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !SILENT.test(path))
    .sort();
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const items = decisionsIn(path, readFileSync(join(root, path), 'utf8')).map(
      ({ kind, about, text }) => `- \`${path}\`${about ? ` (\`${about}\`)` : ''}, ${kind}: ${text}`,
    );
    if (items.length > 0) groups.set(dirname(path), [...(groups.get(dirname(path)) ?? []), ...items]);
  }
  const parts = [...groups].map(([folder, items]) => `## ${folder}\n\n${items.join('\n')}\n`);
  return `${HEAD}\n${parts.join('\n')}`;
}

const HEAD = `# Decisions in the code

\`npm run docs:decisions\` writes this file from the comments and READMEs; change them, not this list.
\`Chosen:\` marks what the documents leave open and the project has settled, \`Deviation:\` what is done otherwise
than a standard says, \`Interop:\` what is done for devices and programs that do not follow one.
`;
