import { sql } from 'drizzle-orm';
import { type RecordPath, type RecordRange, recordKeyQuery } from '#cloud/store/index.ts';
import type { TestDatabase } from '#test/cloud/store/database.ts';

/** The plan of a list of records, as the database says it. */
export async function recordPlan(
  { store }: TestDatabase,
  tenant: string,
  path: RecordPath,
  range: RecordRange,
): Promise<string> {
  const explain = store.dialect.name === 'pg' ? 'EXPLAIN ' : 'EXPLAIN QUERY PLAN ';
  const query = sql`${sql.raw(explain)}${recordKeyQuery(store, tenant, path, range, 101).getSQL()}`;
  if (store.dialect.name === 'sqlite')
    return ((await store.db.all(query)) as { detail: string }[]).map(({ detail }) => detail).join('\n');
  const pg = store.db as unknown as { execute: (q: unknown) => Promise<{ rows: Record<string, string>[] }> };
  return (await pg.execute(query)).rows.map((row) => row['QUERY PLAN']).join('\n');
}
