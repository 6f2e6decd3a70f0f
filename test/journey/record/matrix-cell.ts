import { expect } from 'vitest';
import { z } from 'zod';
import { type SessionRecord, sessionRecordSchema } from '#shared/contract/session-record/index.ts';

/** The answer to one field of one kind of record: the value that a journey must bring about, or the reason why there is none. */
export type Cell = { readonly is: unknown } | { readonly none: string };
export type Row = Readonly<Record<string, Cell>>;

/** `value`: as the journey brings it about; a matcher of vitest is a value. Times are ms since the arrival. */
export const is = (value: unknown): Cell => ({ is: value });
export const none = (reason: string): Cell => ({ none: reason });
export const matches = (pattern: RegExp): Cell => is(expect.stringMatching(pattern));

interface Node {
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
}

/** Every field of the record by its path, as the contract has it: `times.stored`, `legs.codec`. */
export const RECORD_FIELDS: readonly string[] = pathsIn(z.toJSONSchema(sessionRecordSchema) as Node, '');

function pathsIn(node: Node, path: string): string[] {
  const { properties } = node.items ?? node;
  if (properties === undefined) return [path];
  return Object.entries(properties).flatMap(([name, inner]) =>
    pathsIn(inner, path === '' ? name : `${path}.${name}`),
  );
}

/** The values of a record in a field; a list of objects has one value for each. None: the record does not have the field. */
export function valuesIn(record: SessionRecord, path: string): unknown[] {
  const [first = '', ...rest] = path.split('.');
  if (first === 'times') {
    const at = record.times[rest[0] as keyof SessionRecord['times']];
    return at === undefined ? [] : [at - record.at];
  }
  let found: unknown[] = [record[first as keyof SessionRecord]];
  for (const name of rest)
    found = found.flat().map((each) => (each as Readonly<Record<string, unknown>> | undefined)?.[name]);
  return found.filter((each) => each !== undefined);
}
