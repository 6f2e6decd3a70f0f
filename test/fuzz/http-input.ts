import { type OpenApi, resolved, type Schema } from '#installer/build/openapi.ts';

/** Deterministic numbers (mulberry32): a crash found once is found again by its seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export type Chance = () => number;

export const pick = <T>(chance: Chance, from: readonly T[]): T =>
  from[Math.floor(chance() * from.length)] as T;

/** Texts that have hurt programs. */
const TEXTS = [
  '',
  ' ',
  'x'.repeat(70_000),
  '\u0000',
  '\ud800',
  '\u202e\u200b',
  '😀'.repeat(300),
  '../../etc/passwd',
  "'; DROP TABLE device; --",
  '%00%0a',
  '__proto__',
  'constructor',
  '(a+)+$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '('.repeat(400),
  '(?=x)',
  'a{1,1000}{1,1000}',
  '\\'.repeat(99),
  '[[:alpha:]',
  'http://169.254.169.254/',
  'https://[::1]/',
  'javascript:alert(1)',
  '<secret>',
  'v1:00000000:AA:AA:AA',
  '-1',
  'NaN',
  '1e999',
] as const;

const NUMBERS = [0, -0, -1, 1.5, 2 ** 31, 2 ** 53, 1e308, -1e308, 5e-324] as const;

/** A value that the schema may take: what it must have, and some of what it may. */
export function valueFor(document: OpenApi, raw: Schema, chance: Chance, depth = 0): unknown {
  const schema = resolved(document, raw);
  if (depth > 6) return null;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return pick(chance, schema.enum);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return valueFor(document, pick(chance, choices), chance, depth + 1);
  if (schema.example !== undefined && chance() < 0.6) return structuredClone(schema.example);
  switch ([schema.type ?? 'string'].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => schema.required?.includes(name) === true || chance() < 0.3)
          .map(([name, member]) => [name, valueFor(document, member, chance, depth + 1)]),
      );
    case 'array':
      return Array.from({ length: Math.floor(chance() * 3) }, () =>
        valueFor(document, schema.items ?? {}, chance, depth + 1),
      );
    case 'integer':
    case 'number':
      return Math.floor(chance() * 1_000);
    case 'boolean':
      return chance() < 0.5;
    case 'null':
      return null;
    default:
      return chance() < 0.7 ? `text-${Math.floor(chance() * 50)}` : pick(chance, TEXTS);
  }
}

/** Bends one place of a document: another type, a text that hurts, a member too many, one less, a list too long. */
export function bent(value: unknown, chance: Chance): unknown {
  if (typeof value === 'object' && value !== null && chance() < 0.75) {
    const keys = Object.keys(value);
    const key = keys.length === 0 ? undefined : pick(chance, keys);
    if (key === undefined) return { [pick(chance, TEXTS)]: anything(chance) };
    if (Array.isArray(value)) {
      const copy: unknown[] = [...value];
      copy[Number(key)] = bent(copy[Number(key)], chance);
      return chance() < 0.1 ? Array.from({ length: 2_000 }, () => copy[0]) : copy;
    }
    const { [key]: at, ...rest } = value as Record<string, unknown>;
    const how = chance();
    if (how < 0.15) return rest;
    if (how < 0.3) return { ...value, [pick(chance, TEXTS)]: anything(chance) };
    return { ...rest, [key]: bent(at, chance) };
  }
  return anything(chance);
}

function anything(chance: Chance): unknown {
  return pick<() => unknown>(chance, [
    () => pick(chance, TEXTS),
    () => pick(chance, NUMBERS),
    () => null,
    () => true,
    () => [],
    () => ({}),
    () => nested(10 + Math.floor(chance() * 80)),
    () => [[[pick(chance, TEXTS)]]],
  ])();
}

export function nested(depth: number): unknown {
  let value: unknown = 'deep';
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Texts that are no JSON, or JSON of a kind that no schema has. */
export const BODIES: readonly string[] = [
  '',
  '{',
  '{"a":1,"a":2}',
  '{"deviceId":"a","deviceId":"b","authType":"deviceid","srtp":"never"}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"x":1}}}',
  'null',
  '[]',
  '"text"',
  '1e400',
  'NaN',
  '\ufeff{}',
  `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  '{"a":'.repeat(5_000),
  `{"a":"${'x'.repeat(900_000)}"}`,
  `{"a":"${'x'.repeat(1_100_000)}"}`,
  '{"a":"\\ud800"}',
  '\u0000',
];

/** Path segments that have led to files outside of a folder. */
export const SEGMENTS: readonly string[] = [
  '..',
  '%2e%2e',
  '%2e%2e%2f',
  '..%5c',
  '%00',
  '%',
  '%zz',
  '%E0%A4%A',
  '%F0%9F%98%80',
  '*',
  ':domain',
  '{domain}',
  '.',
  '%20',
  'a%2Fb',
  'a;b=c',
  'x'.repeat(3_000),
  '__proto__',
  'constructor',
  '%c0%af',
  '0',
  '-1',
];
