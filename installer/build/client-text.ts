import { contentOf, type NamedOperation, type OpenApi, operationsOf, type Schema } from './openapi.ts';

/** The generated part of `shared/client`: a type for every schema, and a row and a type for every operation. */
export function clientText(document: OpenApi): string {
  const operations = operationsOf(document)
    .filter(answersOnce)
    .toSorted((a, b) => (a.operationId < b.operationId ? -1 : 1));
  const schemas = Object.entries(document.components.schemas).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    '// Made from the OpenAPI document by installer/build/write-client.ts; changes by hand are lost.',
    '',
    ...schemas.map(
      ([name, schema]) => `${comment(schema.description)}export type ${name} = ${typeOf(schema)};\n`,
    ),
    '/** Inputs and answer of each operation. */',
    'export interface Operations {',
    ...operations.map((operation) => `  ${operation.operationId}: ${shapeOf(operation)};`),
    '}',
    '',
    '/** How each operation is called. */',
    'export const OPERATIONS = {',
    ...operations.map((operation) => `  ${operation.operationId}: ${JSON.stringify(rowOf(operation))},`),
    '} as const satisfies Record<keyof Operations, { method: string; path: string; query: readonly string[]; type?: string }>;',
    '',
  ].join('\n');
}

/** A stream is no answer that a call waits for. */
export const answersOnce = ({ responses }: NamedOperation): boolean =>
  contentOf(responses[200]?.content)?.type !== 'text/event-stream';

const comment = (text: string | undefined): string =>
  text === undefined ? '' : `/** ${text.replaceAll('*/', '* /')} */\n`;

function rowOf({ method, path, parameters = [], requestBody }: NamedOperation) {
  const type = contentOf(requestBody?.content)?.type;
  const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  return { method, path, query, ...(type === undefined ? {} : { type }) };
}

function shapeOf({ parameters = [], requestBody, responses }: NamedOperation): string {
  const inputs = parameters
    .filter((parameter) => parameter.in !== 'header')
    .map(({ name, required, schema = {} }) => member(name, schema, required === true));
  const body = contentOf(requestBody?.content);
  const bodyType =
    body?.type === 'text/csv' ? 'string' : body === undefined ? 'undefined' : typeOf(body.schema);
  const answer = contentOf(responses[200]?.content);
  const params = inputs.length === 0 ? 'unknown' : `{ ${inputs.join('; ')} }`;
  return `{ params: ${params}; body: ${bodyType}; answer: ${answer === undefined ? 'unknown' : typeOf(answer.schema)} }`;
}

const member = (name: string, schema: Schema, required: boolean): string =>
  `${/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)}${required ? '' : '?'}: ${typeOf(schema)}`;

/** JSON Schema to the text of a TypeScript type; what it does not know is `unknown`, never a guess. */
function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return `(${[...new Set(choices.map(typeOf))].join(' | ')})`;
  if (schema.allOf !== undefined) return `(${schema.allOf.map(typeOf).join(' & ')})`;
  const types = [schema.type ?? []].flat();
  return types.length === 0 ? 'unknown' : types.map((type) => typeOfKind(type, schema)).join(' | ');
}

function typeOfKind(type: string, schema: Schema): string {
  switch (type) {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return `readonly ${bracketed(typeOf(schema.items ?? {}))}[]`;
    case 'object':
      return objectType(schema);
    default:
      return 'unknown';
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema): string {
  const members = Object.entries(properties).map(([name, schema]) =>
    member(name, schema, required.includes(name)),
  );
  if (members.length > 0) return `{ ${members.join('; ')} }`;
  const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
  return additionalProperties === false ? 'Record<string, never>' : `Record<string, ${values}>`;
}

const bracketed = (type: string): string => (/[|&]/.test(type) ? `(${type})` : type);
