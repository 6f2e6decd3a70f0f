import { and, asc, eq, gte, lt, sql, sum } from 'drizzle-orm';
import type { Reader, Tx } from '../sql/store.ts';

export type RecordHourRow = Reader['tables']['recordHour']['$inferSelect'];

/** Adds to the counts; a negative amount takes away. */
export async function addRecordHours(tx: Tx, rows: readonly RecordHourRow[]): Promise<void> {
  const t = tx.tables.recordHour;
  for (const row of rows)
    await tx.db
      .insert(t)
      .values(row)
      .onConflictDoUpdate({
        target: [t.tenant, t.hour, t.siteId, t.kind, t.result],
        set: { amount: sql`${t.amount} + ${row.amount}` },
      });
}

/** Counts of the hours that begin in `[fromMs, toMs)`, by hour, kind and result, in that order. */
export async function recordHoursBetween(
  from: Reader,
  tenant: string,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  siteId: string | undefined,
): Promise<Omit<RecordHourRow, 'tenant' | 'siteId'>[]> {
  const t = from.tables.recordHour;
  const wanted = siteId === undefined ? undefined : eq(t.siteId, siteId);
  const rows = await from.db
    .select({ hour: t.hour, kind: t.kind, result: t.result, amount: sum(t.amount) })
    .from(t)
    .where(and(eq(t.tenant, tenant), gte(t.hour, fromMs), lt(t.hour, toMs), wanted))
    .groupBy(t.hour, t.kind, t.result)
    .orderBy(asc(t.hour), asc(t.kind), asc(t.result));
  // PostgreSQL gives sums as text, for they may outgrow a number; these do not.
  return rows
    .map((row) => ({ ...row, amount: Number(row.amount ?? 0) }))
    .filter(({ amount }) => amount !== 0);
}
