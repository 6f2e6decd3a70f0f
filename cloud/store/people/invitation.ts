import { and, asc, eq, gt, isNull } from 'drizzle-orm';
import type { Reader, Tx } from '../sql/store.ts';
import type { PersonRow } from './access.ts';

export type InvitationRow = Reader['tables']['invitation']['$inferSelect'];

/** The invitation of this code, by its hash, and for whom it is. */
export async function readInvitation(
  from: Reader,
  hash: string,
): Promise<{ invitation: InvitationRow; person: PersonRow } | undefined> {
  const { invitation, person } = from.tables;
  const [row] = await from.db
    .select({ invitation, person })
    .from(invitation)
    .innerJoin(person, eq(person.id, invitation.person))
    .where(eq(invitation.hash, hash));
  return row;
}

/** Invitations of a tenant, or of the platform (null), in order of person, those after `afterPerson`. */
export async function listInvitations(
  from: Reader,
  tenant: string | null,
  afterPerson: string,
  limit: number,
): Promise<{ invitation: InvitationRow; person: PersonRow }[]> {
  const { invitation, person } = from.tables;
  const there = tenant === null ? isNull(invitation.tenant) : eq(invitation.tenant, tenant);
  return await from.db
    .select({ invitation, person })
    .from(invitation)
    .innerJoin(person, eq(person.id, invitation.person))
    .where(and(there, gt(invitation.person, afterPerson)))
    .orderBy(asc(invitation.person))
    .limit(limit);
}

export async function hasInvitations(from: Reader, person: string): Promise<boolean> {
  const t = from.tables.invitation;
  return (await from.db.select({ hash: t.hash }).from(t).where(eq(t.person, person)).limit(1)).length > 0;
}

export async function invitationOf(
  from: Reader,
  tenant: string,
  person: string,
): Promise<InvitationRow | undefined> {
  const t = from.tables.invitation;
  const [row] = await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), eq(t.person, person)));
  return row;
}

export async function insertInvitation(tx: Tx, row: InvitationRow): Promise<void> {
  await tx.db.insert(tx.tables.invitation).values(row);
}

export async function setInvitationRole(
  tx: Tx,
  hash: string,
  set: Pick<InvitationRow, 'role' | 'maker'>,
): Promise<void> {
  const t = tx.tables.invitation;
  await tx.db.update(t).set(set).where(eq(t.hash, hash));
}

export async function deleteInvitation(tx: Tx, hash: string): Promise<void> {
  const t = tx.tables.invitation;
  await tx.db.delete(t).where(eq(t.hash, hash));
}
