import { and, asc, desc, eq, inArray, notInArray, sql } from 'drizzle-orm';
import type { Lifecycle } from '../schema/site-tables.ts';
import { given, prepared } from '../sql/prepared.ts';
import type { Reader, Tx } from '../sql/store.ts';

export type ConfigKeyRow = Reader['tables']['configKey']['$inferSelect'];
export type ConfigKeyWrapRow = Reader['tables']['configKeyWrap']['$inferSelect'];

const newest = prepared(({ db, tables: { configKey: t } }) =>
  db
    .select()
    .from(t)
    .where(eq(t.tenant, given('tenant')))
    .orderBy(desc(t.version))
    .limit(1),
);

/** The key that seals now. */
export async function newestConfigKey(from: Reader, tenant: string): Promise<ConfigKeyRow | undefined> {
  const [row] = await newest(from, { tenant });
  return row;
}

/** All versions, oldest first. */
export async function configKeysOf(from: Reader, tenant: string): Promise<ConfigKeyRow[]> {
  const t = from.tables.configKey;
  return await from.db.select().from(t).where(eq(t.tenant, tenant)).orderBy(asc(t.version));
}

export async function insertConfigKey(tx: Tx, row: ConfigKeyRow): Promise<void> {
  await tx.db.insert(tx.tables.configKey).values(row);
}

/** Removes versions, and what is known of who was given them. */
export async function deleteConfigKeys(tx: Tx, tenant: string, versions: readonly number[]): Promise<void> {
  const t = tx.tables.configKey;
  await tx.db.delete(t).where(and(eq(t.tenant, tenant), inArray(t.version, [...versions])));
}

const wrapById = prepared(({ db, tables: { configKeyWrap: t } }) =>
  db
    .select()
    .from(t)
    .where(and(eq(t.tenant, given('tenant')), eq(t.version, given('version')), eq(t.uid, given('uid')))),
);

export async function readConfigKeyWrap(
  from: Reader,
  tenant: string,
  version: number,
  uid: string,
): Promise<ConfigKeyWrapRow | undefined> {
  const [row] = await wrapById(from, { tenant, version, uid });
  return row;
}

/** Hosts that were given a version. */
export async function configKeyWraps(
  from: Reader,
  tenant: string,
  version: number,
): Promise<ConfigKeyWrapRow[]> {
  const t = from.tables.configKeyWrap;
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), eq(t.version, version)))
    .orderBy(asc(t.uid));
}

export async function putConfigKeyWrap(tx: Tx, row: ConfigKeyWrapRow): Promise<void> {
  const t = tx.tables.configKeyWrap;
  await tx.db
    .insert(t)
    .values(row)
    .onConflictDoUpdate({ target: [t.tenant, t.version, t.uid], set: { sealKey: row.sealKey } });
}

/** Tenants, or this one, whose newest key is known to a host that is in none of these states any more. */
export async function tenantsWithLostKey(
  from: Reader,
  members: readonly Lifecycle[],
  tenant?: string,
): Promise<string[]> {
  const { configKeyWrap: t, configKey, host } = from.tables;
  const newestOf = from.db
    .select({ version: sql`max(${configKey.version})` })
    .from(configKey)
    .where(eq(configKey.tenant, t.tenant));
  const rows = await from.db
    .selectDistinct({ tenant: t.tenant })
    .from(t)
    .innerJoin(host, eq(host.uid, t.uid))
    .where(
      and(
        tenant === undefined ? undefined : eq(t.tenant, tenant),
        notInArray(host.lifecycle, [...members]),
        sql`${t.version} = (${newestOf})`,
      ),
    )
    .orderBy(asc(t.tenant));
  return rows.map((row) => row.tenant);
}

/** Tenants that have a key. */
export async function tenantsWithConfigKey(from: Reader): Promise<string[]> {
  const t = from.tables.configKey;
  const rows = await from.db.selectDistinct({ tenant: t.tenant }).from(t).orderBy(asc(t.tenant));
  return rows.map((row) => row.tenant);
}
