import { and, asc, eq, gt, inArray, like, lt, sql } from 'drizzle-orm';
import type { Reader, Tx } from '../sql/store.ts';

export type CallListTestRow = Reader['tables']['callListTest']['$inferSelect'];
export type TestedEntity = CallListTestRow['entity'];

/** A list that is to be tested; `testCall` as it was provisioned. */
export interface TestedList {
  readonly id: string;
  readonly testCall: unknown;
}

const NAMED = '%"testCall"%';

interface Body {
  readonly emergencyCallList?: { readonly testCall?: unknown };
  readonly serviceData?: { readonly alarmBridge?: Body };
}

/** Lists of a tenant that name `testCall`, in order of id, those after `afterId`. Secrets stay sealed: none is read. */
export async function testedLists(
  from: Reader,
  tenant: string,
  entity: TestedEntity,
  afterId: string,
  limit: number,
): Promise<TestedList[]> {
  const { alarmBridge, device } = from.tables;
  const rows =
    entity === 'device'
      ? await from.db
          .select({ id: device.id, body: device.body })
          .from(device)
          .where(and(eq(device.tenant, tenant), gt(device.id, afterId), like(sql`${device.body}`, NAMED)))
          .orderBy(asc(device.id))
          .limit(limit)
      : await from.db
          .select({ id: alarmBridge.id, body: alarmBridge.body })
          .from(alarmBridge)
          .where(
            and(
              eq(alarmBridge.tenant, tenant),
              eq(alarmBridge.set, 'working'),
              gt(alarmBridge.id, afterId),
              like(sql`${alarmBridge.body}`, NAMED),
            ),
          )
          .orderBy(asc(alarmBridge.id))
          .limit(limit);
  return rows.map(({ id, body }) => ({ id, testCall: testCallOf(body as Body) }));
}

const testCallOf = ({ emergencyCallList, serviceData }: Body): unknown =>
  emergencyCallList?.testCall ?? serviceData?.alarmBridge?.emergencyCallList?.testCall;

export async function readCallListTest(
  from: Reader,
  tenant: string,
  entity: TestedEntity,
  id: string,
): Promise<CallListTestRow | undefined> {
  const t = from.tables.callListTest;
  const [row] = await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), eq(t.entity, entity), eq(t.id, id)));
  return row;
}

/** Tests of all tenants that wait or run, the longest first. */
export async function openCallListTests(from: Reader, limit: number): Promise<CallListTestRow[]> {
  const t = from.tables.callListTest;
  return await from.db
    .select()
    .from(t)
    .where(inArray(t.state, ['wanted', 'running']))
    .orderBy(asc(t.askedAt), asc(t.tenant), asc(t.id))
    .limit(limit);
}

/** Tests of lists of this kind, in order of id, those after `afterId`. */
export async function callListTestsAfter(
  from: Reader,
  tenant: string,
  entity: TestedEntity,
  afterId: string,
  limit: number,
): Promise<CallListTestRow[]> {
  const t = from.tables.callListTest;
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), eq(t.entity, entity), gt(t.id, afterId)))
    .orderBy(asc(t.id))
    .limit(limit);
}

export async function putCallListTest(tx: Tx, row: CallListTestRow): Promise<void> {
  const t = tx.tables.callListTest;
  const { tenant: _, entity: __, id: ___, ...set } = row;
  await tx.db
    .insert(t)
    .values(row)
    .onConflictDoUpdate({ target: [t.tenant, t.entity, t.id], set });
}

/** Removes the tests of lists that were removed; returns how many. */
export async function deleteOldCallListTests(tx: Tx, beforeMs: number, limit: number): Promise<number> {
  const t = tx.tables.callListTest;
  const rows = await tx.db
    .select({ tenant: t.tenant, entity: t.entity, id: t.id })
    .from(t)
    .where(lt(t.askedAt, beforeMs))
    .limit(limit);
  for (const row of rows) await forgetCallListTest(tx, row.tenant, row.entity, row.id);
  return rows.length;
}

export async function forgetCallListTest(
  tx: Tx,
  tenant: string,
  entity: TestedEntity,
  id: string,
): Promise<void> {
  const t = tx.tables.callListTest;
  await tx.db.delete(t).where(and(eq(t.tenant, tenant), eq(t.entity, entity), eq(t.id, id)));
}
