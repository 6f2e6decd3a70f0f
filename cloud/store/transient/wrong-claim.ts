import { and, count, eq, gt, lte, max } from 'drizzle-orm';
import type { Reader, Tx } from '../sql/store.ts';

export type WrongClaimRow = Reader['tables']['wrongClaim']['$inferSelect'];

/** Wrong claim codes since a moment: of a network, and of all. */
export async function wrongClaimsSince(
  from: Reader,
  network: string,
  sinceMs: number,
): Promise<{ readonly own: number; readonly all: number }> {
  const t = from.tables.wrongClaim;
  const [own] = await from.db
    .select({ n: count() })
    .from(t)
    .where(and(eq(t.network, network), gt(t.at, sinceMs)));
  const [all] = await from.db.select({ n: count() }).from(t).where(gt(t.at, sinceMs));
  return { own: own?.n ?? 0, all: all?.n ?? 0 };
}

/** When the platform got its last note of this network; null = never. */
export async function networkReportedAt(from: Reader, network: string): Promise<number | null> {
  const t = from.tables.wrongClaim;
  const [row] = await from.db
    .select({ at: max(t.at) })
    .from(t)
    .where(and(eq(t.network, network), eq(t.told, true)));
  return row?.at ?? null;
}

/** Adds one, and removes those that were made before `keptMs`. */
export async function insertWrongClaim(tx: Tx, row: WrongClaimRow, keptMs: number): Promise<void> {
  const t = tx.tables.wrongClaim;
  await tx.db.delete(t).where(lte(t.at, keptMs));
  await tx.db.insert(t).values(row);
}
