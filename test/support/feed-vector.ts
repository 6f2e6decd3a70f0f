import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ulid } from '#shared/id.ts';

const FOLDER = resolve(import.meta.dirname, '../vectors/feed');

export const CONTRACTS = ['2026-11-21', '2026-11-22', 'next'] as const;
export type Contract = (typeof CONTRACTS)[number];

export type Payload = Readonly<Record<string, unknown>>;

/** Messages of control plane and host under a contract, and the parts that each took from the other (`test/vectors/feed/README.md`). */
export interface FeedVector {
  readonly host: Readonly<Record<string, Payload | undefined>> & {
    readonly lanes: Readonly<Record<string, { readonly items: readonly { readonly seq: number }[] }>>;
  };
  readonly cloud: Readonly<Record<string, Payload>> & { readonly rows: Readonly<Record<string, Payload[]>> };
  readonly reads: Readonly<Record<string, Reads>>;
}

/** Path to kind, or to the words that are known. */
export type Reads = Readonly<Record<string, string>>;

export const readVector = (contract: Contract): FeedVector =>
  JSON.parse(readFileSync(resolve(FOLDER, `${contract}.json`), 'utf8')) as FeedVector;

export const freshUlid = (): string => ulid(Date.now(), randomBytes(10));

/** The payload with its words filled in; one that is missing is an error of the test. */
export function filled(payload: unknown, words: Payload): Payload {
  return put(payload, words) as Payload;
}

function put(value: unknown, words: Payload): unknown {
  if (Array.isArray(value)) return value.map((each) => put(each, words));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, put(each, words)]));
  if (typeof value !== 'string' || !/^\$[a-zA-Z]+$/.test(value)) return value;
  const name = value.slice(1);
  if (name === 'ulid') return freshUlid();
  if (!Object.hasOwn(words, name)) throw new Error(`nobody says what ${value} is`);
  return words[name];
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const like =
  (pattern: RegExp) =>
  (value: unknown): boolean =>
    typeof value === 'string' && pattern.test(value);

const KINDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  any: () => true,
  count: isCount,
  number: (value) => typeof value === 'number' && value >= 0,
  text: (value) => typeof value === 'string',
  flag: (value) => typeof value === 'boolean',
  ulid: like(/^[0-9a-hjkmnp-tv-z]{26}$/),
  hash: like(/^sha256:[0-9a-f]{64}$/),
};

/** Faults that the reader of that time would find, as `path: value`; empty = it takes the payload. */
export function misread(reads: Reads | undefined, payload: unknown): readonly string[] {
  if (reads === undefined) throw new Error('nobody read that then');
  return Object.entries(reads).flatMap(([path, form]) => {
    const mayMiss = form.endsWith('?');
    const words = mayMiss ? form.slice(0, -1) : form;
    const fits = KINDS[words] ?? ((value: unknown) => words.split('|').includes(String(value)));
    return at(payload, path.split('.'))
      .filter((value) => !(fits(value) || (mayMiss && (value === undefined || value === null))))
      .map((value) => `${path}: ${JSON.stringify(value)}`);
  });
}

/** All values at the path; undefined for one that is not there. */
function at(value: unknown, [first, ...rest]: readonly string[]): readonly unknown[] {
  if (first === undefined) return [value];
  const isList = first.endsWith('[]');
  const name = isList ? first.slice(0, -2) : first;
  const inside = (value as Payload | null | undefined)?.[name];
  if (!isList) return at(inside, rest);
  if (!Array.isArray(inside)) return [undefined];
  return inside.flatMap((each) => at(each, rest));
}
