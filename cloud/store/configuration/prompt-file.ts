import { and, asc, eq, gt } from 'drizzle-orm';
import type { Reader, Tx } from '../sql/store.ts';

export type PromptFileRow = Reader['tables']['promptFile']['$inferSelect'];

export async function readPromptFile(
  from: Reader,
  tenant: string,
  name: string,
): Promise<PromptFileRow | undefined> {
  const t = from.tables.promptFile;
  const [row] = await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), eq(t.name, name)));
  return row;
}

/** In order of name, those after `afterName`. */
export async function listPromptFiles(
  from: Reader,
  tenant: string,
  afterName: string,
  limit: number,
): Promise<PromptFileRow[]> {
  const t = from.tables.promptFile;
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), gt(t.name, afterName)))
    .orderBy(asc(t.name))
    .limit(limit);
}

/** Whether a tenant has a file with these bytes; without a tenant: whether anybody has. */
export async function hasPromptBytes(from: Reader, sha256: string, tenant?: string): Promise<boolean> {
  const t = from.tables.promptFile;
  const [row] = await from.db
    .select({ name: t.name })
    .from(t)
    .where(and(eq(t.sha256, sha256), tenant === undefined ? undefined : eq(t.tenant, tenant)))
    .limit(1);
  return row !== undefined;
}

/** A file of that name gives way. */
export async function putPromptFile(tx: Tx, row: PromptFileRow): Promise<void> {
  const t = tx.tables.promptFile;
  const { tenant: _, name: __, ...set } = row;
  await tx.db
    .insert(t)
    .values(row)
    .onConflictDoUpdate({ target: [t.tenant, t.name], set });
}

export async function deletePromptFile(tx: Tx, tenant: string, name: string): Promise<void> {
  const t = tx.tables.promptFile;
  await tx.db.delete(t).where(and(eq(t.tenant, tenant), eq(t.name, name)));
}
