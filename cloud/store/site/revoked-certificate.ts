import { asc, gt, lte } from 'drizzle-orm';
import type { Reader, Tx } from '../sql/store.ts';

export type RevokedCertificateRow = Reader['tables']['revokedCertificate']['$inferSelect'];

/** Keeps them until they end; what has ended goes. Naming one again changes nothing. */
export async function revokeCertificates(
  tx: Tx,
  rows: readonly RevokedCertificateRow[],
  nowMs: number,
): Promise<void> {
  const t = tx.tables.revokedCertificate;
  const lasting = rows.filter(({ until }) => until > nowMs);
  await tx.db.delete(t).where(lte(t.until, nowMs));
  if (lasting.length > 0) await tx.db.insert(t).values(lasting).onConflictDoNothing();
}

/** Those that have not ended. */
export async function revokedCertificates(from: Reader, nowMs: number): Promise<RevokedCertificateRow[]> {
  const t = from.tables.revokedCertificate;
  return await from.db.select().from(t).where(gt(t.until, nowMs)).orderBy(asc(t.serial));
}
