import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { exampleOf } from '#cloud/http/description/example.ts';
import { operationText } from '#cloud/http/description/operation-text.ts';
import { TAG_TEXT } from '#cloud/http/description/tag-text.ts';
import { RECORDING_EVENTS } from '#shared/contract/callback/index.ts';
import { ask, openApi, type TestApi } from '../api.ts';

interface Media {
  readonly schema?: object;
  readonly example?: unknown;
}
interface Described {
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}
type Items = Readonly<Record<string, Readonly<Record<string, Described>>>>;

let api: TestApi;
let document: {
  paths: Items;
  webhooks: Items;
  components: { schemas: Readonly<Record<string, object>> };
  tags: { name: string }[];
};

beforeAll(async () => {
  api = await openApi();
  document = (await ask(api, 'GET', '/openapi.json')).body as never;
});
afterAll(() => api.close());

const described = (): (readonly [string, Described])[] =>
  [document.paths, document.webhooks].flatMap((items) =>
    Object.entries(items).flatMap(([path, item]) =>
      Object.entries(item).map(([method, each]) => [`${method} ${path}`, each] as const),
    ),
  );

/** Bodies and answers in JSON, by the operation and the part of it. */
const bodies = (): (readonly [string, Media])[] =>
  described().flatMap(([name, { requestBody, responses }]) =>
    [requestBody?.content, responses[200]?.content].flatMap((content) =>
      Object.entries(content ?? {}).flatMap(([type, media]) =>
        type.includes('json') ? [[`${name} ${type}`, media] as const] : [],
      ),
    ),
  );

describe('the OpenAPI document', () => {
  it('says in a summary and in a description what each operation and callback is', () => {
    const lacking = described().filter(([, { summary, description }]) => !summary || !description);
    expect(lacking.map(([name]) => name)).toEqual([]);
  });

  it('shows the event of each callback about streams and recordings, with the fields of that event', () => {
    const exampleOfHook = (name: string): unknown =>
      document.webhooks[name]?.post?.requestBody?.content['application/json']?.example;
    const fields = Object.fromEntries(
      Object.entries(RECORDING_EVENTS).map(([event, path]) => [event, exampleOfHook(`callrecording${path}`)]),
    );
    for (const [event, example] of Object.entries(fields)) expect(example).toMatchObject({ event });
    for (const [event, name] of [
      ['STREAMSTARTED', 'streamStarted'],
      ['STREAMSTOPPED', 'streamStopped'],
      ['STREAMFAILED', 'streamFailed'],
    ] as const)
      expect(exampleOfHook(name)).toMatchObject({ event });
    expect(fields.RECORDINGREADY).toHaveProperty('fileSize');
    // A reason says that the recording was cut off.
    for (const well of ['RECORDINGREADY', 'RECORDINGSTORED', 'STREAMSTARTED', 'SESSIONCOMPLETED'])
      expect(fields[well]).not.toHaveProperty('reason');
  });

  it('explains every tag that an operation has', () => {
    const used = new Set(described().flatMap(([, { tags = [] }]) => tags));
    expect([...used].filter((tag) => TAG_TEXT[tag] === undefined)).toEqual([]);
    expect(document.tags.map(({ name }) => name)).toEqual(Object.keys(TAG_TEXT));
  });

  it('shows an example of each body and answer, which its own schema takes', () => {
    const own = <T extends object>(schema: T): T =>
      JSON.parse(
        JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/'),
        // zod compiles patterns without the flag u, and JSON Schema means them with it.
        (name, value: unknown) => (name === 'pattern' && String(value).includes('\\p{') ? undefined : value),
      );
    const shared = own(document.components.schemas);
    /** The schemas that one of them names, and those that they name: zod reads all that it is given. */
    const namedBy = (schema: object, found: Record<string, object> = {}): Record<string, object> => {
      for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/\$defs\/([^"]+)"/g)) {
        const named = shared[name];
        if (named === undefined || found[name] !== undefined) continue;
        found[name] = named;
        namedBy(named, found);
      }
      return found;
    };
    const wrong = bodies().flatMap(([name, { schema, example }]) => {
      if (schema === undefined) return [];
      if (example === undefined) return [`${name}: no example`];
      const whole = own(schema);
      const read = z.fromJSONSchema({ ...whole, $defs: namedBy(whole) } as never).safeParse(example);
      return read.success
        ? []
        : [`${name}: ${read.error.issues[0]?.message} at ${read.error.issues[0]?.path}`];
    });
    expect(wrong).toEqual([]);
    expect(bodies().length).toBeGreaterThan(240);
  }, 120_000);
});

describe('an example', () => {
  const named = { Name: { type: 'string', minLength: 3 } };

  it.each([
    [
      { type: 'object', properties: { siteId: { type: 'string' } }, required: ['siteId'] },
      { siteId: 'north' },
    ],
    [{ type: 'object', properties: { other: { type: 'string' } } }, {}],
    [{ type: 'array', items: { $ref: '#/components/schemas/Name' } }, ['example']],
    [{ type: 'array', items: { type: 'boolean' }, example: [] }, [true]],
    [{ type: 'integer', minimum: 5 }, 5],
    [{ type: 'string', pattern: '^[0-9]{4}$' }, '1234'],
    [{ type: 'string', pattern: '^no text fits this$' }, undefined],
    [{ oneOf: [{ const: 'a' }, { const: 'b' }] }, 'a'],
    [{ type: ['string', 'null'], enum: [null, 'x'] }, null],
  ])('for %j is %j', (schema, example) => expect(exampleOf(schema, named)).toEqual(example));

  it('ends where a schema holds itself', () => {
    const tree = {
      type: 'object',
      properties: { inner: { $ref: '#/components/schemas/Tree' } },
      required: ['inner'],
    };
    expect(JSON.stringify(exampleOf(tree, { Tree: tree })).length).toBeLessThan(1000);
  });
});

it('a description names the rules of the parameters that an operation takes', () => {
  const text = operationText({
    summary: 'List devices',
    tags: ['Devices'],
    parameters: [{ name: 'nextToken' }],
  });
  expect(text).toContain('A device is a unit');
  expect(text).toContain('nextToken');
  expect(operationText({ summary: 'Replace a trunk' })).toBe(
    'A field that the body leaves out gets its default.',
  );
});
