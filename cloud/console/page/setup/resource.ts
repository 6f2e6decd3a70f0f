import type { CallFailure, Input, OperationName } from '#shared/client/index.ts';
import type { Result } from '#shared/result.ts';
import { api, callTagged } from '../../client/api.ts';
import { domain } from '../../client/session.ts';
import { createStore } from '../../client/store.ts';
import type { Values } from '../../component/form/schema.ts';
import { withoutMasks } from '../../component/form/secret.ts';
import { type Kind, operationOf } from './kind.ts';

/** A resource of any kind, as the API answers it. */
export type Resource = Values & { readonly id: string; readonly name?: string };

/** One earlier version, with its changes to the one before and to today. */
export interface Version {
  readonly seq: number;
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly body?: Values;
  readonly changed: readonly Change[];
  readonly toToday: readonly Change[];
}
export interface Change {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

type Query = Readonly<Record<string, string>>;

// Names of operations are put together: a test asks the table of the client for each of them.
const ask = <T>(name: OperationName, input: unknown) =>
  api.call(name, input as Input<typeof name>) as Promise<Result<T, CallFailure>>;

/** The object that was saved last, until its list was left: a person sees that her work is done. */
export const saved = createStore<{ readonly page: string; readonly name: string } | undefined>(undefined);

/** Writes a resource; `id` undefined: a new one. `etag`: of the version that it is written over. */
export function write(kind: Kind, id: string | undefined, body: Values, query: Query, etag = '') {
  const at = { domain: domain.value, ...query, body };
  if (id === undefined) return ask<{ id: string }>(operationOf(kind, 'post', false), at);
  const headers = etag === '' ? {} : { headers: { 'If-Match': etag } };
  return ask<{ id: string }>(operationOf(kind, 'put', true), { ...at, [kind.id]: id, ...headers });
}

export async function readPage(kind: Kind, nextToken: string | undefined) {
  const token = nextToken === undefined ? {} : { nextToken };
  const input = { domain: domain.value, limit: '100', ...token };
  const answer = await ask<Record<string, unknown>>(operationOf(kind, 'get', false), input);
  if (!answer.ok) return answer;
  const rows = answer.value[`${kind.member}s`] as readonly Resource[];
  const items = kind.isNamed === true ? rows.map((row) => ({ ...row, id: row.name ?? '' })) : rows;
  return { ok: true as const, value: { items, nextToken: answer.value.nextToken as string | undefined } };
}

/** One resource with its ETag. `isDraft`: as it would be if its draft were promoted. */
export async function readOne(kind: Kind, id: string, isDraft: boolean) {
  const input = {
    domain: domain.value,
    [kind.id]: id,
    ...(isDraft && kind.hasDraft ? { provisory: 'true' } : {}),
  };
  const name = operationOf(kind, 'get', true);
  const { answer, etag } = await callTagged(name, input as unknown as Input<typeof name>);
  if (!answer.ok) return answer;
  const resource = (answer.value as unknown as Record<string, unknown>)[kind.member] as Resource;
  return { ok: true as const, value: { resource, etag } };
}

export const remove = (kind: Kind, id: string, query: Query) =>
  ask(operationOf(kind, 'delete', true), { domain: domain.value, [kind.id]: id, ...query });

export const readHistory = (kind: Kind, id: string) =>
  ask<{ versions: readonly Version[] }>(operationOf(kind, 'get', true, 'History'), {
    ...{ domain: domain.value, [kind.id]: id, limit: '50' },
  });

/** Makes an earlier version the present one; the sites get it as any other change. */
export const restore = (kind: Kind, id: string, seq: number) =>
  ask(operationOf(kind, 'post', true, 'Restore'), {
    ...{ domain: domain.value, [kind.id]: id, body: { seq } },
  });

/** A resource without the fields that the service adds. */
export function writable(resource: Values): Values {
  const given = new Set(['id', 'callbackId', 'sipAddress', 'maker', 'lastModified', 'success']);
  return Object.fromEntries(Object.entries(resource).filter(([name]) => !given.has(name)));
}

/** The beginning of a copy: everything but its name and its secrets: the control plane shows none. */
export const copyOf = (resource: Values, name: string): Values => ({
  ...withoutMasks(writable(resource)),
  name,
});
