import { expect, it } from 'vitest';
import type { OpenApi, Schema } from '#installer/build/openapi.ts';
import { fieldTable } from '#installer/documentation/schema-text.ts';

const PAUSE: Schema = {
  type: 'integer',
  description: 'Longest pause',
  minimum: 1,
  default: 4_000,
  'x-unit': 'ms',
};
const document = {
  openapi: '3.1.0',
  paths: {},
  components: { schemas: { Pause: PAUSE } },
} as unknown as OpenApi;

it.each([
  ['a number', PAUSE],
  ['a number of a named schema', { $ref: '#/components/schemas/Pause' }],
])('a page says the unit and the default of %s', (_, pause) => {
  expect(fieldTable(document, { properties: { pause } })).toContain(
    '| `pause` | integer |  | Longest pause; in ms, at least 1, default `4000` |',
  );
});

it('a page names no default where there is none, or where it is a list or an object', () => {
  const properties: Record<string, Schema> = {
    none: { type: 'string', description: 'A name' },
    list: { type: 'array', items: { type: 'string' }, description: 'Names', default: [] },
    off: { type: 'boolean', description: 'Switch', default: false },
  };
  const table = fieldTable(document, { properties });
  expect(table).toContain('| A name |');
  expect(table).toContain('| Names |');
  expect(table).toContain('| Switch; default `false` |');
});
