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
  /** Opens the transaction of a migration: no other connection migrates or writes meanwhile. */
  readonly beginExclusive: string;
  /** Transactions run one after another, so what was read in one cannot change before it ends. */
  readonly singleWriter: boolean;
  readonly isUniqueViolation: (error: unknown) => boolean;
}

/** Number of the advisory lock that migrations hold; any constant no other program uses. */
const MIGRATION_LOCK = 716_253_001;

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
    singleWriter: true,
    isUniqueViolation: (error) => /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(codeOf(error)),
  },
  pg: {
    name: 'pg',
    begin: 'BEGIN',
    beginSnapshot: 'BEGIN ISOLATION LEVEL REPEATABLE READ',
    beginRead: 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY',
    mayIdle: 'SET LOCAL idle_in_transaction_session_timeout = 0',
    beginExclusive: `BEGIN; SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`,
    singleWriter: false,
    // PostgreSQL error code unique_violation (Appendix A of its manual).
    isUniqueViolation: (error) => codeOf(error) === '23505',
  },
};
