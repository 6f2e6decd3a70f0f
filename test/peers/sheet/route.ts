import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const LIST = join(import.meta.dirname, '../../../cloud/console/foundation/page-list.ts');

/** Paths of the list of pages, as the router reads them. Its macros are for the bundler: the source is read as text. */
export function pagePaths(): readonly string[] {
  const source = readFileSync(LIST, 'utf8');
  return [...source.matchAll(/^\s*(?:\{\s*)?path: '([^']+)'/gm)].map(([, path]) => path ?? '');
}

/**
 * The address of a page below `/console/`. `examples`: what stands in place of a part (`$recordId`), by the path of the page.
 * A page with a part and no example fails: it would stay unseen.
 */
export function addressOf(path: string, examples: Readonly<Record<string, string>>): string {
  const example = examples[path];
  if (example !== undefined) return example;
  const plain = path.replace(/\/\$$/, '');
  if (plain.includes('$'))
    throw new Error(
      `The page ${path} has no example: add one where the sheet and the test of axe name theirs.`,
    );
  return plain;
}
