import { CANDIDATES, SAMPLE_VALUES } from './sample-value.ts';

/** The parts of a JSON Schema that decide about an example. */
export interface ExampleSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, ExampleSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | ExampleSchema;
  readonly items?: ExampleSchema;
  readonly prefixItems?: readonly ExampleSchema[];
  readonly anyOf?: readonly ExampleSchema[];
  readonly oneOf?: readonly ExampleSchema[];
  readonly allOf?: readonly ExampleSchema[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
}

export type NamedSchemas = Readonly<Record<string, ExampleSchema>>;

/** Objects below this many others are left out where they are optional: an example is to be read at a glance. */
const DEEPEST = 5;

/**
 * A value that the schema takes: examples and defaults that it names come first, and a field whose schema names none gets the
 * usual value of its name. Undefined where no text of the list fits a pattern.
 */
export function exampleOf(schema: ExampleSchema, named: NamedSchemas, field = '', depth = 0): unknown {
  const inner = (next: ExampleSchema, name = field): unknown => exampleOf(next, named, name, depth + 1);
  if (schema.example !== undefined && !isEmptyList(schema.example)) return schema.example;
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.$ref !== undefined) {
    const target = named[schema.$ref.split('/').at(-1) ?? ''];
    return target === undefined || depth > 3 * DEEPEST ? undefined : inner(target);
  }
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.allOf !== undefined)
    return Object.assign({}, ...schema.allOf.map((each) => inner(each)), ownObject(schema, inner, depth));
  const [choice] = schema.oneOf ?? schema.anyOf ?? [];
  if (choice !== undefined) {
    const chosen = inner(choice);
    return isObject(chosen) && schema.properties !== undefined
      ? { ...chosen, ...ownObject(schema, inner, depth) }
      : chosen;
  }
  return plainExample(schema, inner, field, depth);
}

/** The example of a list that a page may be without shows no row: one is made. */
const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Inner = (schema: ExampleSchema, name?: string) => unknown;

function plainExample(schema: ExampleSchema, inner: Inner, field: string, depth: number): unknown {
  const [type] = [schema.type ?? (schema.properties === undefined ? [] : 'object')]
    .flat()
    .filter((each) => each !== 'null');
  switch (type) {
    case 'object':
      return ownObject(schema, inner, depth);
    case 'array': {
      if (schema.prefixItems !== undefined) return schema.prefixItems.map((each) => inner(each));
      const item = schema.items === undefined ? undefined : inner(schema.items);
      return item === undefined ? [] : Array.from({ length: Math.max(1, schema.minItems ?? 1) }, () => item);
    }
    case 'string':
      return textFor(schema, field);
    case 'integer':
    case 'number':
      return numberFor(schema, field);
    case 'boolean':
      return schema.default ?? true;
    default:
      return [schema.type].flat().includes('null') ? null : schema.default;
  }
}

function ownObject(schema: ExampleSchema, inner: Inner, depth: number): Record<string, unknown> {
  const needed = new Set(schema.required);
  const made: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(schema.properties ?? {})) {
    if (!needed.has(name) && depth > DEEPEST) continue;
    if (!needed.has(name) && !isTelling(each, name)) continue;
    const value = inner(each, name);
    if (value !== undefined) made[name] = value;
  }
  return made;
}

/** Optional fields are shown where their value says something: by an example of their own, or by their name. */
const isTelling = (schema: ExampleSchema, name: string): boolean =>
  schema.example !== undefined ||
  schema.examples !== undefined ||
  schema.default !== undefined ||
  Object.hasOwn(SAMPLE_VALUES, name);

function textFor(schema: ExampleSchema, field: string): string | undefined {
  const { pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY, format } = schema;
  const expression = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  const usual = SAMPLE_VALUES[field];
  const all = [
    ...(typeof schema.default === 'string' ? [schema.default] : []),
    ...(typeof usual === 'string' ? [usual] : []),
    ...(FORMATS[format ?? ''] ?? []),
    ...CANDIDATES,
  ];
  return all.find(
    (each) =>
      each.length >= minLength &&
      each.length <= maxLength &&
      (expression === undefined || expression.test(each)),
  );
}

const FORMATS: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2026-11-26T08:00:00Z'],
  date: ['2026-11-26'],
  uri: ['https://arc.example/callback'],
  url: ['https://arc.example/callback'],
  email: ['alex@care.example'],
  uuid: ['7f9c2d64-0c1b-4b7e-9a3f-2d1c5e8b6a90'],
  ipv4: ['192.0.2.10'],
  ipv6: ['2001:db8::10'],
};

function numberFor(schema: ExampleSchema, field: string): number {
  const usual = SAMPLE_VALUES[field];
  const least = schema.minimum ?? (schema.exclusiveMinimum === undefined ? 0 : schema.exclusiveMinimum + 1);
  const wanted = typeof schema.default === 'number' ? schema.default : typeof usual === 'number' ? usual : 1;
  return Math.min(Math.max(wanted, least), schema.maximum ?? Number.POSITIVE_INFINITY);
}
