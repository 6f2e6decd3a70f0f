import { count, eq, min } from 'drizzle-orm';
import type { Reader } from '../sql/store.ts';

/** Deliveries that wait: how many, and when the oldest was made (epoch ms; null = none). */
export async function waitingRelays(
  from: Reader,
): Promise<{ readonly rows: number; readonly oldestAt: number | null }> {
  const t = from.tables.relay;
  const [found] = await from.db
    .select({ rows: count(), oldestAt: min(t.createdAt) })
    .from(t)
    .where(eq(t.state, 'waiting'));
  return found ?? { rows: 0, oldestAt: null };
}
