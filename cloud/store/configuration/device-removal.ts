import { and, eq, inArray } from 'drizzle-orm';
import type { Tx } from '../sql/store.ts';

/** Ids of one DELETE; more would run into the limit of parameters. */
const BATCH = 500;

/** Removes many devices of the tenant and what is known of their heartbeats. */
export async function deleteDevices(tx: Tx, tenant: string, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += BATCH) {
    const batch = ids.slice(at, at + BATCH);
    for (const t of [tx.tables.device, tx.tables.deviceHeartbeat] as const)
      await tx.db.delete(t).where(and(eq(t.tenant, tenant), inArray(t.id, batch)));
  }
}
