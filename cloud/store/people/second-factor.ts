import { and, eq, isNotNull } from 'drizzle-orm';
import { secondFactorPlace } from '../sql/body-seal.ts';
import type { Reader, Tx } from '../sql/store.ts';

export type SecondFactorRow = Reader['tables']['secondFactor']['$inferSelect'];

export async function readSecondFactor(from: Reader, person: string): Promise<SecondFactorRow | undefined> {
  const t = from.tables.secondFactor;
  const [row] = await from.db.select().from(t).where(eq(t.person, person));
  return row && { ...row, body: from.seal.opened(secondFactorPlace(person), row.body) };
}

/** Instead of the one there was. */
export async function putSecondFactor(tx: Tx, row: SecondFactorRow): Promise<void> {
  const t = tx.tables.secondFactor;
  const stored = { ...row, body: tx.seal.sealed(secondFactorPlace(row.person), row.body) };
  const { person: _, ...set } = stored;
  await tx.db.insert(t).values(stored).onConflictDoUpdate({ target: t.person, set });
}

export async function deleteSecondFactor(tx: Tx, person: string): Promise<void> {
  const t = tx.tables.secondFactor;
  await tx.db.delete(t).where(eq(t.person, person));
}

/** `at`: when the second factor was given in this session; null = not. */
export async function markSession(tx: Tx, hash: string, at: number | null): Promise<void> {
  const t = tx.tables.personSession;
  await tx.db.update(t).set({ secondFactorAt: at }).where(eq(t.hash, hash));
}

/** No session of the person counts as one with a second factor any more. */
export async function unmarkSessions(tx: Tx, person: string): Promise<void> {
  const t = tx.tables.personSession;
  await tx.db.update(t).set({ secondFactorAt: null }).where(eq(t.person, person));
}

/** Since when each tenant demands a second factor that the person has a role in; of every tenant without a person. */
export async function demandsOf(from: Reader, person: string | undefined): Promise<number[]> {
  const { membership, tenant } = from.tables;
  const rows =
    person === undefined
      ? await from.db
          .select({ since: tenant.secondFactorSince })
          .from(tenant)
          .where(isNotNull(tenant.secondFactorSince))
      : await from.db
          .select({ since: tenant.secondFactorSince })
          .from(membership)
          .innerJoin(tenant, eq(tenant.id, membership.tenant))
          .where(and(eq(membership.person, person), isNotNull(tenant.secondFactorSince)));
  return rows.flatMap(({ since }) => since ?? []);
}
