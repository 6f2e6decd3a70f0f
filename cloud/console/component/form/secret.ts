import type { Schema, Values } from './schema.ts';

/** The API answers this text instead of a secret. A write that sends it keeps the stored secret; a new resource has none. */
const MASK = '<secret>';

/** The values without the masks of secrets: a new resource begins with none, and a person gives them again. */
export const withoutMasks = (values: Values): Values => unmasked(values) as Values;

function unmasked(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((inner) => inner !== MASK).map(unmasked);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== MASK)
      .map(([name, inner]) => [name, unmasked(inner)]),
  );
}

/**
 * The values as a tab may keep them: a secret that was typed is left out, or stands as the mask of the stored one. In a list
 * it is left out in any case, because the stored entry at its place may be another one.
 */
export function withoutSecrets(schema: Schema, values: Values, stored: Values): Values {
  const names = new Set(secretNames(schema));
  const kept = (value: unknown, before: unknown): unknown => {
    if (Array.isArray(value)) return value.map((inner) => kept(inner, undefined));
    if (!isObject(value)) return value;
    const old = isObject(before) ? before : {};
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, inner]) => {
        if (!names.has(name) || inner === MASK) return [[name, kept(inner, old[name])]];
        return old[name] === MASK ? [[name, MASK]] : [];
      }),
    );
  };
  return kept(values, stored) as Values;
}

/** Names of the properties that hold a secret, at any depth: a variant that is not chosen has its values, too. */
function secretNames(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { properties } = node as Schema;
  const own = Object.entries(properties ?? {}).flatMap(([name, schema]) =>
    schema['x-secret'] ? [name] : [],
  );
  return [...own, ...Object.values(node).flatMap(secretNames)];
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
