import { and, asc, count, eq, gt, inArray, like, lt, min, ne, sql } from 'drizzle-orm';
import { given, prepared } from '../sql/prepared.ts';
import { type Notice, note, type Reader, type Tx } from '../sql/store.ts';

export type WaitingAlarmRow = Reader['tables']['waitingAlarm']['$inferSelect'];

export async function readWaitingAlarm(
  from: Reader,
  tenant: string,
  id: string,
): Promise<WaitingAlarmRow | undefined> {
  const t = from.tables.waitingAlarm;
  const [row] = await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), eq(t.id, id)));
  return row;
}

/** Alarms of a tenant that are not closed, the longest wait first. */
export async function openWaitingAlarms(
  from: Reader,
  tenant: string,
  limit: number,
): Promise<WaitingAlarmRow[]> {
  const t = from.tables.waitingAlarm;
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), ne(t.state, 'closed')))
    .orderBy(asc(t.queuedAt), asc(t.id))
    .limit(limit);
}

/** Alarms that are not closed, of all tenants, in one state. */
export interface OpenAlarmCount {
  readonly state: WaitingAlarmRow['state'];
  readonly alarms: number;
  /** Begin of the longest wait, epoch ms. */
  readonly oldestAt: number;
  /** Those whose host has given the call up. */
  readonly given: number;
}

export async function openAlarmCounts(from: Reader): Promise<OpenAlarmCount[]> {
  const t = from.tables.waitingAlarm;
  const rows = await from.db
    .select({
      state: t.state,
      alarms: count(),
      oldestAt: min(t.queuedAt),
      given: sql<number>`sum(CASE WHEN ${like(sql`${t.body}`, '%"call":"ended"%')} THEN 1 ELSE 0 END)`,
    })
    .from(t)
    .where(ne(t.state, 'closed'))
    .groupBy(t.state);
  // PostgreSQL gives sums as text.
  return rows.map(({ state, alarms, oldestAt, given }) => ({
    ...{ state, alarms, oldestAt: Number(oldestAt ?? 0), given: Number(given) },
  }));
}

const takenSilently = prepared(({ db, tables: { waitingAlarm: t } }) =>
  db
    .select()
    .from(t)
    .where(and(eq(t.state, 'taken'), lt(t.heartbeatAt, given('beforeMs'))))
    .orderBy(asc(t.heartbeatAt))
    .limit(given('limit')),
);

/** Alarms of all tenants whose taker has given no sign of life since `beforeMs`. Asked for each second. */
export async function lostTakers(from: Reader, beforeMs: number, limit: number): Promise<WaitingAlarmRow[]> {
  return await takenSilently(from, { beforeMs, limit });
}

/** Alarms of a tenant in order of id, those after `afterId`, closed ones among them. */
export async function waitingAlarmsAfter(
  from: Reader,
  tenant: string,
  afterId: string,
  limit: number,
): Promise<WaitingAlarmRow[]> {
  const t = from.tables.waitingAlarm;
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), gt(t.id, afterId)))
    .orderBy(asc(t.id))
    .limit(limit);
}

export async function putWaitingAlarm(tx: Tx, row: WaitingAlarmRow): Promise<void> {
  const t = tx.tables.waitingAlarm;
  const { tenant: _, id: __, ...set } = row;
  await tx.db
    .insert(t)
    .values(row)
    .onConflictDoUpdate({ target: [t.tenant, t.id], set });
}

/** Says, with the commit, that people are to see this alarm as it is now. */
export const noteWaitingAlarm = (tx: Tx, { tenant, id }: Pick<WaitingAlarmRow, 'tenant' | 'id'>): unknown =>
  note(tx, 'waitingAlarm', `${tenant} ${id}`);

/** The alarm of a notice; undefined: it is about something else. */
export function notedWaitingAlarm({ kind, id }: Notice): Pick<WaitingAlarmRow, 'tenant' | 'id'> | undefined {
  const [tenant, alarm] = id.split(' ');
  if (kind !== 'waitingAlarm' || tenant === undefined || alarm === undefined) return undefined;
  return { tenant, id: alarm };
}

/** Alarms that were closed before `beforeMs`; how many went. The record and the audit log keep what happened. */
export async function deleteClosedWaitingAlarms(tx: Tx, beforeMs: number, limit: number): Promise<number> {
  const t = tx.tables.waitingAlarm;
  const rows = await tx.db
    .select({ tenant: t.tenant, id: t.id })
    .from(t)
    .where(and(eq(t.state, 'closed'), lt(t.closedAt, beforeMs)))
    .limit(limit);
  for (const { tenant, id } of rows)
    await tx.db.delete(t).where(and(eq(t.tenant, tenant), inArray(t.id, [id])));
  return rows.length;
}
