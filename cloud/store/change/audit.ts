import { and, asc, desc, eq, gt, gte, lt, lte, min, type SQL, sql } from 'drizzle-orm';
import { canonicalJson } from '#shared/contract/feed/index.ts';
import { AUDIT_CUT } from '#shared/contract/record/index.ts';
import { given, prepared, proposed } from '../sql/prepared.ts';
import type { Reader, Tx } from '../sql/store.ts';

/** The actor of a request with address and time; every mutating call carries it. */
export interface Actor {
  /** `person:<id>`, `key:<kid>`, `token:<id>`, `host:<uid>` or `system`. */
  readonly name: string;
  readonly kid?: string;
  /** Remote address as the listener saw it. */
  readonly address: string;
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

export interface AuditEntry {
  /** Tenant id; empty for the platform's own acts. */
  readonly tenant: string;
  readonly action: string;
  readonly entity: string;
  readonly entityId: string;
  /** The values before and after. Secrets are masked by the caller, who knows which fields they are. */
  readonly detail?: unknown;
}

export type AuditRow = Reader['tables']['audit']['$inferSelect'];

const GENESIS = '';

/** A place in a chain: the entry of this number has this hash. */
export interface AuditPlace {
  readonly seq: number;
  readonly hash: string;
}

const AUDIT_BEGIN: AuditPlace = { seq: 0, hash: GENESIS };

/**
 * Makes the writers of one tenant take turns until commit, so that what is read before a write (If-Match, "does it
 * exist") still holds when it is written. They would meet at the revision counter anyway, only later.
 */
export async function lockTenant(tx: Tx, tenant: string): Promise<void> {
  if (tx.dialect.singleWriter) return;
  const head = tx.tables.auditHead;
  await tx.db
    .insert(head)
    .values({ tenant, seq: 0, hash: GENESIS })
    .onConflictDoUpdate({ target: head.tenant, set: { seq: sql`${head.seq}` } });
}

/**
 * Appends to the tenant's hash chain in the caller's transaction. Each row's hash covers the row and the hash before
 * it, so that a row changed or removed later is seen by `verifyAudit`.
 */
export async function recordAudit(tx: Tx, actor: Actor, entry: AuditEntry): Promise<void> {
  // Insert-or-increment first: it takes the row lock that puts concurrent writers in order.
  const [before] = await nextEntry(tx, { tenant: entry.tenant });
  if (before === undefined) throw new Error(`no audit head for tenant ${entry.tenant}`);
  const row = {
    tenant: entry.tenant,
    seq: before.seq,
    at: actor.at,
    actor: actor.name,
    kid: actor.kid ?? null,
    address: actor.address,
    requestId: actor.requestId,
    action: entry.action,
    entity: entry.entity,
    entityId: entry.entityId,
    detail: entry.detail ?? {},
    previous: before.hash,
  };
  const hash = tx.sha256(canonicalJson(row));
  await insertEntry(tx, { ...row, hash });
  await moveHead(tx, { tenant: entry.tenant, seq: row.seq, hash });
}

const nextEntry = prepared(({ db, tables: { auditHead: head } }) =>
  db
    .insert(head)
    .values({ tenant: given('tenant'), seq: 1, hash: GENESIS })
    .onConflictDoUpdate({ target: head.tenant, set: { seq: sql`${head.seq} + 1` } })
    .returning(),
);

const insertEntry = prepared(({ db, tables: { audit } }) =>
  db.insert(audit).values({
    tenant: given('tenant'),
    seq: given('seq'),
    at: given('at'),
    actor: given('actor'),
    kid: given('kid'),
    address: given('address'),
    requestId: given('requestId'),
    action: given('action'),
    entity: given('entity'),
    entityId: given('entityId'),
    detail: given('detail'),
    previous: given('previous'),
    hash: given('hash'),
  }),
);

/** The head exists by now; the upsert is only a way to write a value given at run time into it. */
const moveHead = prepared(({ db, tables: { auditHead: head } }) =>
  db
    .insert(head)
    .values({ tenant: given('tenant'), seq: given('seq'), hash: given('hash') })
    .onConflictDoUpdate({ target: head.tenant, set: { hash: proposed(head.hash) } }),
);

/** Entries after `afterSeq`, oldest first. */
export async function auditAfter(
  from: Reader,
  tenant: string,
  afterSeq: number,
  limit: number,
): Promise<AuditRow[]> {
  const t = from.tables.audit;
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), gt(t.seq, afterSeq)))
    .orderBy(asc(t.seq))
    .limit(limit);
}

/** Entries before `beforeSeq`, newest first; undefined = from the newest on. */
export const auditBefore = (
  from: Reader,
  tenant: string,
  beforeSeq: number | undefined,
  limit: number,
): Promise<AuditRow[]> => newest(from, tenant, undefined, beforeSeq, limit);

