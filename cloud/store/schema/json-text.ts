/**
 * JSON columns are text in both dialects: the same bytes, so that hashes and copies agree. null is SQL's NULL; the
 * builders know that of plain values, but not of values given to a prepared query.
 */
export const jsonText = {
  dataType: () => 'text',
  toDriver: (value: unknown): string =>
    value === null ? (value as unknown as string) : JSON.stringify(value),
  fromDriver: (value: string): unknown => JSON.parse(value) as unknown,
};
