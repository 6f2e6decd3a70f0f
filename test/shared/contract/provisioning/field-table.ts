import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { invalid } from '#shared/contract/invalid.ts';

/** A value that is refused, where, and a part of the reason; the field itself when no place is given. */
export type Refused = readonly [value: unknown, path?: string | undefined, reason?: string];

/** A field, values it takes and values it refuses. */
export type FieldRow = readonly [field: string, taken: readonly unknown[], refused: readonly Refused[]];

export const NAME: FieldRow = ['name', ['a', 'å b'], [[''], [undefined], [5], ['a'.repeat(201)]]];
export const MATCH: FieldRow = [
  'destinationMatch',
  ['.', '^(a|b)$'],
  [['(a'], ['a(?=b)'], [''], [undefined], ['a'.repeat(513)]],
];
export const ORDER: FieldRow = ['order', [0, -1, 999.5], [['1'], [null]]];
export const text = (field: string): FieldRow => [field, ['', 'text'], [[1], [null]]];
export const flag = (field: string): FieldRow => [field, [true, false], [['true'], [1]]];
export const https = (field: string): FieldRow => [
  field,
  ['https://a.example', 'https://a.example:8443/a/b'],
  [
    ['http://a.example', undefined, 'https://'],
    ['a.example'],
    ['https://'],
    ['https://user:pw@a.example'],
    [undefined],
  ],
];
export const TIMEOUT: FieldRow = ['callbackTimeout', [1, 15_000], [[0], [-5], ['15000'], [2 ** 31], [1.5]]];
export const AUTHENTICATION: FieldRow = [
  'restAuthentication',
  [[], [{ secret: 's', type: 'HS256' }], [{ secret: '<secret>' }]],
  [
    [[{ sub: 'a' }], '/restAuthentication/0/secret'],
    [[{ secret: 's', type: 'none' }], '/restAuthentication/0/type'],
    [[{ secret: 's', typo: 1 }], '/restAuthentication/0/typo', 'not known'],
  ],
];
export const codecs = (field: string): FieldRow => [
  field,
  [['PCMA'], ['PCMU', 'PCMA', 'GSM']],
  [[[]], ['PCMA'], [['opus'], `/${field}/0`]],
];

/** Walks the table: every row says what the field takes, and for what it refuses where and why. */
export function fieldTable(schema: z.ZodType, smallest: object, rows: readonly FieldRow[]): void {
  describe.each(rows)('%s', (field, taken, refused) => {
    it.each(taken.map((value) => [value]))('takes %j', (value) => {
      expect(schema.parse({ ...smallest, [field]: value })).toMatchObject({ [field]: value });
    });
    const cases = refused.map(([value, path = `/${field}`, reason = '']) => [value, path, reason] as const);
    it.each(cases)('refuses %j', (value, path, reason) => {
      const error = refusalOf(schema, { ...smallest, [field]: value });
      expect([error?.path, error?.reason]).toEqual([path, expect.stringContaining(reason) as string]);
    });
  });
  it('refuses what it does not know, with its place', () => {
    expect(refusalOf(schema, { ...smallest, nmae: 'a' })).toMatchObject({ path: '/nmae' });
  });
}

export function refusalOf(schema: z.ZodType, body: unknown) {
  const parsed = schema.safeParse(body);
  return parsed.success ? undefined : invalid(parsed.error);
}

/** Every field of the answer has its row; `others` are tested elsewhere. */
export function tellsEveryField(shape: object, rows: readonly FieldRow[], others: readonly string[]): void {
  it('has a row for every field', () => {
    expect(new Set([...rows.map(([field]) => field), ...others])).toEqual(new Set(Object.keys(shape)));
  });
}
