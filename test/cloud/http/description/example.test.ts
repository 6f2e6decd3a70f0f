import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, openApi, type TestApi } from '../api.ts';
import { conforms, type JsonSchema } from './json-schema.ts';

interface Placed {
  readonly path: string;
  readonly schema: JsonSchema;
}

interface Described {
  readonly components: {
    readonly schemas: {
      readonly SipMessage: { readonly properties: { readonly reqUri: { readonly pattern: string } } };
    };
  };
}

let api: TestApi;
beforeAll(async () => {
  api = await openApi();
});
afterAll(() => api.close());

/** Members that hold values, not schemas. */
const VALUES = new Set([
  'example',
  'examples',
  'default',
  'enum',
  'const',
  'mapping',
  'required',
  'bindings',
]);

/** Every object of the document that may be a schema, with its place; members of `properties` are names of a customer. */
function schemasOf(node: unknown, path = '', isNames = false): Placed[] {
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.entries(node).flatMap(([name, value]) =>
    !isNames && VALUES.has(name)
      ? []
      : schemasOf(value, `${path}/${name}`, !isNames && ['properties', 'schemas'].includes(name)),
  );
  return isNames || Array.isArray(node) ? below : [{ path, schema: node as JsonSchema }, ...below];
}

describe.each(['/openapi.json', '/asyncapi.json'])('%s', (document) => {
  const read = async () => {
    const { body } = await ask(api, 'GET', document);
    const resolve = (ref: string): JsonSchema => {
      const found = ref
        .slice(2)
        .split('/')
        .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], body);
      if (found === undefined) throw new Error(`${ref} leads nowhere`);
      return found as JsonSchema;
    };
    return { places: schemasOf(body), resolve };
  };

  test('takes every example and every default by the schema that it belongs to', async () => {
    const { places, resolve } = await read();
    const offences = places.flatMap(({ path, schema }) =>
      (['example', 'default'] as const).flatMap((word) => {
        // Beside the schema of a parameter or a medium, else in the schema itself.
        const judge = (schema.schema as JsonSchema | undefined) ?? schema;
        const isRight = schema[word] === undefined || conforms(schema[word], judge, resolve);
        return isRight ? [] : [`${path}: ${word} ${JSON.stringify(schema[word])}`];
      }),
    );
    expect(offences).toEqual([]);
  });

  test('has patterns of ECMA-262 without flags', async () => {
    const { places } = await read();
    const patterns = places.flatMap(({ schema: { pattern } }) =>
      typeof pattern === 'string' ? [pattern] : [],
    );
    for (const pattern of patterns) expect(() => new RegExp(pattern, 'u'), pattern).not.toThrow();
    expect(patterns.filter((pattern) => /(?<!\\)\/[a-z]+$|^\//.test(pattern))).toEqual([]);
  });
});

test('addresses of any case match the pattern of a SIP URI', async () => {
  const { body } = (await ask(api, 'GET', '/openapi.json')) as unknown as { readonly body: Described };
  const pattern = new RegExp(body.components.schemas.SipMessage.properties.reqUri.pattern, 'u');
  for (const address of ['sip:a@b', 'SIPS:a@b', 'Sip:a@[::1]:5060']) expect(address).toMatch(pattern);
  expect('tel:1@b').not.toMatch(pattern);
});
