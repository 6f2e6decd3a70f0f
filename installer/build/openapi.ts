/** The parts of an OpenAPI 3.1 document that are read here. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly description?: string;
  readonly example?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  /** Unit of a number, as a person writes it. */
  readonly 'x-unit'?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema?: Schema;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

export interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: Readonly<Record<string, unknown>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface NamedOperation extends Operation {
  readonly method: string;
  readonly path: string;
}

export const operationsOf = ({ paths }: OpenApi): NamedOperation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );

export const resolved = ({ components }: OpenApi, schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});

/** Media type and schema of a request body or an answer; JSON where there are several. */
export function contentOf(content: Content | undefined): { type: string; schema: Schema } | undefined {
  const entries = Object.entries(content ?? {});
  const [type, media] = entries.find(([name]) => name === 'application/json') ?? entries[0] ?? [];
  return type === undefined || media === undefined ? undefined : { type, schema: media.schema ?? {} };
}

/** Words for people; a program relies on none of them. */
const WORDS: ReadonlySet<string> = new Set([
  'description',
  'example',
  'summary',
  'tags',
  'security',
  'securitySchemes',
]);

/**
 * The part that a program relies on: the document without words, without its server address, and without the answers that every
 * operation refuses with.
 */
export function reliedOn(document: OpenApi): OpenApi {
  const { paths, components } = document;
  return bare({ paths, components: { schemas: components.schemas } }, false) as OpenApi;
}

/** `isMap`: the names are members of a caller's data, not words of the document. */
function bare(node: unknown, isMap: boolean): unknown {
  if (Array.isArray(node)) return node.map((each) => bare(each, false));
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(
    ([name]) => isMap || !(WORDS.has(name) || (/^[345]\d\d$/.test(name) && name !== '200')),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, bare(value, MAPS.has(name) && !isMap)]));
}

const MAPS: ReadonlySet<string> = new Set(['properties', 'schemas', 'paths']);
