import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const source = join(import.meta.dirname, '../../sdk/js/src');

it('only the adapter for servers of Node names a module of Node: everything else runs in browsers', () => {
  const naming = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => /from 'node:|\bBuffer\b|\bprocess\.\w/.test(readFileSync(join(source, file), 'utf8')));
  expect(naming).toEqual(['node.ts']);
});
