import { describe, expect, it } from 'vitest';
import { breakingChanges } from '#installer/build/breaking-change.ts';
import type { OpenApi, Operation, Schema } from '#installer/build/openapi.ts';

const thing: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['id'],
  properties: { id: { type: 'string' }, kind: { enum: ['a', 'b'] }, size: { type: 'number' } },
};

const json = (schema: Schema) => ({ content: { 'application/json': { schema } } });

function document(
  change: { body?: Schema; answer?: Schema; put?: Partial<Operation>; schema?: Schema } = {},
): OpenApi {
  const named = { $ref: '#/components/schemas/Thing' };
  const put: Operation = {
    operationId: 'putThing',
    parameters: [{ name: 'id', in: 'path', required: true }],
    requestBody: json(change.body ?? named),
    responses: { 200: json(change.answer ?? named) },
    ...change.put,
  };
  return { paths: { '/thing/{id}': { put } }, components: { schemas: { Thing: change.schema ?? thing } } };
}

const broken = (after: OpenApi) => breakingChanges(document(), after);
const { size: _, ...withoutSize } = thing.properties as Record<string, Schema>;

describe('a breaking change', () => {
  it('is not: nothing, a new operation, a new optional member, a new value', () => {
    expect(broken(document())).toEqual([]);
    const more = document({
      schema: {
        ...thing,
        properties: { ...thing.properties, more: { type: 'string' }, kind: { enum: ['a', 'b', 'c'] } },
      },
    });
    expect(broken({ ...more, paths: { ...more.paths, '/other': {} } })).toEqual([]);
  });

  it.each([
    ['an operation that was removed', { ...document(), paths: {} }, 'PUT /thing/{id} is gone'],
    [
      'a member that was removed',
      document({ schema: { ...thing, properties: withoutSize } }),
      'request/size is gone',
    ],
    [
      'another type',
      document({ body: { ...thing, properties: { ...thing.properties, id: { type: 'number' } } } }),
      'request/id: string is not taken any more',
    ],
    [
      'a value less',
      document({ body: { ...thing, properties: { ...thing.properties, kind: { enum: ['a'] } } } }),
      'request/kind: "b" is not taken any more',
    ],
    [
      'a member that is demanded',
      document({ body: { ...thing, required: ['id', 'size'] } }),
      'request/size is demanded now',
    ],
    [
      'an answer that may lack one',
      document({ answer: { ...thing, required: [] } }),
      'answer/id may be absent now',
    ],
    [
      'a parameter that is demanded',
      document({
        put: {
          parameters: [
            { name: 'id', in: 'path', required: true },
            { name: 'x', in: 'query', required: true },
          ],
        },
      }),
      'the parameter x is demanded now',
    ],
    [
      'a body that is not taken',
      document({ put: { requestBody: { content: {} } } }),
      'takes no body any more',
    ],
  ])('is: %s', (_, after, sentence) => {
    expect(broken(after).join('\n')).toContain(sentence);
  });
});
