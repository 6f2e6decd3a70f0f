import { and, asc, eq, gt, inArray, lt, ne } from 'drizzle-orm';
import { given, prepared } from '../sql/prepared.ts';
import { note, type Reader, type Tx } from '../sql/store.ts';

export type SiteEventRow = Reader['tables']['siteEvent']['$inferSelect'];
export type SiteAlarmRow = Reader['tables']['siteAlarm']['$inferSelect'];

/** Up to which sequence number the events of a lane are committed; 0 = none yet. */
export async function laneSeq(from: Reader, uid: string, lane: string): Promise<number> {
  const t = from.tables.laneCursor;
  const [row] = await from.db
    .select({ seq: t.seq })
    .from(t)
    .where(and(eq(t.uid, uid), eq(t.lane, lane)));
  return row?.seq ?? 0;
}

/** All lanes of a host that have a number. */
export async function laneSeqs(from: Reader, uid: string): Promise<Record<string, number>> {
  const t = from.tables.laneCursor;
  const rows = await from.db.select().from(t).where(eq(t.uid, uid));
  return Object.fromEntries(rows.map((row) => [row.lane, row.seq]));
}

export async function setLaneSeq(tx: Tx, uid: string, lane: string, seq: number): Promise<void> {
  const t = tx.tables.laneCursor;
  await tx.db
    .insert(t)
    .values({ uid, lane, seq })
    .onConflictDoUpdate({ target: [t.uid, t.lane], set: { seq } });
}

/** Stores those that are not there yet and returns their ids, in no order. */
export async function insertSiteEvents(tx: Tx, rows: readonly SiteEventRow[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const t = tx.tables.siteEvent;
  const stored = await tx.db
    .insert(t)
    .values([...rows])
    .onConflictDoNothing()
    .returning({ id: t.id });
  return new Set(stored.map(({ id }) => id));
}

/** Events of a host in one lane, in order of sequence, those after `afterSeq`. */
export async function siteEvents(
  from: Reader,
  uid: string,
  lane: string,
  afterSeq: number,
  limit: number,
): Promise<SiteEventRow[]> {
  const t = from.tables.siteEvent;
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.uid, uid), eq(t.lane, lane), gt(t.seq, afterSeq)))
    .orderBy(asc(t.seq))
    .limit(limit);
}

const alarmThatStands = prepared(({ db, tables: { siteAlarm: t } }) =>
  db
    .select()
    .from(t)
    .where(
      and(
        eq(t.uid, given('uid')),
        eq(t.error, given('error')),
        eq(t.service, given('service')),
        ne(t.status, 'cleared'),
      ),
    ),
);

/** The alarm of this host, error and service that is not cleared. */
export async function openAlarm(
  from: Reader,
  uid: string,
  error: string,
  service: string,
): Promise<SiteAlarmRow | undefined> {
  const [row] = await alarmThatStands(from, { uid, error, service });
  return row;
}

/** Alarms with this error of any of these hosts and sites that are not cleared. At most 1,000. */
export async function openAlarmsWith(
  from: Reader,
  error: string,
  uids: readonly string[],
): Promise<SiteAlarmRow[]> {
  const t = from.tables.siteAlarm;
  if (uids.length === 0) return [];
  return await from.db
    .select()
    .from(t)
    .where(and(inArray(t.uid, [...uids]), eq(t.error, error), ne(t.status, 'cleared')));
}

/** All alarms of this host that are not cleared. */
export async function openAlarmsOf(from: Reader, uid: string): Promise<SiteAlarmRow[]> {
  const t = from.tables.siteAlarm;
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.uid, uid), ne(t.status, 'cleared')))
    .orderBy(asc(t.id));
}

export async function readAlarm(from: Reader, tenant: string, id: string): Promise<SiteAlarmRow | undefined> {
  const t = from.tables.siteAlarm;
  const [row] = await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), eq(t.id, id)));
  return row;
}

/** Alarms of these ids, of any tenant. At most 500. */
export async function alarmsOf(from: Reader, ids: readonly string[]): Promise<SiteAlarmRow[]> {
  const t = from.tables.siteAlarm;
  if (ids.length === 0) return [];
  return await from.db
    .select()
    .from(t)
    .where(inArray(t.id, [...ids]));
}

/** Only alarms of this site, this host, this error. */
export interface AlarmFilter {
  readonly siteId?: string | undefined;
  /** uids of hosts. */
  readonly uids?: readonly string[] | undefined;
  readonly error?: string | undefined;
}

/** Alarms of a tenant in order of id, hence of time, those after `afterId`. */
export async function listAlarms(
  from: Reader,
  tenant: string,
  statuses: readonly SiteAlarmRow['status'][],
  afterId: string,
  limit: number,
  { siteId, uids, error }: AlarmFilter = {},
): Promise<SiteAlarmRow[]> {
  const t = from.tables.siteAlarm;
  const wanted = and(
    siteId === undefined ? undefined : eq(t.siteId, siteId),
    uids === undefined ? undefined : inArray(t.uid, [...uids]),
    error === undefined ? undefined : eq(t.error, error),
  );
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), inArray(t.status, [...statuses]), gt(t.id, afterId), wanted))
    .orderBy(asc(t.id))
    .limit(limit);
}

/** Active alarms that were not sent since `sentBefore`, in order of id, those after `afterId`. */
export async function alarmsToRepeat(
  from: Reader,
  sentBefore: number,
  limit: number,
  afterId = '',
): Promise<SiteAlarmRow[]> {
  const t = from.tables.siteAlarm;
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.status, 'active'), lt(t.toldAt, sentBefore), gt(t.id, afterId)))
    .orderBy(asc(t.id))
    .limit(limit);
}

/** A new alarm has no remarks yet. */
export async function insertAlarm(
  tx: Tx,
  row: Omit<SiteAlarmRow, 'late' | 'notes'> & Partial<SiteAlarmRow>,
): Promise<void> {
  note(tx, 'alarm', row.id);
  await tx.db.insert(tx.tables.siteAlarm).values({ late: false, notes: [], ...row });
}

export async function updateAlarm(tx: Tx, id: string, set: Partial<SiteAlarmRow>): Promise<void> {
  const t = tx.tables.siteAlarm;
  note(tx, 'alarm', id);
  await tx.db.update(t).set(set).where(eq(t.id, id));
}
