import { and, eq } from 'drizzle-orm';
import type { Role } from '../schema/access-tables.ts';
import { given, prepared } from '../sql/prepared.ts';
import type { Reader, Tx } from '../sql/store.ts';

/** The grant of one maker, and its own maker. */
export interface GrantRow {
  /** Null = all that its maker has. */
  readonly role: Role | null;
  readonly scope: string | null;
  readonly endsAt: number | null;
  /** Null = without a limit. */
  readonly maker: string | null;
}

/** One thing that a maker made. */
export interface MadeRow extends GrantRow {
  readonly kind: 'user' | 'invitation' | 'apikey' | 'apitoken' | 'claim';
  /** As the API names it. */
  readonly id: string;
  /** Key of its row in its tenant. */
  readonly key: string;
  readonly name: string | null;
  /** A claim that is used up opens nothing any more. */
  readonly usedUp: boolean;
}

const memberGrant = prepared(({ db, tables: { membership: t } }) =>
  db
    .select({ role: t.role, maker: t.maker })
    .from(t)
    .where(and(eq(t.tenant, given('tenant')), eq(t.person, given('id')))),
);

const keyGrant = prepared(({ db, tables: { apiKey: t } }) =>
  db
    .select({ role: t.role, scope: t.scope, maker: t.maker })
    .from(t)
    .where(and(eq(t.tenant, given('tenant')), eq(t.kid, given('id')))),
);

const tokenGrant = prepared(({ db, tables: { apiToken: t } }) =>
  db
    .select({ role: t.role, scope: t.scope, endsAt: t.expiresAt, maker: t.maker, person: t.person })
    .from(t)
    .where(and(eq(t.tenant, given('tenant')), eq(t.id, given('id')))),
);

/** The grant of `person:<id>`, `key:<kid>` or `token:<id>` in the tenant. */
export async function grantOf(from: Reader, tenant: string, ref: string): Promise<GrantRow | undefined> {
  const [kind, id] = partsOf(ref);
  if (kind === 'person') {
    const [row] = await memberGrant(from, { tenant, id });
    return row && { ...row, scope: null, endsAt: null };
  }
  if (kind === 'key') {
    const [row] = await keyGrant(from, { tenant, id });
    return row && { role: row.role ?? 'admin', scope: row.scope, endsAt: null, maker: row.maker };
  }
  if (kind !== 'token') return undefined;
  const [row] = await tokenGrant(from, { tenant, id });
  if (row === undefined) return undefined;
  const { person, ...grant } = row;
  // Without person and maker it was made with a key, before makers were kept.
  return { ...grant, role: row.role ?? (row.maker === null && person === null ? 'admin' : null) };
}

/** A reference to a maker in its two parts; an id may hold colons itself. */
export function partsOf(ref: string): [kind: string, id: string] {
  const colon = ref.indexOf(':');
  return [ref.slice(0, colon), ref.slice(colon + 1)];
}

/** Everything that this maker made itself, people first. */
export async function madeBy(from: Reader, tenant: string, maker: string): Promise<MadeRow[]> {
  const { membership, person, invitation, apiKey, apiToken, claim } = from.tables;
  const { db } = from;
  const members = await db
    .select({ id: membership.person, role: membership.role, name: person.email })
    .from(membership)
    .innerJoin(person, eq(person.id, membership.person))
    .where(and(eq(membership.tenant, tenant), eq(membership.maker, maker)));
  const invited = await db
    .select({
      id: invitation.person,
      key: invitation.hash,
      role: invitation.role,
      endsAt: invitation.expiresAt,
      name: person.email,
    })
    .from(invitation)
    .innerJoin(person, eq(person.id, invitation.person))
    .where(and(eq(invitation.tenant, tenant), eq(invitation.maker, maker)));
  const keys = await db
    .select()
    .from(apiKey)
    .where(and(eq(apiKey.tenant, tenant), eq(apiKey.maker, maker)));
  const tokens = await db
    .select()
    .from(apiToken)
    .where(and(eq(apiToken.tenant, tenant), eq(apiToken.maker, maker)));
  const claims = await db
    .select()
    .from(claim)
    .where(and(eq(claim.tenant, tenant), eq(claim.maker, maker)));
  const row = (kind: MadeRow['kind'], made: Partial<MadeRow> & { id: string }): MadeRow => ({
    kind,
    key: made.id,
    name: null,
    role: null,
    scope: null,
    endsAt: null,
    usedUp: false,
    maker,
    ...made,
  });
  return [
    ...members.map((each) => row('user', each)),
    ...invited.map((each) => row('invitation', each)),
    ...keys.map(({ kid, name, role, scope }) =>
      row('apikey', { id: kid, name, scope, role: role ?? 'admin' }),
    ),
    ...tokens.map(({ id, name, role, scope, expiresAt }) =>
      row('apitoken', { id, name, role, scope, endsAt: expiresAt }),
    ),
    ...claims.map(({ hash, siteId, expiresAt, used, uses }) =>
      row('claim', {
        id: hash.slice(0, 12),
        key: hash,
        name: siteId,
        endsAt: expiresAt,
        usedUp: used >= uses,
      }),
    ),
  ];
}

/** Gives a thing another maker, and limits it to what it may do now. */
export async function handOver(
  tx: Tx,
  tenant: string,
  { kind, key }: MadeRow,
  {
    maker,
    role,
    scope,
  }: { readonly maker: string | null; readonly role: Role; readonly scope: string | null },
): Promise<void> {
  const { membership, invitation, apiKey, apiToken, claim } = tx.tables;
  const { db } = tx;
  if (kind === 'user')
    await db
      .update(membership)
      .set({ maker, role })
      .where(and(eq(membership.tenant, tenant), eq(membership.person, key)));
  else if (kind === 'invitation')
    await db.update(invitation).set({ maker, role }).where(eq(invitation.hash, key));
  else if (kind === 'apikey')
    await db
      .update(apiKey)
      .set({ maker, role, scope })
      .where(and(eq(apiKey.tenant, tenant), eq(apiKey.kid, key)));
  else if (kind === 'apitoken')
    await db
      .update(apiToken)
      .set({ maker, role, scope })
      .where(and(eq(apiToken.tenant, tenant), eq(apiToken.id, key)));
  else await db.update(claim).set({ maker }).where(eq(claim.hash, key));
}

/** From now on the token acts for this person; null = for no person. */
export async function setTokenPerson(
  tx: Tx,
  tenant: string,
  id: string,
  person: string | null,
): Promise<void> {
  const t = tx.tables.apiToken;
  await tx.db
    .update(t)
    .set({ person })
    .where(and(eq(t.tenant, tenant), eq(t.id, id)));
}

/** Ends a claim. Its row stays, for hosts that came by it know it again. */
export async function endClaim(tx: Tx, hash: string, at: number): Promise<void> {
  const t = tx.tables.claim;
  await tx.db.update(t).set({ expiresAt: at, maker: null }).where(eq(t.hash, hash));
}
