import '../english.ts';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { i18n } from '@lingui/core';
import { expect, it } from 'vitest';
import { CHOICE_WORDS, choiceWordsOf } from '#cloud/console/component/form/choice-words.ts';
import type { Schema } from '#cloud/console/component/form/schema.ts';
import { contractSchema } from '#installer/build/console/contract-schema.mjs';

const CONSOLE = join(import.meta.dirname, '../../../../cloud/console');
/** Choices whose words stand in the one form that has them. */
const IN_THEIR_FORM = ['authType', 'personStatements', 'recordNumbers'];
/** Kinds of a device; those of an event have the same name of their field. */
const isDeviceKind = (values: readonly string[]): boolean => values.includes('sipDevice');

const contracts = new Set(
  globSync('**/*.tsx', { cwd: CONSOLE, exclude: ['dist/**'] }).flatMap((name) =>
    [...readFileSync(join(CONSOLE, name), 'utf8').matchAll(/'virtual:contract\/(\w+)'/g)].map(
      ([, contract]) => contract ?? '',
    ),
  ),
);

/** `field value` of each choice in a contract. */
function choices(node: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof node !== 'object' || node === null) return found;
  const { properties = {} } = node as Schema;
  for (const [name, field] of Object.entries(properties)) {
    const values = field.enum ?? (typeof field.const === 'string' ? [field.const] : []);
    if (IN_THEIR_FORM.includes(name) || isDeviceKind(values)) continue;
    for (const value of values) found.add(`${name} ${value}`);
  }
  for (const inner of Object.values(node)) choices(inner, found);
  return found;
}

const all = new Set([...contracts].flatMap((contract) => [...choices(contractSchema(contract))]));
const words = Object.entries(CHOICE_WORDS).flatMap(([field, values]) =>
  Object.keys(values).map((value) => `${field} ${value}`),
);
/** Protocols of all fields share their words; those of an event are words of records too. */
const isShared = (choice: string): boolean =>
  /^(\w*[pP]rotocol|deviceType|statusCode|location) /.test(choice);

it('every value of a choice in a form has its words, and the words no other', () => {
  expect(all.size).toBeGreaterThan(60);
  expect([...all].filter((choice) => !words.includes(choice))).toEqual([]);
  expect(words.filter((choice) => !isShared(choice) && !all.has(choice))).toEqual([]);
  const protocols = new Set(
    [...all].filter((choice) => /rotocol /.test(choice)).map((choice) => choice.split(' ')[1]),
  );
  expect(Object.keys(CHOICE_WORDS.protocol ?? {}).filter((name) => !protocols.has(name))).toEqual([]);
});

it('are said in the language of the person, names of techniques as they are', () => {
  const said = choiceWordsOf('srtp', (sentence) => `«${i18n._(sentence)}»`);
  expect(said.never).toBe('«never»');
  expect(choiceWordsOf('transport', () => '').udp).toBe('UDP');
});
