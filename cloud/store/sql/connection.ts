import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core';
import type { Tables } from '../schema/tables.ts';

/**
 * The one handle type for both dialects. Every query is simply awaited: `.all()`, `.get()` and `.run()` pass the
 * compiler and do not exist on PostgreSQL, so they are not used anywhere in this folder.
 */
export type Handle = BaseSQLiteDatabase<'async', unknown>;

export type DialectName = 'sqlite' | 'pg';

export type Rows = (text: string, values: readonly unknown[]) => Promise<readonly (readonly unknown[])[]>;

/** One connection for one transaction. No other caller writes through it until `release`. */
export interface Lease {
  /** To be read behind the begin of a transaction, which may take another connection. */
  readonly db: Handle;
  /** As `rows` of the connection, inside the transaction. */
  readonly rows: Rows;
  /** Runs plain SQL, one or several statements. `patient`: silence of the database is no sign of its loss, however long. */
  readonly exec: (sqlText: string, patience?: 'patient') => Promise<void>;
  /** `broken`: the connection must not be used again, and statements still under way on it must fail. */
  readonly release: (broken: boolean) => Promise<void>;
}

/** The connection that `cloud/io/database` opens: a handle for reading, and connections lent to writers. */
export interface Connection {
  readonly dialect: DialectName;
  /** Reads outside a transaction; sees what is committed. */
  readonly reader: Handle;
  /**
   * Runs one complete query as `reader` would and gives rows as the database has them, values in the order of the
   * columns: for what is asked so often that mapping rows costs more than finding them.
   */
  readonly rows: Rows;
  /** Waits for its turn. SQLite has one writer, PostgreSQL a pool. */
  readonly lease: () => Promise<Lease>;
  readonly close: () => Promise<void>;
}

/** Knows whether the caller runs inside a transaction (an AsyncLocalStorage, which is `io`). */
export interface Nesting {
  readonly inside: () => boolean;
  readonly enter: <T>(work: () => Promise<T>) => Promise<T>;
}

/** A value that belongs to the work under way and to all it calls (an AsyncLocalStorage, which is `io`). */
export interface WorkScope<T> {
  readonly current: () => T | undefined;
  readonly within: <R>(value: T, work: () => Promise<R>) => Promise<R>;
}

/** One transaction that takes all writes of a piece of work, shows them to its reads, and never commits. */
export interface Rehearsal {
  /** Reads what the work has written so far; undefined = the work has written nothing yet, or is over. */
  readonly reading: () => { readonly db: Handle; readonly rows: Rows } | undefined;
  /** Runs one write: an error undoes this one alone, as its own transaction would. */
  readonly write: <T>(work: (db: Handle) => Promise<T>) => Promise<T>;
  /** Rolls all of it back. */
  readonly end: () => Promise<void>;
}

/** Seals single texts (`cloud/io/key`). `place` is `tenant|table|column|rowId`: elsewhere it does not open. */
export interface Vault {
  readonly keyName: string;
  readonly seal: (secret: string, place: string) => string;
  /** Throws for what was altered, moved or sealed under another key. */
  readonly open: (sealed: string, place: string) => string;
}

/** The news of a commit. */
export interface Announced {
  readonly revisions: readonly (readonly [scope: string, owner: string, rev: number])[];
  readonly notices: readonly (readonly [kind: string, id: string])[];
  readonly access: boolean;
}

/** How replicas tell each other of their commits. */
export interface Announcements {
  /** Writes it, as a part of the transaction that it tells of. */
  readonly write: (
    tx: { readonly db: Handle; readonly dialect: { readonly clockMs: string }; readonly tables: Tables },
    what: Announced,
  ) => Promise<void>;
  /** It is committed: the others may look now. */
  readonly written: () => void;
  /** Whether all that the others committed a moment ago has been heard. */
  readonly fresh: () => boolean;
}

/** Everything the store needs from outside. */
export interface StorePort {
  readonly connection: Connection;
  readonly nesting: Nesting;
  /** Knows the rehearsal that the caller runs in. */
  readonly rehearsals: WorkScope<Rehearsal>;
  /** Fires once after `ms` unless the returned function is called before. */
  readonly startTimer: (ms: number, fire: () => void) => () => void;
  /** Called when a transaction begins to wait for its turn; what it gives is called with what it was, at its end. */
  readonly timed?: () => (op: 'change' | 'status' | 'other' | 'rollback') => void;
  /** Where several replicas write: how the others learn of a commit. */
  readonly announcements?: Announcements;
  /** SHA-256 of the UTF-8 text, lower-case hex. */
  readonly sha256: (text: string) => string;
  /** 22 random signs (128 bits, base64url). */
  readonly salt: () => string;
  /** Secrets stand in the database sealed by it, and nowhere else. */
  readonly vault: Vault;
}
