import { isIP } from 'node:net';

/** A schema of an OpenAPI 3.1 or AsyncAPI document. */
export type JsonSchema = Readonly<Record<string, unknown>>;

type Check = (limit: never, value: never, from: Reading) => boolean;

interface Reading {
  readonly schema: JsonSchema;
  /** The schema that a `$ref` names. */
  readonly resolve: (ref: string) => JsonSchema;
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  array: Array.isArray,
  object: isObject,
};

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  uri: URL.canParse,
  'date-time': (text) => !Number.isNaN(Date.parse(text)),
  ip: (text) => isIP(text) !== 0,
};

const inString = (check: (text: string, limit: never) => boolean): Check =>
  ((limit: never, value: unknown) => typeof value !== 'string' || check(value, limit)) as Check;
const inNumber = (check: (value: number, limit: number) => boolean): Check =>
  ((limit: number, value: unknown) => typeof value !== 'number' || check(value, limit)) as Check;
const inArray = (check: (value: readonly unknown[], limit: never, from: Reading) => boolean): Check =>
  ((limit: never, value: unknown, from: Reading) =>
    !Array.isArray(value) || check(value, limit, from)) as Check;
const inObject = (
  check: (value: Readonly<Record<string, unknown>>, limit: never, from: Reading) => boolean,
): Check =>
  ((limit: never, value: unknown, from: Reading) => !isObject(value) || check(value, limit, from)) as Check;

/** Keywords of validation (JSON Schema 2020-12), as far as the documents use them. */
const CHECKS: Readonly<Record<string, Check>> = {
  $ref: (ref: string, value: unknown, { resolve }) => conforms(value, resolve(ref), resolve),
  type: (type: string | string[], value: unknown) =>
    [type].flat().some((name) => TYPES[name]?.(value) ?? unknownWord('type', name)),
  enum: (values: unknown[], value: unknown) => values.includes(value),
  const: (wanted: unknown, value: unknown) => value === wanted,
  pattern: inString((text, pattern: string) => new RegExp(pattern, 'u').test(text)),
  format: inString((text, name: string) => FORMATS[name]?.(text) ?? unknownWord('format', name)),
  minLength: inString((text, least: number) => text.length >= least),
  maxLength: inString((text, most: number) => text.length <= most),
  minimum: inNumber((value, least) => value >= least),
  maximum: inNumber((value, most) => value <= most),
  exclusiveMinimum: inNumber((value, below) => value > below),
  exclusiveMaximum: inNumber((value, above) => value < above),
  minItems: inArray((value, least: number) => value.length >= least),
  maxItems: inArray((value, most: number) => value.length <= most),
  items: inArray((value, items: JsonSchema, { resolve }) =>
    value.every((each) => conforms(each, items, resolve)),
  ),
  required: inObject((value, names: string[]) => names.every((name) => Object.hasOwn(value, name))),
  properties: inObject((value, properties: Record<string, JsonSchema>, { resolve }) =>
    Object.entries(properties).every(
      ([name, property]) => !Object.hasOwn(value, name) || conforms(value[name], property, resolve),
    ),
  ),
  additionalProperties: inObject((value, further: JsonSchema | boolean, { schema, resolve }) =>
    Object.entries(value)
      .filter(([name]) => !Object.hasOwn((schema.properties as object | undefined) ?? {}, name))
      .every(([, each]) => (typeof further === 'boolean' ? further : conforms(each, further, resolve))),
  ),
  propertyNames: inObject((value, names: JsonSchema, { resolve }) =>
    Object.keys(value).every((name) => conforms(name, names, resolve)),
  ),
  anyOf: (branches: JsonSchema[], value: unknown, { resolve }) =>
    branches.some((branch) => conforms(value, branch, resolve)),
  oneOf: (branches: JsonSchema[], value: unknown, { resolve }) =>
    branches.filter((branch) => conforms(value, branch, resolve)).length === 1,
  allOf: (branches: JsonSchema[], value: unknown, { resolve }) =>
    branches.every((branch) => conforms(value, branch, resolve)),
};

const ANNOTATIONS = new Set([
  'description',
  'example',
  'default',
  'readOnly',
  'discriminator',
  'id',
  '$schema',
]);

/** Whether the value is one that the schema describes. Throws for a keyword that is not known here. */
export function conforms(value: unknown, schema: JsonSchema, resolve: Reading['resolve']): boolean {
  return Object.entries(schema).every(([word, limit]) => {
    if (ANNOTATIONS.has(word) || word.startsWith('x-')) return true;
    const check = CHECKS[word] ?? unknownWord('keyword', word);
    return check(limit as never, value as never, { schema, resolve });
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unknownWord(kind: string, name: string): never {
  throw new Error(`the ${kind} ${name} is not known`);
}
