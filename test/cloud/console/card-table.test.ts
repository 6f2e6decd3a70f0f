import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const CONSOLE = join(import.meta.dirname, '../../../cloud/console');
/** `newest.tsx`: its rows are lines of text, and each says by itself what it is. */
const LINES: ReadonlySet<string> = new Set(['page/overview/newest.tsx', 'component/card-table.tsx']);
const sources = readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.tsx') && !file.includes('dist'),
);
const textOf = (file: string): string => readFileSync(join(CONSOLE, file), 'utf8');

it('every table whose rows become cards names its values there', () => {
  const bare = sources.filter((file) => !LINES.has(file) && /<table className=.cards/.test(textOf(file)));
  expect(bare).toEqual([]);
});

it('no table of cards has more columns than the style names', () => {
  const named = textOf('foundation/style.css').match(/content: var\(--title-\d+\)/g)?.length ?? 0;
  const columns = sources.flatMap((file) =>
    [...textOf(file).matchAll(/<CardTable[^>]*?columns=\{\[(.*?)\]\}/gs)].map(
      ([, list = '']) => list.match(/t`|''/g)?.length ?? 0,
    ),
  );
  expect(columns.length).toBeGreaterThan(20);
  // The first column names the row.
  expect(Math.max(...columns)).toBeLessThanOrEqual(named + 1);
});
