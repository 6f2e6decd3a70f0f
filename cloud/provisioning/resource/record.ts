import { maskSecrets, type SecretResource } from '#shared/contract/provisioning/index.ts';
import { type Call, recordAudit, recordChange, recordChanges, type Tx } from '../../store/index.ts';

/** One change of a resource. `before` and `after` are stored bodies; absent = there was, or is, none. */
export interface Write {
  readonly resource: SecretResource;
  /** Entity of changes and audit: the first word of the API path. */
  readonly entity: string;
  readonly id: string;
  readonly action: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** Provisory rows are audited, but sites do not hear of them. */
  readonly provisory?: boolean;
  readonly massChange?: boolean;
}

/** The change and the audit entry that belong to a row just written, in the row's transaction. */
export async function record(tx: Tx, call: Call, write: Write): Promise<void> {
  const { resource, entity, id, action, before, after, provisory = false, massChange = false } = write;
  if (!provisory) {
    await recordChange(tx, {
      scope: 'tenant',
      owner: call.tenant,
      entity,
      id,
      op: after === undefined ? 'delete' : 'put',
      body: after,
      massChange,
      at: call.actor.at,
    });
  }
  await recordAudit(tx, call.actor, {
    tenant: call.tenant,
    action: provisory ? `${action} provisory` : action,
    entity,
    entityId: id,
    detail: {
      ...(before === undefined ? {} : { before: maskSecrets(resource, before) }),
      ...(after === undefined ? {} : { after: maskSecrets(resource, after) }),
    },
  });
}

/**
 * Many rows written at once: one revision, and one audit entry that shows each of them. `before` has the rows that stood
 * there; one that is not in `after` is deleted.
 */
export async function recordMany(
  tx: Tx,
  call: Call,
  { resource, entity, action, massChange = false }: Omit<Write, 'id' | 'before' | 'after' | 'provisory'>,
  before: ReadonlyMap<string, unknown>,
  after: readonly { readonly id: string; readonly body: unknown }[],
): Promise<void> {
  const stays = new Set(after.map(({ id }) => id));
  const deleted = [...before.keys()].filter((id) => !stays.has(id));
  if (after.length === 0 && deleted.length === 0) return;
  const change = { scope: 'tenant', owner: call.tenant, entity, massChange, at: call.actor.at } as const;
  await recordChanges(tx, [
    ...after.map(({ id, body }) => ({ ...change, op: 'put' as const, id, body })),
    ...deleted.map((id) => ({ ...change, op: 'delete' as const, id })),
  ]);
  const masked = ([id, body]: readonly [string, unknown]) => [id, maskSecrets(resource, body)] as const;
  await recordAudit(tx, call.actor, {
    tenant: call.tenant,
    action: `${action} many`,
    entity,
    entityId: '',
    detail: {
      before: Object.fromEntries([...before].map(masked)),
      after: Object.fromEntries(after.map(({ id, body }) => masked([id, body]))),
    },
  });
}
