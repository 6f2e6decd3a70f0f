import { and, asc, eq, gt, isNull, lte, sql } from 'drizzle-orm';
import { type Notice, note, type Reader, type Tx } from '../sql/store.ts';

export type ListeningRow = Reader['tables']['listening']['$inferSelect'];
export type ListeningAskRow = Reader['tables']['listeningAsk']['$inferSelect'];

export async function readListening(from: Reader, id: string): Promise<ListeningRow | undefined> {
  const t = from.tables.listening;
  const [row] = await from.db.select().from(t).where(eq(t.id, id));
  return row;
}

/** Those of a tenant that have not ended, oldest first. */
export async function listeningsOf(from: Reader, tenant: string, nowMs: number): Promise<ListeningRow[]> {
  const t = from.tables.listening;
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), gt(t.expiresAt, nowMs)))
    .orderBy(asc(t.openedAt), asc(t.id));
}

export async function insertListening(tx: Tx, row: ListeningRow): Promise<void> {
  await tx.db.insert(tx.tables.listening).values(row);
}

/** Whether it was there; the callbacks that wait for it go too. */
export async function deleteListening(tx: Tx, id: string): Promise<boolean> {
  const t = tx.tables.listening;
  noteListening(tx, id);
  return (await tx.db.delete(t).where(eq(t.id, id)).returning({ id: t.id })).length > 0;
}

export async function deleteOldListenings(tx: Tx, nowMs: number): Promise<void> {
  const { listening, listeningAsk } = tx.tables;
  await tx.db.delete(listeningAsk).where(lte(listeningAsk.expiresAt, nowMs));
  await tx.db.delete(listening).where(lte(listening.expiresAt, nowMs));
}

/** From now on this stream is the one that is read. */
export async function startReading(tx: Tx, id: string, reader: string, readUntil: number): Promise<void> {
  const t = tx.tables.listening;
  noteListening(tx, id);
  await tx.db.update(t).set({ reader, readUntil }).where(eq(t.id, id));
}

/** The stream is read on, and has sent so many copies more. */
export async function keepReading(
  tx: Tx,
  { id, reader }: { readonly id: string; readonly reader: string },
  readUntil: number,
  copies: number,
): Promise<void> {
  const t = tx.tables.listening;
  await tx.db
    .update(t)
    .set({ readUntil, copies: sql`${t.copies} + ${copies}` })
    .where(and(eq(t.id, id), eq(t.reader, reader)));
}

export async function endReading(tx: Tx, id: string, reader: string, copies: number): Promise<void> {
  const t = tx.tables.listening;
  await tx.db
    .update(t)
    .set({ reader: null, readUntil: 0, copies: sql`${t.copies} + ${copies}` })
    .where(and(eq(t.id, id), eq(t.reader, reader)));
}

/** Callbacks that wait for an answer. */
export async function asksOfListening(from: Reader, listening: string): Promise<ListeningAskRow[]> {
  const t = from.tables.listeningAsk;
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.listening, listening), isNull(t.answer)))
    .orderBy(asc(t.expiresAt), asc(t.id));
}

export async function readListeningAsk(from: Reader, id: string): Promise<ListeningAskRow | undefined> {
  const t = from.tables.listeningAsk;
  const [row] = await from.db.select().from(t).where(eq(t.id, id));
  return row;
}

export async function insertListeningAsk(tx: Tx, row: ListeningAskRow): Promise<void> {
  noteListening(tx, row.listening);
  await tx.db.insert(tx.tables.listeningAsk).values(row);
}

/** Whether it waited: the first answer counts. */
export async function answerListeningAsk(
  tx: Tx,
  { id, listening }: Pick<ListeningAskRow, 'id' | 'listening'>,
  answer: string,
): Promise<boolean> {
  const t = tx.tables.listeningAsk;
  noteListening(tx, listening);
  const answered = await tx.db
    .update(t)
    .set({ answer })
    .where(and(eq(t.id, id), eq(t.listening, listening), isNull(t.answer)))
    .returning({ id: t.id });
  return answered.length > 0;
}

export async function deleteListeningAsk(tx: Tx, id: string): Promise<void> {
  const t = tx.tables.listeningAsk;
  await tx.db.delete(t).where(eq(t.id, id));
}

/** Says, with the commit, that its reader, its end or one of its callbacks has changed. */
const noteListening = (tx: Tx, id: string): unknown => note(tx, 'listening', id);

/** The listening of a notice; undefined: it is about something else. */
export const notedListening = ({ kind, id }: Notice): string | undefined =>
  kind === 'listening' ? id : undefined;
