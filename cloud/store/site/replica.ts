import { and, asc, eq, gt, lt, ne, sql } from 'drizzle-orm';
import type { AnnouncementBody } from '../schema/replica-tables.ts';
import type { Announcements } from '../sql/connection.ts';
import type { Reader, Store, Tx } from '../sql/store.ts';
import { renewShards, type ShardLeaseRow } from './shard-lease.ts';

export type ReplicaRow = Reader['tables']['replica']['$inferSelect'];
export type AnnouncementRow = Reader['tables']['announcement']['$inferSelect'];
export type { AnnouncementBody };

/** Rows of replicas that ended so long ago are removed. */
const FORGOTTEN_MS = 3_600_000;

/** Live replicas and owners of shards, with the time of the database at which they were read. */
export interface ReplicaView {
  readonly databaseMs: number;
  readonly replicas: readonly ReplicaRow[];
  readonly leases: readonly ShardLeaseRow[];
}

/** Says that a replica lives and how many brokers it reaches, keeps its shards, and reads all rows. */
export async function renewReplica(
  tx: Tx,
  id: string,
  leaseMs: number,
  brokers?: number,
): Promise<ReplicaView> {
  const { replica, shardLease } = tx.tables;
  const now = sql.raw(tx.dialect.clockMs);
  const until = sql<number>`${now} + ${leaseMs}`;
  const since = sql<number>`CASE WHEN ${replica.brokers} = ${brokers ?? null} THEN ${replica.brokersSince} ELSE ${now} END`;
  const [own] = await tx.db
    .insert(replica)
    .values({ id, startedAt: sql<number>`${now}` as never, until: until as never })
    .onConflictDoUpdate({
      target: replica.id,
      set: { until, ...(brokers !== undefined && { brokers, brokersSince: since }) },
    })
    .returning();
  const databaseMs = (own?.until ?? 0) - leaseMs;
  await renewShards(tx, id, leaseMs);
  await tx.db.delete(replica).where(lt(replica.until, databaseMs - FORGOTTEN_MS));
  return {
    databaseMs,
    replicas: await tx.db.select().from(replica),
    leases: await tx.db.select().from(shardLease),
  };
}

/** Says what people want to know of a replica; its row is there from its first renewal on. */
export async function describeReplica(
  tx: Tx,
  id: string,
  detail: Pick<ReplicaRow, 'version' | 'machine'>,
): Promise<void> {
  const { replica } = tx.tables;
  await tx.db.update(replica).set(detail).where(eq(replica.id, id));
}

/** All replicas that are remembered, the oldest first, and who owns which shard, by the clock of the database. */
export async function readReplicas({
  db,
  dialect,
  tables: { replica, shardLease },
}: Reader): Promise<ReplicaView> {
  const replicas = await db.select().from(replica).orderBy(asc(replica.startedAt), asc(replica.id));
  const leases = await db.select().from(shardLease).orderBy(asc(shardLease.sh));
  const [clock] = await db
    .select({ databaseMs: sql<number>`${sql.raw(dialect.clockMs)}`.mapWith(Number) })
    .from(replica)
    .limit(1);
  return { databaseMs: clock?.databaseMs ?? 0, replicas, leases };
}

/** At a graceful end: the others need not wait. */
export async function dropReplica(tx: Tx, id: string): Promise<void> {
  const { replica } = tx.tables;
  await tx.db.delete(replica).where(eq(replica.id, id));
}

/** The clock of the database, epoch ms. */
export async function databaseTime({ rows, dialect }: Pick<Store, 'rows' | 'dialect'>): Promise<number> {
  const [row] = await rows(`SELECT ${dialect.clockMs}`, []);
  return Number(row?.[0]);
}

/** Replicas that live, by the clock of the database. */
export async function liveReplicas({ db, dialect, tables: { replica } }: Reader): Promise<ReplicaRow[]> {
  return await db
    .select()
    .from(replica)
    .where(sql`${replica.until} > ${sql.raw(dialect.clockMs)}`);
}

/** How the commits of a replica are announced. `newId`: the id of one announcement. */
export const announcementsOf = (
  replica: string,
  newId: () => string,
  listeners: Pick<Announcements, 'written' | 'fresh'>,
): Announcements => ({
  ...listeners,
  write: async ({ db, dialect, tables: { announcement } }, { revisions, notices, access }) => {
    const body: AnnouncementBody = {
      ...(revisions.length > 0 && { revisions }),
      ...(notices.length > 0 && { notices }),
      ...(access && { access }),
    };
    const at = sql<number>`${sql.raw(dialect.clockMs)}`;
    await db.insert(announcement).values({ id: newId(), replica, at: at as never, body });
  },
});

/** Announcements of the other replicas that are at most so old, in no order, and when they were read. */
export async function recentAnnouncements(
  { db, dialect, tables: { announcement: t, replica } }: Reader,
  self: string,
  ageMs: number,
): Promise<{ readonly databaseMs: number; readonly rows: readonly AnnouncementRow[] }> {
  const now = sql.raw(dialect.clockMs);
  // Before the rows are read: what is committed in between is younger, and is read again by the next look.
  const [clock] = await db
    .select({ databaseMs: sql<number>`${now}`.mapWith(Number) })
    .from(replica)
    .where(eq(replica.id, self));
  const databaseMs = clock?.databaseMs ?? 0;
  const rows = await db
    .select()
    .from(t)
    .where(and(gt(t.at, databaseMs - ageMs), ne(t.replica, self)));
  return { databaseMs, rows };
}

/** Removes announcements that every replica has read, or can no longer rely on. */
export async function forgetAnnouncements(tx: Tx, ageMs: number): Promise<void> {
  const { announcement: t } = tx.tables;
  await tx.db.delete(t).where(sql`${t.at} < ${sql.raw(tx.dialect.clockMs)} - ${ageMs}`);
}

/** On SQLite, whose file lock has shown that no other process lives. */
export async function forgetOtherReplicas(tx: Tx, self: string): Promise<void> {
  const { replica } = tx.tables;
  await tx.db.delete(replica).where(ne(replica.id, self));
}
