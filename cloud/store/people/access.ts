import { and, asc, desc, eq, gt } from 'drizzle-orm';
import { given, prepared } from '../sql/prepared.ts';
import type { Reader, Tx } from '../sql/store.ts';

export type ApiKeyRow = Reader['tables']['apiKey']['$inferSelect'];
export type ApiTokenRow = Reader['tables']['apiToken']['$inferSelect'];
export type PersonRow = Reader['tables']['person']['$inferSelect'];

const keysByKid = prepared(({ db, tables: { apiKey, tenant } }) =>
  db
    .select({ key: apiKey, tenant })
    .from(apiKey)
    .innerJoin(tenant, eq(tenant.id, apiKey.tenant))
    .where(eq(apiKey.kid, given('kid')))
    .orderBy(desc(eq(tenant.domain, given('domain'))), asc(apiKey.tenant))
    .limit(given('limit')),
);

/** Keys with this `kid` and the tenants they open; that of tenant `domain`, when there is one, comes first. */
export async function apiKeysByKid(from: Reader, kid: string, domain: string | undefined, limit: number) {
  return await keysByKid(from, { kid, domain: domain ?? '', limit });
}

export async function readApiKey(from: Reader, tenant: string, kid: string): Promise<ApiKeyRow | undefined> {
  const t = from.tables.apiKey;
  const [row] = await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), eq(t.kid, kid)));
  return row;
}

export async function listApiKeys(
  from: Reader,
  tenant: string,
  afterKid: string,
  limit: number,
): Promise<ApiKeyRow[]> {
  const t = from.tables.apiKey;
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), gt(t.kid, afterKid)))
    .orderBy(asc(t.kid))
    .limit(limit);
}

export async function insertApiKey(tx: Tx, row: ApiKeyRow): Promise<void> {
  await tx.db.insert(tx.tables.apiKey).values(row);
}

export async function deleteApiKey(tx: Tx, tenant: string, kid: string): Promise<void> {
  const t = tx.tables.apiKey;
  await tx.db.delete(t).where(and(eq(t.tenant, tenant), eq(t.kid, kid)));
}

const tokenByHash = prepared(({ db, tables: { apiToken, tenant } }) =>
  db
    .select({ token: apiToken, tenant })
    .from(apiToken)
    .innerJoin(tenant, eq(tenant.id, apiToken.tenant))
    .where(eq(apiToken.hash, given('hash'))),
);

/** The token with this hash, and the tenant it opens. */
export async function apiTokenByHash(from: Reader, hash: string) {
  const [row] = await tokenByHash(from, { hash });
  return row;
}

export async function readApiToken(
  from: Reader,
  tenant: string,
  id: string,
): Promise<ApiTokenRow | undefined> {
  const t = from.tables.apiToken;
  const [row] = await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), eq(t.id, id)));
  return row;
}

export async function listApiTokens(
  from: Reader,
  tenant: string,
  afterId: string,
  limit: number,
): Promise<ApiTokenRow[]> {
  const t = from.tables.apiToken;
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), gt(t.id, afterId)))
    .orderBy(asc(t.id))
    .limit(limit);
}

export async function insertApiToken(tx: Tx, row: ApiTokenRow): Promise<void> {
  await tx.db.insert(tx.tables.apiToken).values(row);
}

export async function deleteApiToken(tx: Tx, tenant: string, id: string): Promise<void> {
  const t = tx.tables.apiToken;
  await tx.db.delete(t).where(and(eq(t.tenant, tenant), eq(t.id, id)));
}

/** Makes the person known, or leaves the one there is. */
export async function ensurePerson(tx: Tx, row: PersonRow): Promise<void> {
  await tx.db.insert(tx.tables.person).values(row).onConflictDoNothing();
}
