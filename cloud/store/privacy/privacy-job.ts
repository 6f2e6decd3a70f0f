import { and, asc, desc, eq, gt, inArray, lt, max, ne, sql } from 'drizzle-orm';
import type { LocalOverride } from '#shared/contract/feed/index.ts';
import type { ConfigRefusal } from '../schema/site-tables.ts';
import type { Reader, Tx } from '../sql/store.ts';

export type PrivacyJobRow = Reader['tables']['personalDataJob']['$inferSelect'];
export type PrivacyPartRow = Reader['tables']['personalDataPart']['$inferSelect'];
export type PrivacyPageRow = Reader['tables']['personalDataPage']['$inferSelect'];

export async function insertPrivacyJob(
  tx: Tx,
  job: PrivacyJobRow,
  parts: readonly PrivacyPartRow[],
): Promise<void> {
  await tx.db.insert(tx.tables.personalDataJob).values(job);
  if (parts.length > 0) await tx.db.insert(tx.tables.personalDataPart).values([...parts]);
}

export async function readPrivacyJob(
  from: Reader,
  tenant: string,
  id: string,
): Promise<PrivacyJobRow | undefined> {
  const t = from.tables.personalDataJob;
  const [row] = await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), eq(t.id, id)));
  return row;
}

/** Newest first, those before `beforeId`; empty = from the newest on. */
export async function listPrivacyJobs(
  from: Reader,
  tenant: string,
  beforeId: string,
  limit: number,
): Promise<PrivacyJobRow[]> {
  const t = from.tables.personalDataJob;
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), beforeId === '' ? undefined : lt(t.id, beforeId)))
    .orderBy(desc(t.id))
    .limit(limit);
}

/** Jobs of all tenants that are not done, oldest first. */
export async function pendingPrivacyJobs(from: Reader, limit: number): Promise<PrivacyJobRow[]> {
  const t = from.tables.personalDataJob;
  return await from.db.select().from(t).where(eq(t.state, 'pending')).orderBy(asc(t.id)).limit(limit);
}

export async function partsOfPrivacyJobs(from: Reader, jobs: readonly string[]): Promise<PrivacyPartRow[]> {
  const t = from.tables.personalDataPart;
  if (jobs.length === 0) return [];
  return await from.db
    .select()
    .from(t)
    .where(inArray(t.job, [...jobs]))
    .orderBy(asc(t.job), asc(t.siteId), asc(t.hostId));
}

export async function updatePrivacyJob(tx: Tx, id: string, set: Partial<PrivacyJobRow>): Promise<void> {
  const t = tx.tables.personalDataJob;
  await tx.db.update(t).set(set).where(eq(t.id, id));
}

export async function updatePrivacyPart(
  tx: Tx,
  { job, uid }: Pick<PrivacyPartRow, 'job' | 'uid'>,
  set: Partial<PrivacyPartRow>,
): Promise<void> {
  const t = tx.tables.personalDataPart;
  await tx.db
    .update(t)
    .set(set)
    .where(and(eq(t.job, job), eq(t.uid, uid)));
}

/** A page of what a host sent; page 0 takes the place of everything an earlier attempt brought. */
export async function putPrivacyPage(tx: Tx, row: PrivacyPageRow): Promise<void> {
  const t = tx.tables.personalDataPage;
  if (row.page === 0) await tx.db.delete(t).where(and(eq(t.job, row.job), eq(t.uid, row.uid)));
  await tx.db.insert(t).values(row);
}

export async function privacyPages(from: Reader, job: string, uid: string): Promise<PrivacyPageRow[]> {
  const t = from.tables.personalDataPage;
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.job, job), eq(t.uid, uid)))
    .orderBy(asc(t.page));
}

/** Removes the data that an export has collected, and its subject; the job itself stays. One that runs is over. */
export async function forgetExport(tx: Tx, tenant: string, id: string, at: number): Promise<void> {
  const { personalDataJob: job, personalDataPage: page, personalDataPart: part } = tx.tables;
  const mine = and(eq(job.tenant, tenant), eq(job.id, id), eq(job.kind, 'export'));
  await tx.db.delete(page).where(eq(page.job, id));
  await tx.db.update(part).set({ state: 'done', reason: null }).where(eq(part.job, id));
  await tx.db
    .update(job)
    .set({ state: 'done', endedAt: at, subject: null, subjectSalt: null, reason: null })
    .where(mine);
}

/** Hosts of the tenant that may have a copy of something. */
export async function hostsWithCopies(from: Reader, tenant: string) {
  const t = from.tables.host;
  return await from.db
    .select({ uid: t.uid, siteId: t.siteId, hostId: t.hostId })
    .from(t)
    .where(
      and(
        eq(t.tenant, tenant),
        ne(t.lifecycle, 'claimed'),
        ne(t.lifecycle, 'rejected'),
        ne(t.lifecycle, 'decommissioned'),
      ),
    );
}

