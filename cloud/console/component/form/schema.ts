/** As much of JSON Schema as the contracts use, with the metadata of fields. */
export interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly default?: unknown;
  readonly description?: string;
  readonly example?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Metadata of ours: the part of the form, the name in words, the unit, and the protocols it has an effect for. */
  readonly 'x-section'?: string;
  readonly 'x-label'?: string;
  readonly 'x-unit'?: string;
  readonly 'x-protocols'?: readonly string[];
  /** It holds a secret. */
  readonly 'x-secret'?: boolean;
}

/** An object as JSON has it. */
export type Values = Readonly<Record<string, unknown>>;

/** `group`: fields of its own; `items`: any number of groups; `texts`: one text a line; `json`: everything else, as JSON. */
type FieldKind = 'text' | 'number' | 'yesNo' | 'choice' | 'texts' | 'group' | 'items' | 'json';

/** One field as a form shows it. */
export interface FormField {
  /** JSON pointer from the root of the resource. */
  readonly path: string;
  readonly name: string;
  readonly kind: FieldKind;
  readonly label: string;
  readonly section: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
  readonly choices: readonly string[];
  readonly fields: readonly FormField[];
}

const OTHER = 'other';
/** Words that the field writes in capitals. */
const CAPITALS = new Set([
  'url',
  'sip',
  'id',
  'rtp',
  'srtp',
  'tls',
  'dtmf',
  'ip',
  'uri',
  'cli',
  'http',
  'json',
  'tcp',
  'udp',
  'sia',
  'dc09',
  'arc',
  'lacs',
  'rest',
  'vpn',
  'ivr',
]);

/** `callbackBaseUrl` as a person reads it: `Callback base URL`. */
export function words(name: string): string {
  const parts = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_]+/);
  const said = parts.map((part) =>
    CAPITALS.has(part.toLowerCase()) ? part.toUpperCase() : part.toLowerCase(),
  );
  const text = said.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The fields of a resource with these values: of variants those of the one that the values choose. */
export function fieldsOf(root: Schema, values: Values): FormField[] {
  const resolve = resolver(root);
  const whole = resolve(root);
  const variants = (whole.oneOf ?? []).map(resolve);
  const object = variants.length === 0 ? whole : chosen(variants, values);
  return objectFields(object, variants, '', values, resolve);
}

type Resolve = (schema: Schema) => Schema;

const resolver =
  ({ $defs = {} }: Schema): Resolve =>
  (schema) => {
    const name = /^#\/\$defs\/(.+)$/.exec(schema.$ref ?? '')?.[1];
    const { $ref: _, ...own } = schema;
    return name === undefined ? schema : { ...$defs[name], ...own };
  };

/** The property whose words say which variant it is. */
const discriminator = (variants: readonly Schema[]): string | undefined =>
  Object.keys(variants[0]?.properties ?? {}).find((name) =>
    variants.every(
      ({ properties = {}, required = [] }) => wordsOf(properties[name]).length > 0 && required.includes(name),
    ),
  );

const wordsOf = (schema: Schema | undefined): readonly string[] =>
  schema?.enum ?? (typeof schema?.const === 'string' ? [schema.const] : []);

function chosen(variants: readonly Schema[], values: Values): Schema {
  const name = discriminator(variants);
  const word = name === undefined ? undefined : values[name];
  const found = variants.find(
    ({ properties = {} }) => name !== undefined && wordsOf(properties[name]).includes(String(word)),
  );
  return found ?? variants[0] ?? {};
}

function objectFields(
  { properties = {}, required = [] }: Schema,
  variants: readonly Schema[],
  path: string,
  values: Values,
  resolve: Resolve,
): FormField[] {
  const by = discriminator(variants);
  const protocol = typeof values.protocol === 'string' ? values.protocol : undefined;
  return Object.entries(properties).flatMap(([name, given]) => {
    const schema = resolve(given);
    const hasEffect =
      schema['x-protocols'] === undefined ||
      protocol === undefined ||
      schema['x-protocols'].includes(protocol);
    if (!hasEffect) return [];
    const kind = kindOf(schema, resolve);
    const inner = values[name];
    return [
      {
        path: `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        name,
        kind,
        label: schema['x-label'] ?? words(name),
        section: schema['x-section'] ?? OTHER,
        isRequired: required.includes(name) && schema.default === undefined,
        schema,
        choices:
          name === by ? variants.flatMap((variant) => wordsOf(variant.properties?.[name])) : wordsOf(schema),
        fields: innerFields(kind, schema, `${path}/${name}`, inner, resolve),
      },
    ];
  });
}

function innerFields(
  kind: FieldKind,
  schema: Schema,
  path: string,
  value: unknown,
  resolve: Resolve,
): FormField[] {
  if (kind === 'group') {
    const values = isValues(value) ? value : {};
    const variants = (schema.oneOf ?? []).map(resolve);
    const object = variants.length === 0 ? schema : chosen(variants, values);
    return objectFields(object, variants, path, values, resolve);
  }
  if (kind !== 'items' || !Array.isArray(value)) return [];
  const item = resolve(schema.items ?? {});
  return value.map((each: unknown, index) => ({
    path: `${path}/${index}`,
    name: String(index),
    kind: 'group',
    label: String(index + 1),
    section: OTHER,
    isRequired: true,
    schema: {},
    choices: [],
    fields: objectFields(item, [], `${path}/${index}`, isValues(each) ? each : {}, resolve),
  }));
}

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function kindOf(schema: Schema, resolve: Resolve): FieldKind {
  if (wordsOf(schema).length > 0) return 'choice';
  const numbers = (schema.anyOf ?? []).filter(({ type }) => type === 'integer' || type === 'number');
  if (numbers.length > 0 && numbers.length === schema.anyOf?.length) return 'number';
  const variants = (schema.oneOf ?? []).map(resolve);
  if (variants.length > 0 && variants.every(({ properties }) => properties !== undefined)) return 'group';
  switch (schema.type) {
    case 'string':
      return 'text';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'yesNo';
    case 'object':
      return schema.properties === undefined ? 'json' : 'group';
    case 'array':
      return listKind(schema.items === undefined ? {} : resolve(schema.items));
    default:
      return 'json';
  }
}

const listKind = ({ type, properties }: Schema): FieldKind =>
  type === 'string' ? 'texts' : properties === undefined ? 'json' : 'items';

/** The values with another one at this pointer; `undefined` takes the field away. */
export function withValue(values: Values, path: string, value: unknown): Values {
  return placed(values, partsOf(path), value) as Values;
}

const partsOf = (path: string): readonly string[] =>
  path
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

function placed(at: unknown, [name = '', ...rest]: readonly string[], value: unknown): unknown {
  const next = rest.length === 0 ? value : placed(valueIn(at, name), rest, value);
  if (Array.isArray(at))
    return next === undefined ? at.toSpliced(Number(name), 1) : at.with(Number(name), next);
  const { [name]: _, ...others } = isValues(at) ? at : {};
  const isEmptied = rest.length > 0 && isValues(next) && Object.keys(next).length === 0;
  return next === undefined || isEmptied ? others : { ...others, [name]: next };
}

const valueIn = (at: unknown, name: string): unknown =>
  Array.isArray(at) ? at[Number(name)] : isValues(at) ? at[name] : undefined;

/** The value at a pointer. */
export const valueAt = (values: unknown, path: string): unknown =>
  partsOf(path).reduce<unknown>(valueIn, values);
