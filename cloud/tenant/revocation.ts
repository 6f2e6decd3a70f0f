import { LONGEST_LIFE_S, TOLERANCE_S } from '#shared/access/index.ts';
import type { Revocation } from '#shared/contract/access/index.ts';
import { ok, type Result } from '#shared/result.ts';
import {
  type Call,
  deleteDeadRevocations,
  insertRevokedToken,
  mutate,
  recordAudit,
  recordChange,
  setTenantNotBefore,
  type Tx,
  tenantById,
} from '../store/index.ts';
import type { TenancyPort } from './credential/port.ts';
import { shownTenant, TENANT } from './tenant.ts';

const ENTITY = 'revocation';
/** No token that is accepted now lives longer. */
const LONGEST_MS = (LONGEST_LIFE_S + 2 * TOLERANCE_S) * 1000;

/**
 * Signed tokens that are refused although their key stands (control plane, section 12): one by its `jti`, or all with an
 * `iat` before a moment. Acts at once here; on the sites with the next revision.
 */
export const revocations = ({ store }: TenancyPort) => ({
  revoke: (call: Call, revocation: Revocation): Promise<Result<null>> =>
    mutate(store, call, async (tx) => {
      const { jti, expiresAt, notBefore } = revocation;
      if (jti !== undefined) await deny(tx, call, jti, expiresAt ?? call.actor.at + LONGEST_MS);
      else await cut(tx, call, notBefore ?? 0);
      return ok(null);
    }),
});

async function deny(tx: Tx, call: Call, jti: string, expiresAt: number): Promise<void> {
  const { tenant, actor } = call;
  const change = { scope: 'tenant', owner: tenant, entity: ENTITY, at: actor.at } as const;
  for (const id of await deleteDeadRevocations(tx, tenant, actor.at))
    await recordChange(tx, { ...change, id, op: 'delete' });
  await insertRevokedToken(tx, { tenant, jti, expiresAt });
  await recordChange(tx, { ...change, id: jti, op: 'put', body: { jti, expiresAt } });
  await recordAudit(tx, actor, {
    tenant,
    action: 'revoke',
    entity: ENTITY,
    entityId: jti,
    detail: { after: { expiresAt } },
  });
}

async function cut(tx: Tx, call: Call, notBefore: number): Promise<void> {
  const { tenant, actor } = call;
  const row = await tenantById(tx, tenant);
  if (row === undefined) throw new Error(`the tenant ${tenant} does not exist`);
  await setTenantNotBefore(tx, tenant, notBefore);
  await recordChange(tx, {
    scope: 'tenant',
    owner: tenant,
    entity: TENANT,
    id: row.domain,
    op: 'put',
    body: { ...shownTenant(row), notBefore },
    at: actor.at,
  });
  await recordAudit(tx, actor, {
    tenant,
    action: 'cut',
    entity: ENTITY,
    entityId: '',
    detail: { before: { notBefore: row.notBefore }, after: { notBefore } },
  });
}
