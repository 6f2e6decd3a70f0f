import type { CallFailure, Input, OperationName } from '#shared/client/index.ts';
import type { Result } from '#shared/result.ts';
import { api, callTagged } from '../../client/api.ts';
import { domain } from '../../client/session.ts';
import { type Kind, MEDIA_SERVICE, operationOf, RECEIVER, USER_AGENT } from '../setup/kind.ts';
import { type Resource, readPage } from '../setup/resource.ts';
import type { Credential, Patch } from './credential-patch.ts';

/** Kinds whose callbacks are signed by credentials of their own. */
const SIGNED = [RECEIVER, MEDIA_SERVICE, USER_AGENT] as const;

/** A resource with the credentials of its callbacks, the one that signs first. */
export interface Signed {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  readonly credentials: readonly Credential[];
}

/** The API patches no media service: its keys are changed in its editor. */
export const isPatched = (kind: Kind): boolean => kind !== MEDIA_SERVICE;

/** All resources that have callbacks. */
export async function readSigned(): Promise<Result<readonly Signed[], CallFailure>> {
  const found: Signed[] = [];
  for (const kind of SIGNED) {
    let nextToken: string | undefined;
    do {
      const answer = await readPage(kind, nextToken);
      if (!answer.ok) return answer;
      found.push(...answer.value.items.map((row) => signedOf(kind, row)));
      ({ nextToken } = answer.value);
    } while (nextToken !== undefined);
  }
  return { ok: true, value: found };
}

const signedOf = (kind: Kind, row: Resource): Signed => ({
  ...{ kind, id: row.id, name: row.name ?? row.id },
  credentials: (row.restAuthentication ?? []) as readonly Credential[],
});

/** Patches a resource as it was read last: a change of another person in between is refused. */
export async function patch({ kind, id }: Signed, of: (now: Signed) => readonly Patch[]) {
  const read = operationOf(kind, 'get', true);
  const at = { domain: domain.value, [kind.id]: id };
  const { answer, etag } = await callTagged(read, at as unknown as Input<typeof read>);
  if (!answer.ok) return answer;
  const resource = (answer.value as unknown as Record<string, Resource>)[kind.member];
  if (resource === undefined)
    return { ok: false as const, error: { code: 'notUnderstood', reason: 'The answer has no resource.' } };
  const write = read.replace(/^get/, 'patch') as OperationName;
  return await api.call(write, {
    ...at,
    body: of(signedOf(kind, { ...resource, id })),
    ...(etag === '' ? {} : { headers: { 'If-Match': etag } }),
  } as unknown as Input<typeof write>);
}