/** Entries about a host, as `auditBefore`. */
export const auditOfHost = (
  from: Reader,
  tenant: string,
  uid: string,
  beforeSeq: number | undefined,
  limit: number,
): Promise<AuditRow[]> => {
  const t = from.tables.audit;
  // In the text of the query: an index of these rows alone is not taken for a value that comes later.
  const isOfHost = and(eq(t.entityId, uid), sql`${t.entity} = 'host'`);
  return newest(from, tenant, isOfHost, beforeSeq, limit);
};

/** One resource, or a person, key or token that acted (`key:…`). */
export type AuditSubject = { readonly entity: string; readonly id: string } | { readonly actor: string };

/** Entries about one resource or of one actor, as `auditBefore`. */
export const auditOf = (
  from: Reader,
  tenant: string,
  subject: AuditSubject,
  beforeSeq: number | undefined,
  limit: number,
): Promise<AuditRow[]> => {
  const t = from.tables.audit;
  const isOfIt =
    'actor' in subject
      ? eq(t.actor, subject.actor)
      : and(eq(t.entity, subject.entity), eq(t.entityId, subject.id));
  return newest(from, tenant, isOfIt, beforeSeq, limit);
};

async function newest(
  from: Reader,
  tenant: string,
  only: SQL | undefined,
  beforeSeq: number | undefined,
  limit: number,
): Promise<AuditRow[]> {
  const t = from.tables.audit;
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), only, beforeSeq === undefined ? undefined : lt(t.seq, beforeSeq)))
    .orderBy(desc(t.seq))
    .limit(limit);
}

/** The newest entry's number and hash: what an auditor keeps elsewhere. */
export async function auditHead(from: Reader, tenant: string): Promise<{ seq: number; hash: string }> {
  const t = from.tables.auditHead;
  const [row] = await from.db.select().from(t).where(eq(t.tenant, tenant));
  return { seq: row?.seq ?? 0, hash: row?.hash ?? GENESIS };
}

/** Where the log of the tenant begins: the last removed entry, or the place in front of the first. */
export async function auditAnchor(from: Reader, tenant: string): Promise<AuditPlace> {
  const t = from.tables.auditAnchor;
  const [row] = await from.db.select({ seq: t.seq, hash: t.hash }).from(t).where(eq(t.tenant, tenant));
  return row ?? AUDIT_BEGIN;
}

/** The newest entry up to which all are older than `beforeMs`, the newest of all left out; undefined: there is none. */
export async function auditOlderThan(
  from: Reader,
  tenant: string,
  beforeMs: number,
): Promise<AuditPlace | undefined> {
  const t = from.tables.audit;
  const [young] = await from.db
    .select({ seq: min(t.seq) })
    .from(t)
    .where(and(eq(t.tenant, tenant), gte(t.at, beforeMs)));
  const head = await auditHead(from, tenant);
  const seq = Math.min((young?.seq ?? head.seq) - 1, head.seq - 1);
  const [row] = await from.db
    .select({ seq: t.seq, hash: t.hash })
    .from(t)
    .where(and(eq(t.tenant, tenant), eq(t.seq, seq)));
  return row;
}

/** From now on the log begins behind this entry; said in the chain itself, so that a forged begin is seen. */
export async function moveAuditAnchor(
  tx: Tx,
  actor: Actor,
  tenant: string,
  place: AuditPlace,
): Promise<void> {
  const t = tx.tables.auditAnchor;
  const { seq, hash } = place;
  await tx.db
    .insert(t)
    .values({ tenant, seq, hash, at: actor.at })
    .onConflictDoUpdate({ target: t.tenant, set: { seq, hash, at: actor.at } });
  await recordAudit(tx, actor, {
    tenant,
    action: AUDIT_CUT,
    entity: 'audit',
    entityId: String(seq),
    detail: { seq, hash },
  });
}

/** Removes entries behind which the log begins; returns how many, at most `limit`. */
export async function deleteAuditBehindAnchor(tx: Tx, tenant: string, limit: number): Promise<number> {
  const t = tx.tables.audit;
  const { seq } = await auditAnchor(tx, tenant);
  const old = await tx.db
    .select({ seq: t.seq })
    .from(t)
    .where(and(eq(t.tenant, tenant), lte(t.seq, seq)))
    .orderBy(asc(t.seq))
    .limit(limit);
  const last = old.at(-1);
  if (last === undefined) return 0;
  await tx.db.delete(t).where(and(eq(t.tenant, tenant), lte(t.seq, last.seq)));
  return old.length;
}

/** Number of the first row that does not fit the chain, or null when `rows`, from behind `begin` on, are whole. */
export function verifyAudit(
  rows: readonly AuditRow[],
  sha256: (text: string) => string,
  begin: AuditPlace = AUDIT_BEGIN,
): number | null {
  let { hash: previous, seq } = begin;
  for (const { hash, ...row } of rows) {
    seq += 1;
    if (row.seq !== seq || row.previous !== previous || hash !== sha256(canonicalJson(row))) return seq;
    previous = hash;
  }
  return null;
}
