import { and, desc, eq, gt, ne, notInArray, sql } from 'drizzle-orm';
import type { PlatformTrouble } from '#shared/contract/site/index.ts';
import type { Reader, Tx } from '../sql/store.ts';

/** An alarm as another replica saw it last. */
interface ForeignDeploymentAlarm {
  readonly alarm: PlatformTrouble;
  /** Its replica still lives, by the clock of the database. */
  readonly isLive: boolean;
}

export async function putDeploymentAlarm(tx: Tx, replica: string, body: PlatformTrouble): Promise<void> {
  const { deploymentAlarm: t } = tx.tables;
  const { alarmId, raisedAt } = body;
  await tx.db
    .insert(t)
    .values({ alarmId, replica, raisedAt, body })
    .onConflictDoUpdate({ target: t.alarmId, set: { body } });
}

/** Alarms of all replicas but this one, newest first. */
export async function foreignDeploymentAlarms(
  { db, dialect, tables: { deploymentAlarm: t, replica } }: Reader,
  self: string,
  limit: number,
): Promise<ForeignDeploymentAlarm[]> {
  const lives = and(eq(replica.id, t.replica), gt(replica.until, sql.raw(dialect.clockMs)));
  const rows = await db
    .select({ alarm: t.body, live: replica.id })
    .from(t)
    .leftJoin(replica, lives)
    .where(ne(t.replica, self))
    .orderBy(desc(t.raisedAt), desc(t.alarmId))
    .limit(limit);
  return rows.map(({ alarm, live }) => ({ alarm, isLive: live !== null }));
}

/** Keeps the latest ones. */
export async function forgetDeploymentAlarms(tx: Tx, kept: number): Promise<void> {
  const { deploymentAlarm: t } = tx.tables;
  const latest = tx.db
    .select({ alarmId: t.alarmId })
    .from(t)
    .orderBy(desc(t.raisedAt), desc(t.alarmId))
    .limit(kept);
  await tx.db.delete(t).where(notInArray(t.alarmId, latest));
}
