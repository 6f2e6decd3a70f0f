import type { Values } from './schema.ts';

/** The API answers this text instead of a secret. A write that sends it keeps the stored secret; a new resource has none. */
const MASK = '<secret>';

/** The values without the masks of secrets: a new resource begins with none, and a person gives them again. */
export const withoutMasks = (values: Values): Values => unmasked(values) as Values;

function unmasked(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((inner) => inner !== MASK).map(unmasked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== MASK)
      .map(([name, inner]) => [name, unmasked(inner)]),
  );
}
