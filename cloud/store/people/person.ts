import { and, asc, eq, gt, inArray, lte } from 'drizzle-orm';
import type { Role } from '../schema/access-tables.ts';
import { given, prepared } from '../sql/prepared.ts';
import type { Reader, Tx } from '../sql/store.ts';
import type { PersonRow } from './access.ts';

export type SessionRow = Reader['tables']['personSession']['$inferSelect'];

export async function readPerson(from: Reader, id: string): Promise<PersonRow | undefined> {
  const t = from.tables.person;
  const [row] = await from.db.select().from(t).where(eq(t.id, id));
  return row;
}

/** `email` in the form it is stored in: lower case. */
export async function personByEmail(from: Reader, email: string): Promise<PersonRow | undefined> {
  const t = from.tables.person;
  const [row] = await from.db.select().from(t).where(eq(t.email, email));
  return row;
}

export async function updatePerson(tx: Tx, id: string, set: Partial<Omit<PersonRow, 'id'>>): Promise<void> {
  const t = tx.tables.person;
  await tx.db.update(t).set(set).where(eq(t.id, id));
}

export async function deletePerson(tx: Tx, id: string): Promise<void> {
  const t = tx.tables.person;
  await tx.db.delete(t).where(eq(t.id, id));
}

const sessionByHash = prepared(({ db, tables: { personSession, person } }) =>
  db
    .select({ session: personSession, person })
    .from(personSession)
    .innerJoin(person, eq(person.id, personSession.person))
    .where(eq(personSession.hash, given('hash'))),
);

/** The session of this cookie, and whose it is. */
export async function readSession(from: Reader, hash: string) {
  const [row] = await sessionByHash(from, { hash });
  return row;
}

export async function insertSession(tx: Tx, row: SessionRow): Promise<void> {
  await tx.db.insert(tx.tables.personSession).values(row);
}

export async function deleteSession(tx: Tx, hash: string): Promise<void> {
  const t = tx.tables.personSession;
  await tx.db.delete(t).where(eq(t.hash, hash));
}

export async function deleteExpiredSessions(tx: Tx, now: number): Promise<void> {
  const t = tx.tables.personSession;
  await tx.db.delete(t).where(lte(t.expiresAt, now));
}

const membershipIn = prepared(({ db, tables: { membership, tenant } }) =>
  db
    .select({ role: membership.role, tenant })
    .from(membership)
    .innerJoin(tenant, eq(tenant.id, membership.tenant))
    .where(and(eq(membership.person, given('person')), eq(tenant.domain, given('domain')))),
);

/** The tenant of this domain and the person's role there; undefined without one. */
export async function membershipByDomain(from: Reader, person: string, domain: string) {
  const [row] = await membershipIn(from, { person, domain });
  return row;
}

/** Tenants where the person has a role, in order of domain, those after `afterDomain`. */
export async function listMemberships(
  from: Reader,
  person: string,
  afterDomain: string,
  limit: number,
): Promise<{ domain: string; role: Role }[]> {
  const { membership, tenant } = from.tables;
  return await from.db
    .select({ domain: tenant.domain, role: membership.role })
    .from(membership)
    .innerJoin(tenant, eq(tenant.id, membership.tenant))
    .where(and(eq(membership.person, person), gt(tenant.domain, afterDomain)))
    .orderBy(asc(tenant.domain))
    .limit(limit);
}

export async function readRole(from: Reader, tenant: string, person: string): Promise<Role | undefined> {
  const t = from.tables.membership;
  const [row] = await from.db
    .select({ role: t.role })
    .from(t)
    .where(and(eq(t.tenant, tenant), eq(t.person, person)));
  return row?.role;
}

/** Gives the person this role, instead of the one there was. `maker`: the giver; null = without a limit. */
export async function putRole(
  tx: Tx,
  tenant: string,
  person: string,
  role: Role,
  maker: string | null,
): Promise<void> {
  const t = tx.tables.membership;
  await tx.db
    .insert(t)
    .values({ tenant, person, role, maker })
    .onConflictDoUpdate({ target: [t.tenant, t.person], set: { role, maker } });
}

export async function deleteRole(tx: Tx, tenant: string, person: string): Promise<void> {
  const t = tx.tables.membership;
  await tx.db.delete(t).where(and(eq(t.tenant, tenant), eq(t.person, person)));
}

/** People of a tenant with one of these roles, in order of id, those after `afterId`. */
export async function listMembers(
  from: Reader,
  tenant: string,
  roles: readonly Role[],
  afterId: string,
  limit: number,
): Promise<{ person: PersonRow; role: Role; maker: string | null }[]> {
  const { membership, person } = from.tables;
  return await from.db
    .select({ person, role: membership.role, maker: membership.maker })
    .from(membership)
    .innerJoin(person, eq(person.id, membership.person))
    .where(
      and(
        eq(membership.tenant, tenant),
        inArray(membership.role, [...roles]),
        gt(membership.person, afterId),
      ),
    )
    .orderBy(asc(membership.person))
    .limit(limit);
}
