import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { DialectName } from './connection.ts';

/** The differences between the two databases, in one place. */
export interface Dialect {
  readonly name: DialectName;
  /** Opens a writing transaction. SQLite must take the write lock at once, or an upgrade of a read lock may fail later. */
  readonly begin: string;
  /**
   * Opens a transaction that sees the database as it is now, whatever others write; SQLite lets no other connection write
   * meanwhile.
   */
  readonly beginSnapshot: string;
  /** Opens a transaction that reads one state of the database and stops no writer, for as long as it takes. */
  readonly beginRead: string;
  /** Lets a transaction wait for a file or a pipe between two statements. */
  readonly mayIdle: string;
  /** Opens the transaction of a migration. On SQLite no other connection writes meanwhile. */
  readonly beginExclusive: string;
  /**
   * Follows it: waits until no other process migrates, lets statements take their time, and lets none of them wait long for a table
   * that another transaction holds. All who come behind a waiting one wait, too, so it fails (`isHeld`) and is done again.
   */
  readonly migrateAlone: string;
  /** Transactions run one after another, so what was read in one cannot change before it ends. */
  readonly singleWriter: boolean;
  /** The time of the database as an expression, epoch ms: replicas agree on it whatever their own clocks say. */
  readonly clockMs: string;
  /**
   * The lock of a shard until the transaction ends, as an expression over its name: shared by the owner's writers,
   * exclusive for a take-over. Undefined where there is one writer.
   */
  readonly lockShard: (mode: 'shared' | 'exclusive', sh: SQLWrapper) => SQL | undefined;
  /** `= ANY (…)` over the ids of a query whose rows are locked; rows that another transaction has locked are passed over. */
  readonly amongClaimed: (ids: SQL) => SQL;
  /** `= ANY (…)` over the ids of a query whose rows are locked in its order: two that lock many rows do not wait for each other. */
  readonly amongLocked: (ids: SQL) => SQL;
  readonly isUniqueViolation: (error: unknown) => boolean;
  /** A table or row was not to be had, for another transaction holds it: the transaction failed, and may be done again. */
  readonly isHeld: (error: unknown) => boolean;
}

/** Number of the advisory lock that migrations hold; any constant no other program uses. */
const MIGRATION_LOCK = 716_253_001;

/** The longest wait of a migration for a table, and with it that of everything that comes behind. */
const HELD_MS = 1_000;

/** First number of the advisory locks of shards; the second one is the shard. */
const SHARD_LOCK = 716_253_002;

const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

/** Drizzle wraps driver errors; the driver's own is the last cause. */
function codeOf(error: unknown): string {
  let at = error;
  for (let depth = 0; depth < 4 && property(at, 'cause') !== undefined; depth++) at = property(at, 'cause');
  const code = property(at, 'code');
  return typeof code === 'string' ? code : '';
}

export const dialectOf: { readonly [D in DialectName]: Dialect } = {
  sqlite: {
    name: 'sqlite',
    begin: 'BEGIN IMMEDIATE',
    beginSnapshot: 'BEGIN IMMEDIATE',
    beginRead: 'BEGIN',
    mayIdle: '',
    beginExclusive: 'BEGIN EXCLUSIVE',
    migrateAlone: '',
    singleWriter: true,
    clockMs: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
    lockShard: () => undefined,
    amongClaimed: (ids) => sql`IN (${ids})`,
    amongLocked: (ids) => sql`IN (${ids})`,
    isUniqueViolation: (error) => /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(codeOf(error)),
    isHeld: () => false,
  },
  pg: {
    name: 'pg',
    begin: 'BEGIN',
    beginSnapshot: 'BEGIN ISOLATION LEVEL REPEATABLE READ',
    beginRead: 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY',
    mayIdle: 'SET LOCAL idle_in_transaction_session_timeout = 0',
    beginExclusive: 'BEGIN',
    migrateAlone: `SET LOCAL statement_timeout = 0; SELECT pg_advisory_xact_lock(${MIGRATION_LOCK}); SET LOCAL lock_timeout = ${HELD_MS}`,
    singleWriter: false,
    clockMs: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
    lockShard: (mode, sh) =>
      sql`${sql.raw(mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock')}(${sql.raw(String(SHARD_LOCK))}, ('x' || lpad(${sh}, 8, '0'))::bit(32)::int)`,
    amongClaimed: (ids) => sql`= ANY (ARRAY(${ids} FOR UPDATE SKIP LOCKED))`,
    amongLocked: (ids) => sql`= ANY (ARRAY(${ids} FOR UPDATE))`,
    // PostgreSQL error code unique_violation (Appendix A of its manual).
    isUniqueViolation: (error) => codeOf(error) === '23505',
    // 55P03: no lock within HELD_MS; 40P01: two transactions waited for each other, and this one was ended.
    isHeld: (error) => /^(55P03|40P01)$/.test(codeOf(error)),
  },
};
