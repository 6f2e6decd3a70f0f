import { and, asc, eq } from 'drizzle-orm';
import type { Reader, Tx } from '../sql/store.ts';

export type InstallationKeyRow = Reader['tables']['installationKey']['$inferSelect'];

/** All keys of the installation, sealed as they are stored. */
export async function readInstallationKeys({ db, tables }: Reader): Promise<InstallationKeyRow[]> {
  const t = tables.installationKey;
  return await db.select().from(t).orderBy(asc(t.purpose));
}

/**
 * Inserts the keys that are not there yet; what is there stays. Two processes may do this at
 * once: the database lets one wait at the first row, in the order of the purposes, so that all keys are those of one of them.
 */
export async function insertInstallationKeys(
  tx: Tx,
  rows: readonly Omit<InstallationKeyRow, 'rev'>[],
): Promise<void> {
  const ordered = rows
    .toSorted((a, b) => (a.purpose < b.purpose ? -1 : 1))
    .map((row) => ({ ...row, rev: 1 }));
  await tx.db.insert(tx.tables.installationKey).values(ordered).onConflictDoNothing();
}

/** Puts another text in the place of the one with this `rev`. False = another process has replaced it meanwhile. */
export async function replaceInstallationKey(tx: Tx, row: InstallationKeyRow): Promise<boolean> {
  const t = tx.tables.installationKey;
  const { purpose, rev, sealed, at } = row;
  const replaced = await tx.db
    .update(t)
    .set({ sealed, at, rev: rev + 1 })
    .where(and(eq(t.purpose, purpose), eq(t.rev, rev)))
    .returning({ purpose: t.purpose });
  return replaced.length > 0;
}