/** Whether the tenant's device was ever there: provisioned, or changed. */
export async function wasProvisioned(from: Reader, tenant: string, deviceId: string): Promise<boolean> {
  const { device: d, configChange: c, audit: a } = from.tables;
  const [row] = await from.db
    .select({ id: d.id })
    .from(d)
    .where(and(eq(d.tenant, tenant), eq(d.id, deviceId)));
  if (row !== undefined) return true;
  const ofChange = and(
    eq(c.scope, 'tenant'),
    eq(c.owner, tenant),
    eq(c.entity, 'device'),
    eq(c.id, deviceId),
  );
  const [change] = await from.db.select({ id: c.id }).from(c).where(ofChange).limit(1);
  if (change !== undefined) return true;
  const ofAudit = and(eq(a.tenant, tenant), eq(a.entity, 'device'), eq(a.entityId, deviceId));
  const [entry] = await from.db.select({ seq: a.seq }).from(a).where(ofAudit).limit(1);
  return entry !== undefined;
}

/** Removes the content of the events, their rows stay: each is known by its id, so that a host cannot bring it back. */
export async function blankEvents(tx: Tx, ids: readonly string[]): Promise<void> {
  const t = tx.tables.siteEvent;
  if (ids.length === 0) return;
  await tx.db
    .update(t)
    .set({ body: { data: { erased: true } } })
    .where(inArray(t.id, [...ids]));
}

/** Older contents of a device go; the newest change stands, else no host would hear of it. */
export async function forgetChanges(tx: Tx, tenant: string, deviceId: string): Promise<number> {
  const t = tx.tables.configChange;
  const mine = and(eq(t.scope, 'tenant'), eq(t.owner, tenant), eq(t.entity, 'device'), eq(t.id, deviceId));
  const [last] = await tx.db
    .select({ rev: max(t.rev) })
    .from(t)
    .where(mine);
  const old = and(mine, sql`${t.rev} < ${last?.rev ?? 0}`, eq(t.massChange, false));
  return (await tx.db.delete(t).where(old).returning({ rev: t.rev })).length;
}

/** Deliveries of platform alarms of the tenant in order of id, those after `afterId`. */
export async function relaysAfter(
  from: Reader,
  tenant: string,
  afterId: string,
  limit: number,
): Promise<Reader['tables']['relay']['$inferSelect'][]> {
  const t = from.tables.relay;
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), gt(t.id, afterId)))
    .orderBy(asc(t.id))
    .limit(limit);
}

/**
 * The refusals of hosts of the tenant, and their deviations from the configuration, by their last report; in order of uid,
 * those after `afterUid`; removed hosts are among them.
 */
export async function statementsAfter(
  from: Reader,
  tenant: string,
  afterUid: string,
  limit: number,
): Promise<{ uid: string; refusals: Record<string, ConfigRefusal>; overrides: LocalOverride[] }[]> {
  const { host, hostStatus } = from.tables;
  return await from.db
    .select({ uid: host.uid, refusals: hostStatus.refusals, overrides: hostStatus.overrides })
    .from(host)
    .innerJoin(hostStatus, eq(hostStatus.uid, host.uid))
    .where(and(eq(host.tenant, tenant), gt(host.uid, afterUid)))
    .orderBy(asc(host.uid))
    .limit(limit);
}

/** Answers kept against repetition, in order of their keys, those after `afterKey`. */
export async function keptAnswersAfter(
  from: Reader,
  tenant: string,
  afterKey: string,
  limit: number,
): Promise<{ key: string; answer: unknown }[]> {
  const t = from.tables.idempotency;
  return await from.db
    .select({ key: t.key, answer: t.answer })
    .from(t)
    .where(and(eq(t.tenant, tenant), gt(t.key, afterKey)))
    .orderBy(asc(t.key))
    .limit(limit);
}

/**
 * The answer goes, and the hash of its request, which whoever guesses the name could try. The key stays taken for its day, so that the
 * request is refused and not done again, unless it must go, too.
 */
export async function forgetAnswer(
  tx: Tx,
  tenant: string,
  key: string,
  far: 'and no more' | 'with its key',
): Promise<void> {
  const t = tx.tables.idempotency;
  const mine = and(eq(t.tenant, tenant), eq(t.key, key));
  if (far === 'with its key') await tx.db.delete(t).where(mine);
  else await tx.db.update(t).set({ answer: null, fingerprint: '' }).where(mine);
}

/** Only those that no caller waits for; at most 500. */
export async function deleteSettledRelays(tx: Tx, ids: readonly string[]): Promise<void> {
  const t = tx.tables.relay;
  if (ids.length > 0) await tx.db.delete(t).where(and(inArray(t.id, [...ids]), ne(t.state, 'waiting')));
}
