import { and, asc, eq, gt, inArray, lt } from 'drizzle-orm';
import { lockTenant } from '../change/audit.ts';
import { proposed } from '../sql/prepared.ts';
import { type Notice, note, type Reader, type Tx } from '../sql/store.ts';

export type SessionRecordRow = Reader['tables']['sessionRecord']['$inferSelect'];

/** Year and month in UTC as one number, for example 202611. */
export function monthOf(epochMs: number): number {
  const date = new Date(epochMs);
  return date.getUTCFullYear() * 100 + date.getUTCMonth() + 1;
}

/** The month after one of `monthOf`. */
export const monthAfter = (month: number): number => month + (month % 100 === 12 ? 89 : 1);

/** Takes the turn of the tenant, so that no other writer adds one of these ids in another month, and reads the rows of the ids. */
export async function recordsForWrite(
  tx: Tx,
  tenant: string,
  ids: readonly string[],
): Promise<Map<string, SessionRecordRow>> {
  await lockTenant(tx, tenant);
  return new Map((await recordsOf(tx, tenant, ids)).map((row) => [row.id, row]));
}

/** Records of these ids, in no order; at most 500. */
export async function recordsOf(
  from: Reader,
  tenant: string,
  ids: readonly string[],
): Promise<SessionRecordRow[]> {
  const t = from.tables.sessionRecord;
  if (ids.length === 0) return [];
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), inArray(t.id, [...ids])));
}

/** Says, with the commit, that this record has new content. */
export const noteRecord = (tx: Tx, { tenant, id }: Pick<SessionRecordRow, 'tenant' | 'id'>): unknown =>
  note(tx, 'sessionRecord', `${tenant} ${id}`);

/** The record of a notice; undefined: it is about something else. */
export function notedRecord({ kind, id }: Notice): Pick<SessionRecordRow, 'tenant' | 'id'> | undefined {
  const [tenant, record] = id.split(' ');
  if (kind !== 'sessionRecord' || tenant === undefined || record === undefined) return undefined;
  return { tenant, id: record };
}

/** Adds rows, or replaces those of the same id and month. At most 500. */
export async function putRecords(tx: Tx, rows: readonly SessionRecordRow[]): Promise<void> {
  if (rows.length === 0) return;
  const t = tx.tables.sessionRecord;
  const { siteId, uid, hostId, seq, kind, result, at, traceId, deviceId, fromParty, toParty } = t;
  const { receiver, protocol, warnings, body } = t;
  const content = { siteId, uid, hostId, seq, kind, result, at, traceId, deviceId, fromParty, toParty };
  const columns = Object.entries({ ...content, receiver, protocol, warnings, body });
  await tx.db
    .insert(t)
    .values([...rows])
    .onConflictDoUpdate({
      target: [t.tenant, t.id, t.month],
      set: Object.fromEntries(columns.map(([name, column]) => [name, proposed(column)])),
    });
}

/** Up to which number the records of a host are committed; 0 = none yet. */
export async function recordSeq(from: Reader, uid: string): Promise<number> {
  const t = from.tables.recordCursor;
  const [row] = await from.db.select({ seq: t.seq }).from(t).where(eq(t.uid, uid));
  return row?.seq ?? 0;
}

export async function setRecordSeq(tx: Tx, uid: string, seq: number): Promise<void> {
  const t = tx.tables.recordCursor;
  await tx.db.insert(t).values({ uid, seq }).onConflictDoUpdate({ target: t.uid, set: { seq } });
}

/** Records of a tenant in order of id, those after `afterId`, in all months. */
export async function recordsAfter(
  from: Reader,
  tenant: string,
  afterId: string,
  limit: number,
): Promise<SessionRecordRow[]> {
  const t = from.tables.sessionRecord;
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), gt(t.id, afterId)))
    .orderBy(asc(t.id))
    .limit(limit);
}

/** Number of a record that was erased: no host has a later one, so none brings it back. */
export const ERASED_SEQ = Number.MAX_SAFE_INTEGER;

/** Removes the content of a record. Its id, kind and times stay. */
export async function blankRecord(tx: Tx, tenant: string, id: string): Promise<void> {
  const [row] = await recordsOf(tx, tenant, [id]);
  if (row === undefined) return;
  const withoutParties = { traceId: null, deviceId: null, fromParty: null, toParty: null };
  const empty = { receiver: null, protocol: null, warnings: null, seq: ERASED_SEQ, body: { erased: true } };
  await putRecords(tx, [{ ...row, ...withoutParties, ...empty }]);
}

/** Removes records of these kinds that arrived before the moment; at most `limit`. Gives how many. */
export async function deleteOldRecords(
  tx: Tx,
  tenant: string,
  kinds: readonly SessionRecordRow['kind'][],
  beforeMs: number,
  limit: number,
): Promise<number> {
  const t = tx.tables.sessionRecord;
  const old = await tx.db
    .select({ id: t.id })
    .from(t)
    .where(and(eq(t.tenant, tenant), inArray(t.kind, [...kinds]), lt(t.receivedAt, beforeMs)))
    .limit(limit);
  const ids = old.map(({ id }) => id);
  if (ids.length > 0) await tx.db.delete(t).where(and(eq(t.tenant, tenant), inArray(t.id, ids)));
  return ids.length;
}
