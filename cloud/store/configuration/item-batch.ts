import { proposed } from '../sql/prepared.ts';
import type { Tx } from '../sql/store.ts';
import { type ItemRow, type ItemTable, itemPlace } from './configuration-item.ts';

/** Rows of one INSERT; more would run into the limit of parameters. */
const BATCH = 500;

/** Many rows at once, each id once; replaces those that are there. */
export async function putItems(tx: Tx, table: ItemTable, rows: readonly ItemRow[]): Promise<void> {
  const t = tx.tables[table];
  for (let at = 0; at < rows.length; at += BATCH) {
    const batch = rows
      .slice(at, at + BATCH)
      .map((row) => ({ ...row, body: tx.seal.sealed(itemPlace(tx, table, row), row.body) }));
    await tx.db
      .insert(t)
      .values(batch)
      .onConflictDoUpdate({
        target: [t.tenant, t.set, t.id],
        set: { body: proposed(t.body), updatedAt: proposed(t.updatedAt) },
      });
  }
}
