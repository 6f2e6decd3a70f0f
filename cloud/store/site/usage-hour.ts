import { and, eq, gte, lt, sql, sum } from 'drizzle-orm';
import type { Reader, Tx } from '../sql/store.ts';

export type UsageHourRow = Reader['tables']['usageHour']['$inferSelect'];

/** Adds to what is counted already. */
export async function addUsage(tx: Tx, rows: readonly UsageHourRow[]): Promise<void> {
  const t = tx.tables.usageHour;
  for (const row of rows)
    await tx.db
      .insert(t)
      .values(row)
      .onConflictDoUpdate({
        target: [t.tenant, t.hour, t.kind, t.protocol, t.result],
        set: { amount: sql`${t.amount} + ${row.amount}` },
      });
}

/** The counts from `fromMs` until before `toMs`, by kind, protocol and result. */
export async function usageBetween(
  from: Reader,
  tenant: string,
  fromMs: number,
  toMs: number,
): Promise<Omit<UsageHourRow, 'tenant' | 'hour'>[]> {
  const t = from.tables.usageHour;
  const rows = await from.db
    .select({ kind: t.kind, protocol: t.protocol, result: t.result, amount: sum(t.amount) })
    .from(t)
    .where(and(eq(t.tenant, tenant), gte(t.hour, fromMs), lt(t.hour, toMs)))
    .groupBy(t.kind, t.protocol, t.result)
    .orderBy(t.kind, t.protocol, t.result);
  // PostgreSQL gives sums as text, for they may outgrow a number; these do not.
  return rows.map((row) => ({ ...row, amount: Number(row.amount ?? 0) }));
}
