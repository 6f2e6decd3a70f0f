import { max, sql } from 'drizzle-orm';
import { ok, type Result } from '#shared/result.ts';
import { type Actor, recordAudit } from '../change/audit.ts';
import type { Scope } from '../schema/core-tables.ts';
import { checkIdle } from '../site/shard-lease.ts';
import type { Store, Tx } from '../sql/store.ts';

/** More than any control plane counts up between a backup and its return (control plane, section 3.3). */
const RESTORED_STEP = 1_000_000;

const BATCH = 500;

export interface MarkedRestored {
  /** Counters of revisions, and hosts with their twins, that were moved on. */
  readonly scopes: number;
  readonly hosts: number;
  /** When the newest entry of the audit was written, epoch ms; null = there is none. Later acts are lost. */
  readonly newestAt: number | null;
}

/**
 * A database that came back from an older backup names revisions that hosts have left behind: they would refuse its twins
 * and take no notice of its changes, until it had counted up to where it was. This moves every number of it so far ahead
 * that no host sees one go back; rows and changes stay as they are, so each host gets a snapshot of what the backup holds.
 *
 *     backup at 412 ── lost: 413 … 900, which hosts have ── marked: 1,000,412 ── next change 1,000,413
 *
 * Scopes in which nothing was changed before the backup begin there too, for hosts may have revisions of them. Marking
 * again does no harm. Fails with `running` while a control plane works on the database.
 */
export async function markRestored(store: Store, actor: Actor): Promise<Result<MarkedRestored>> {
  const idle = await checkIdle(store, actor.at);
  if (!idle.ok) return idle;
  return ok(await store.withTx((tx) => marked(tx, actor)));
}

async function marked(tx: Tx, actor: Actor): Promise<MarkedRestored> {
  const { audit, host, scopeRevision, shardLease, tenant } = tx.tables;
  const [newest] = await tx.db.select({ at: max(audit.at) }).from(audit);
  const newestAt = newest?.at ?? null;
  const owners = await ownersOf(tx);
  for (let at = 0; at < owners.length; at += BATCH)
    await tx.db
      .insert(scopeRevision)
      .values(owners.slice(at, at + BATCH).map((each) => ({ ...each, rev: 0 })))
      .onConflictDoNothing();
  const scopes = await tx.db
    .update(scopeRevision)
    .set({ rev: sql`${scopeRevision.rev} + ${RESTORED_STEP}` })
    .returning({ owner: scopeRevision.owner });
  const hosts = await tx.db
    .update(host)
    .set({ twinRev: sql`${host.twinRev} + ${RESTORED_STEP}` })
    .returning({ uid: host.uid });
  await tx.db.update(shardLease).set({ epoch: sql`${shardLease.epoch} + ${RESTORED_STEP}` });
  const tenants = await tx.db.select({ id: tenant.id }).from(tenant);
  for (const id of ['', ...tenants.map((each) => each.id)])
    await recordAudit(tx, actor, {
      tenant: id,
      action: 'restore',
      entity: 'database',
      entityId: '',
      detail: { newestAt, step: RESTORED_STEP },
    });
  return { scopes: scopes.length, hosts: hosts.length, newestAt };
}

/** Everybody who may have been given revisions. */
async function ownersOf(tx: Tx): Promise<{ scope: Scope; owner: string }[]> {
  const { host, site, tenant } = tx.tables;
  const tenants = await tx.db.select({ id: tenant.id }).from(tenant);
  const sites = await tx.db.select({ tenant: site.tenant, siteId: site.siteId }).from(site);
  const hosts = await tx.db.select({ uid: host.uid }).from(host);
  return [
    { scope: 'platform', owner: '' },
    ...tenants.map(({ id }) => ({ scope: 'tenant', owner: id }) as const),
    ...sites.map((each) => ({ scope: 'site', owner: `${each.tenant}/${each.siteId}` }) as const),
    ...hosts.map(({ uid }) => ({ scope: 'host', owner: uid }) as const),
  ];
}
