import { and, asc, eq, gt, inArray, or } from 'drizzle-orm';
import { given, prepared } from '../sql/prepared.ts';
import type { Reader, Tx } from '../sql/store.ts';

export type SiteRow = Reader['tables']['site']['$inferSelect'];
export type ClaimRow = Reader['tables']['claim']['$inferSelect'];

const siteById = prepared(({ db, tables: { site: t } }) =>
  db
    .select()
    .from(t)
    .where(and(eq(t.tenant, given('tenant')), eq(t.siteId, given('siteId')))),
);

export async function readSite(from: Reader, tenant: string, siteId: string): Promise<SiteRow | undefined> {
  const [row] = await siteById(from, { tenant, siteId });
  return row;
}

/** Sites with one of these ids in one of these tenants, which may be more than were meant. At most 500 of each. */
export async function sitesOf(
  from: Reader,
  tenants: readonly string[],
  siteIds: readonly string[],
): Promise<SiteRow[]> {
  const t = from.tables.site;
  if (tenants.length === 0 || siteIds.length === 0) return [];
  return await from.db
    .select()
    .from(t)
    .where(and(inArray(t.tenant, [...tenants]), inArray(t.siteId, [...siteIds])));
}

/** Sites of the tenant in order of id, those after `afterId`. */
export async function listSites(
  from: Reader,
  tenant: string,
  afterId: string,
  limit: number,
): Promise<SiteRow[]> {
  const t = from.tables.site;
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), gt(t.siteId, afterId)))
    .orderBy(asc(t.siteId))
    .limit(limit);
}

export async function insertSite(tx: Tx, row: SiteRow): Promise<void> {
  await tx.db.insert(tx.tables.site).values(row);
}

/** Takes its claims with it. */
export async function deleteSite(tx: Tx, tenant: string, siteId: string): Promise<void> {
  const t = tx.tables.site;
  await tx.db.delete(t).where(and(eq(t.tenant, tenant), eq(t.siteId, siteId)));
}

export async function insertClaim(tx: Tx, row: ClaimRow): Promise<void> {
  await tx.db.insert(tx.tables.claim).values(row);
}

/** The claim of which either code has this hash. */
export async function readClaim(from: Reader, hash: string): Promise<ClaimRow | undefined> {
  const t = from.tables.claim;
  const [row] = await from.db
    .select()
    .from(t)
    .where(or(eq(t.hash, hash), eq(t.longHash, hash)));
  return row;
}

export async function setClaimUsed(tx: Tx, hash: string, used: number): Promise<void> {
  const t = tx.tables.claim;
  await tx.db.update(t).set({ used }).where(eq(t.hash, hash));
}
