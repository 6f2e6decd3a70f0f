import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Schema, words } from '#cloud/console/component/form/schema.ts';
import { FIELD_WORDS as GERMAN } from '#cloud/console/text/field/de.ts';
import { FIELD_WORDS as SWEDISH } from '#cloud/console/text/field/sv.ts';
import { contractSchema } from '#installer/build/console/contract-schema.mjs';

const CONSOLE = join(import.meta.dirname, '../../../cloud/console');

/** Names of the contracts that a form of the console is made from. */
const contracts = new Set(
  globSync('**/*.tsx', { cwd: CONSOLE, exclude: ['dist/**'] }).flatMap((name) =>
    [...readFileSync(join(CONSOLE, name), 'utf8').matchAll(/'virtual:contract\/(\w+)'/g)].map(
      ([, contract]) => contract ?? '',
    ),
  ),
);

/** The name, help and unit of each field of a contract. */
function said(node: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof node !== 'object' || node === null) return found;
  const { properties = {} } = node as Schema;
  for (const [name, field] of Object.entries(properties))
    for (const text of [field['x-label'] ?? words(name), field.description, field['x-unit']])
      if (text !== undefined) found.add(text);
  for (const inner of Object.values(node)) said(inner, found);
  return found;
}

const english = new Set([...contracts].flatMap((contract) => [...said(contractSchema(contract))]));

describe.each([
  ['Swedish', SWEDISH],
  ['German', GERMAN],
])('the fields of forms in %s', (_, spoken) => {
  it('have each name, help and unit, and no word that no form has', () => {
    expect(english.size).toBeGreaterThan(300);
    expect([...english].filter((text) => spoken[text] === undefined)).toEqual([]);
    expect(Object.keys(spoken).filter((text) => !english.has(text))).toEqual([]);
  });
});
