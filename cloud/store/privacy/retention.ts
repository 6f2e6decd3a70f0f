import { and, eq, inArray, isNotNull, lt, type SQL } from 'drizzle-orm';
import type { PromptFileRow } from '../configuration/prompt-file.ts';
import { deleteOldRecords } from '../record/session-record.ts';
import type { Reader, Tx } from '../sql/store.ts';

/** Rows of one DELETE: a writer has the database for a moment only. */
export const EXPIRY_STEP = 500;

/** Epoch ms, by class: what is older may go. */
export interface Expiry {
  readonly calls: number;
  readonly alarms: number;
  readonly audit: number;
  readonly logs: number;
}

/** Which events of hosts belong to which class, by lane. */
const LANES = { alarm: 'alarms', svc: 'calls', audit: 'audit', usage: 'logs' } as const;

/** Which kinds of records belong to which class. */
const RECORDS = {
  alarms: ['alarm', 'alarmSent'],
  calls: ['call', 'mediaService', 'cloudUserAgent', 'recording', 'message'],
  logs: ['attempt'],
} as const;

const DAY_MS = 86_400_000;

/** One kind of row that ends: removes at most `EXPIRY_STEP` of a tenant that are over and old; returns how many. */
type Step = (tx: Tx, tenant: string, before: Expiry, nowMs: number) => Promise<number>;

/**
 * The rows to remove, and when. Rows that are owed or active stay: an alarm that is not cleared, a delivery that waits, a load
 * that runs. Events count from their receipt, for the clock of a host may have been wrong.
 */
export const EXPIRY_STEPS: readonly Step[] = [
  ...Object.entries(LANES).map(
    ([lane, kept]): Step =>
      (tx, tenant, before) => {
        const t = tx.tables.siteEvent;
        return some(
          tx,
          'siteEvent',
          and(eq(t.tenant, tenant), eq(t.lane, lane), lt(t.receivedAt, before[kept])),
        );
      },
  ),
  ...(['alarms', 'calls', 'logs'] as const).map(
    (kept): Step =>
      (tx, tenant, before) =>
        deleteOldRecords(tx, tenant, RECORDS[kept], before[kept], EXPIRY_STEP),
  ),
  (tx, tenant, before) => {
    const t = tx.tables.siteAlarm;
    const over = and(eq(t.status, 'cleared'), isNotNull(t.clearedAt), lt(t.clearedAt, before.alarms));
    return some(tx, 'siteAlarm', and(eq(t.tenant, tenant), over));
  },
  // As long as the alarms that were not sent because of it.
  (tx, tenant, before) => {
    const t = tx.tables.maintenanceWindow;
    const over = and(isNotNull(t.closedAt), lt(t.closedAt, before.alarms));
    return some(tx, 'maintenanceWindow', and(eq(t.tenant, tenant), over));
  },
  (tx, tenant, before) => {
    const t = tx.tables.relay;
    return some(tx, 'relay', and(eq(t.tenant, tenant), eq(t.state, 'done'), lt(t.createdAt, before.calls)));
  },
  (tx, tenant, before) => {
    const t = tx.tables.relay;
    return some(tx, 'relay', and(eq(t.tenant, tenant), eq(t.state, 'dead'), lt(t.createdAt, before.alarms)));
  },
  async (tx, tenant, before) => {
    const t = tx.tables.bulkJob;
    const over = and(eq(t.tenant, tenant), isNotNull(t.stoppedAt), lt(t.stoppedAt, before.logs));
    return (await tx.db.delete(t).where(over).returning({ id: t.id })).length;
  },
  async (tx, tenant, _, nowMs) => {
    const t = tx.tables.idempotency;
    const over = and(eq(t.tenant, tenant), lt(t.at, nowMs - DAY_MS));
    return (await tx.db.delete(t).where(over).returning({ key: t.key })).length;
  },
  (tx, tenant, before) => {
    const t = tx.tables.personalDataJob;
    return some(
      tx,
      'personalDataJob',
      and(eq(t.tenant, tenant), eq(t.kind, 'export'), eq(t.state, 'done'), lt(t.endedAt, before.logs)),
    );
  },
];

async function some(
  tx: Tx,
  table: 'siteEvent' | 'siteAlarm' | 'maintenanceWindow' | 'relay' | 'personalDataJob',
  over: SQL | undefined,
): Promise<number> {
  const t = tx.tables[table] as Tx['tables']['siteEvent'];
  const rows = await tx.db.select({ id: t.id }).from(t).where(over).limit(EXPIRY_STEP);
  if (rows.length > 0)
    await tx.db.delete(t).where(
      inArray(
        t.id,
        rows.map(({ id }) => id),
      ),
    );
  return rows.length;
}

/** Recordings of a tenant that came before this moment. Prompts that people uploaded are none. */
export async function oldRecordings(
  from: Reader,
  tenant: string,
  beforeMs: number,
  limit: number,
): Promise<PromptFileRow[]> {
  const t = from.tables.promptFile;
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), eq(t.origin, 'recording'), lt(t.updatedAt, beforeMs)))
    .limit(limit);
}
