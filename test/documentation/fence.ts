import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTENTS } from '#installer/documentation/contents.ts';
import { ROOT } from '#test/architecture/repository.ts';

/** A fenced block of a page: its language, the words behind that, and its text. */
export interface Fence {
  readonly page: string;
  readonly language: string;
  readonly words: readonly string[];
  readonly text: string;
}

/** Pages that people write for the site; documents that were there before have tests of their own. */
export const WRITTEN: readonly string[] = [
  'docs/README.md',
  ...globSync('docs/{start,concepts,guides,recipes,about}/*.md', { cwd: ROOT }).toSorted(),
];

/** Files that the navigation names. */
export const NAMED: ReadonlySet<string> = new Set(
  Object.values(CONTENTS)
    .flat()
    .map(({ file }) => file),
);

const BLOCK = /^ *```(\S*)([^\n]*)\n([\s\S]*?)^ *```$/gm;

export const fencesIn = (page: string, text: string): Fence[] =>
  [...text.matchAll(BLOCK)].map(([, language = '', words = '', block = '']) => ({
    ...{ page, language, words: words.trim().split(/\s+/) },
    text: block.replaceAll(/^ {3}/gm, '').trim(),
  }));

export const writtenFences = (): Fence[] =>
  WRITTEN.flatMap((page) => fencesIn(page, readFileSync(join(ROOT, page), 'utf8')));

/** The lines of a block as the shell takes them: those that end in a backslash go on. */
export const commandsIn = ({ text }: Fence): string[] =>
  text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
