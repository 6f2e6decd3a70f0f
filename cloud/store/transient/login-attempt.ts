import { eq, lt, sql } from 'drizzle-orm';
import type { NameTries } from '#shared/authorize/index.ts';
import type { Tx } from '../sql/store.ts';

/** The tries of a name, which no other transaction changes until this one ends. */
export async function lockLoginAttempt(tx: Tx, name: string, empty: NameTries): Promise<NameTries> {
  const t = tx.tables.loginAttempt;
  const [row] = await tx.db
    .insert(t)
    .values({ name, body: empty, expiresAt: 0 })
    .onConflictDoUpdate({ target: t.name, set: { expiresAt: sql`${t.expiresAt}` } })
    .returning();
  return row?.body ?? empty;
}

export async function putLoginAttempt(
  tx: Tx,
  name: string,
  body: NameTries,
  expiresAt: number,
): Promise<void> {
  const t = tx.tables.loginAttempt;
  await tx.db.update(t).set({ body, expiresAt }).where(eq(t.name, name));
}

/** Removes the tries that count no longer. */
export async function deleteOldLoginAttempts(tx: Tx, nowMs: number): Promise<void> {
  const t = tx.tables.loginAttempt;
  await tx.db.delete(t).where(lt(t.expiresAt, nowMs));
}
