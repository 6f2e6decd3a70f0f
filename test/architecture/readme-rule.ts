import { basename, dirname, join } from 'node:path/posix';
import type { Command } from 'commander';
import type { Entry } from './layout-rule.ts';
import type { Finding } from './source.ts';

/** Names of sources as a text says them: in back quotes, alone or with the folders before it. */
const NAMED_SOURCE = /`([\w.*/-]+\.(?:ts|tsx|mjs))`/g;

/** READMEs, and documents that lead through the sources. */
const NAMING = /(?:^|\/)README\.md$|^CONTRIBUTING\.md$|^docs\/(?:architecture|glossary)\.md$|^docs\/spec\//;

/** Sources that a README or a document names and that no folder has any more. */
export function staleNames(entries: readonly Entry[]): Finding[] {
  const paths = entries.map(({ path }) => path);
  const known = new Set(paths);
  const names = new Set(paths.map((path) => basename(path)));
  return entries
    .filter(({ path }) => NAMING.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(NAMED_SOURCE)]
        .filter(([, name = '']) => !name.includes('*') && !isThere(name, path))
        .map(({ 1: name, index }) => {
          const line = text.slice(0, index).split('\n').length;
          return { path, line, fault: `names ${name}, which is nowhere` };
        }),
    );

  function isThere(name: string, readme: string): boolean {
    if (!name.includes('/')) return names.has(name);
    const from = [dirname(readme), dirname(dirname(readme))].map((folder) => join(folder, name));
    // `../x.ts` may be meant as a file of a folder below sees it.
    const end = `/${name.replace(/^(\.\.\/)+/, '')}`;
    return [...from, name].some((path) => known.has(path)) || paths.some((path) => path.endsWith(end));
  }
}

/** Commands that a text asks a person to type: `carillon …`, with or without npx, sudo and a place before it. */
const TYPED = /(?:^|[`(])(?:npx |sudo )*carillon ([a-z][^`|\n]*?)(?= {3}|`|$)/gm;

/** Commands that a text names and the command line does not know, and flags that a command does not take. */
export function unknownCommands(text: string, root: Command): string[] {
  return [...text.matchAll(TYPED)].flatMap(([, typed = '']) => {
    const words = typed.split(/[\s;]+/);
    let command = root;
    let at = 0;
    for (; at < words.length; at++) {
      const next = command.commands.find((each) => each.name() === words[at]);
      if (next === undefined) break;
      command = next;
    }
    // A group may be named by itself; whatever follows it is one of its commands, unless it is a command with an argument, too.
    const isGroup = command.commands.length > 0 && command.registeredArguments.length === 0;
    if (isGroup && (command === root || /^[a-z]/.test(words[at] ?? '')))
      return [`carillon ${typed}: no such command`];
    const flags = [...typed.matchAll(/(?:^|\s)(--[a-z][a-z0-9-]*)/g)].map(([, flag = '']) => flag);
    const taken = ['--help', ...command.options.map(({ long }) => long)];
    return flags.filter((flag) => !taken.includes(flag)).map((flag) => `carillon ${typed}: takes no ${flag}`);
  });
}
