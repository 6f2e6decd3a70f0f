import type { OpenApi, Schema } from '../build/openapi.ts';
import { resolved } from '../build/openapi.ts';
import { code, plain, table } from './page.ts';

/** Fields below this depth are not listed: their schema is named, and the document has it in full. */
const DEEPEST = 3;
const MOST_WORDS = 12;

/** A table of the fields that a body or an answer has, with those of the objects inside it. */
export function fieldTable(document: OpenApi, schema: Schema): string {
  const rows = rowsOf(document, schema, '', 0, new Set());
  return table(['Field', 'Type', 'Needed', 'Meaning'], rows);
}

function rowsOf(
  document: OpenApi,
  given: Schema,
  at: string,
  depth: number,
  passed: ReadonlySet<string>,
): string[][] {
  const schema = resolved(document, given);
  const name = given.$ref ?? '';
  if (depth > DEEPEST || passed.has(name)) return [];
  const further = name === '' ? passed : new Set([...passed, name]);
  const inner = (next: Schema, where: string) => rowsOf(document, next, where, depth + 1, further);
  const own = Object.entries(schema.properties ?? {}).flatMap(([field, each]) => [
    [
      code(at + field),
      typeText(document, each),
      schema.required?.includes(field) === true ? 'yes' : '',
      meaningOf(document, each),
    ],
    ...innerOf(document, each).flatMap(([next, suffix]) => inner(next, `${at}${field}${suffix}.`)),
  ]);
  const parts = (schema.allOf ?? []).flatMap((each) => rowsOf(document, each, at, depth, further));
  const choices = (schema.oneOf ?? schema.anyOf ?? []).filter((each) => isObject(document, each));
  const choice = choices.flatMap((each) => {
    const { description = '' } = resolved(document, each);
    const label = [titleOf(each), description].filter((text) => text !== '').join(': ');
    return [
      ...(choices.length > 1 ? [['', '', '', `*${plain(label === '' ? 'or' : label)}*`]] : []),
      ...rowsOf(document, each, at, depth + 1, further),
    ];
  });
  return [...parts, ...own, ...choice];
}

/** The objects inside a field, each with what its path gets: `[]` for a list. */
function innerOf(document: OpenApi, field: Schema): [Schema, string][] {
  const schema = resolved(document, field);
  if (schema.items !== undefined && isObject(document, schema.items)) return [[schema.items, '[]']];
  return isObject(document, field) ? [[field, '']] : [];
}

function isObject(document: OpenApi, given: Schema): boolean {
  const schema = resolved(document, given);
  return (
    schema.properties !== undefined ||
    (schema.allOf ?? schema.oneOf ?? schema.anyOf ?? []).some(
      (each) => each.$ref !== given.$ref && isObject(document, each),
    )
  );
}

const titleOf = ({ $ref }: Schema): string => $ref?.split('/').at(-1) ?? '';

/** The type of a field in words. */
export function typeText(document: OpenApi, given: Schema): string {
  const schema = resolved(document, given);
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) {
    const words = schema.enum.map((each) => code(String(each)));
    return words.length > MOST_WORDS
      ? `${words.slice(0, MOST_WORDS).join(', ')} and ${words.length - MOST_WORDS} more`
      : words.join(', ');
  }
  if (schema.items !== undefined) return `list of ${typeText(document, schema.items)}`;
  if (schema.properties !== undefined || schema.additionalProperties !== undefined) return 'object';
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined)
    return [...new Set(choices.map((each) => typeText(document, each)))].join(' or ');
  if (schema.allOf !== undefined) return 'object';
  return [schema.type ?? 'any'].flat().join(' or ');
}

/** A value that fits into a cell. */
const isSimple = (value: unknown): boolean =>
  ['number', 'boolean'].includes(typeof value) || (typeof value === 'string' && value !== '');

function meaningOf(document: OpenApi, field: Schema): string {
  const schema = resolved(document, field);
  // The description of a field that names a schema stands beside the name, and so do its unit and its default.
  const unit = field['x-unit'] ?? schema['x-unit'] ?? '';
  const usual = field.default ?? schema.default;
  const limits = [
    unit === '' ? '' : `in ${unit}`,
    schema.minimum === undefined ? '' : `at least ${schema.minimum}`,
    schema.maximum === undefined || schema.maximum >= Number.MAX_SAFE_INTEGER
      ? ''
      : `at most ${schema.maximum}`,
    schema.maxLength === undefined ? '' : `up to ${schema.maxLength} signs`,
    isSimple(usual) ? `default ${code(String(usual))}` : '',
  ].filter((each) => each !== '');
  const text = plain(field.description ?? schema.description ?? '');
  return limits.length === 0 ? text : `${text}${text === '' ? '' : '; '}${limits.join(', ')}`;
}
