import { asc } from 'drizzle-orm';
import { pgColumns } from '../schema/columns.pg.ts';
import type { Columns } from '../schema/columns.sqlite.ts';
import { sqliteColumns } from '../schema/columns.sqlite.ts';
import type { StorePort } from '../sql/connection.ts';
import { dialectOf } from '../sql/dialect.ts';
import type { Walked } from './table-walk.ts';

/**
 * One reviewed file `NNNN-name.sql`. Forward only. `NNNN-expand-name.sql` only adds what an earlier version does not see: new
 * tables, columns that may be left out, indexes. `test/architecture/migration/migration-rule.ts` holds such files to that.
 */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

const ledger = (c: Columns) =>
  c.table('schema_migration', {
    name: c.text('name').primaryKey(),
    hash: c.text('hash').notNull(),
    at: c.int('at').notNull(),
  });
const ledgerOf = { sqlite: ledger(sqliteColumns), pg: ledger(pgColumns) };

/** The only table not made by a migration, for it says which ones ran. */
const CREATE_LEDGER =
  'CREATE TABLE IF NOT EXISTS schema_migration (name TEXT NOT NULL PRIMARY KEY, hash TEXT NOT NULL, at BIGINT NOT NULL)';

/** Migrations of a later version that only add. A copy or a backup refuses them, since it would leave their part out. */
export interface LaterSchema {
  /** Hears their names, and the program goes on. Absent = they are refused like all others. */
  readonly onLater?: (names: readonly string[]) => void;
}

export interface MigrationPorts extends LaterSchema {
  /**
   * Another transaction holds a table: a backup, a report, a person's open session. The migration took everything back. It is done
   * again when this resolves, so that other programs go on in between. Absent = it fails at once.
   */
  readonly onHeld?: (tries: number) => Promise<unknown>;
}

/** With the waits of `HELD_PAUSE_MS` between them: ten minutes and more. */
const HELD_TRIES = 120;
export const HELD_PAUSE_MS = 4_000;

/**
 * Brings the database to the newest schema, in one exclusive transaction: all pending files or none. Returns the names
 * it ran. Throws when the database knows a migration this program does not, or one whose text has changed since: then
 * program and data do not belong together, and guessing would damage the data. Throws, too, when another transaction
 * holds a table for longer than ten minutes.
 */
export async function migrate(
  port: StorePort,
  migrations: readonly Migration[],
  nowMs: number,
  ports: MigrationPorts = {},
): Promise<string[]> {
  const { isHeld } = dialectOf[port.connection.dialect];
  for (let tries = 1; ; tries++) {
    try {
      return await migrateOnce(port, migrations, nowMs, ports);
    } catch (error) {
      if (!isHeld(error)) throw error;
      if (ports.onHeld === undefined || tries >= HELD_TRIES) throw new Error(HELD_TEXT, { cause: error });
    }
    await ports.onHeld(tries);
  }
}

const HELD_TEXT =
  'Another transaction holds a table that this version must change: a backup, a report, or an open session of a person. Wait for its end or end it (the view pg_stat_activity names it), and start this version again.';

async function migrateOnce(
  port: StorePort,
  migrations: readonly Migration[],
  nowMs: number,
  { onLater }: LaterSchema,
): Promise<string[]> {
  const { connection, sha256 } = port;
  const dialect = dialectOf[connection.dialect];
  const t = ledgerOf[connection.dialect];
  const lease = await connection.lease();
  try {
    await lease.exec(dialect.beginExclusive);
    await lease.exec(dialect.migrateAlone, 'patient');
    await lease.exec(CREATE_LEDGER);
    const done = await lease.db.select().from(t).orderBy(asc(t.name));
    const ran = new Map(done.map((row) => [row.name, row.hash]));
    const pending = pendingOf(migrations, ran, sha256, onLater);
    for (const { name, sql } of pending) {
      await lease.exec(sql, 'patient');
      await lease.db.insert(t).values({ name, hash: sha256(sql), at: nowMs });
    }
    await lease.exec('COMMIT');
    return pending.map(({ name }) => name);
  } catch (error) {
    await lease.exec('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    await lease.release(false);
  }
}

/** The files that have run, with their hashes. */
export async function migrationsRan({ db, dialect }: Walked): Promise<{ name: string; hash: string }[]> {
  const t = ledgerOf[dialect.name];
  const rows = await db.select().from(t).orderBy(asc(t.name));
  return rows.map(({ name, hash }) => ({ name, hash }));
}

/** Names of the files that have not run, without running them. Throws like `migrate`, and tolerates what that does. */
export async function pendingMigrations(
  { connection, sha256 }: StorePort,
  migrations: readonly Migration[],
  { onLater }: LaterSchema = {},
): Promise<string[]> {
  const t = ledgerOf[connection.dialect];
  const lease = await connection.lease();
  try {
    await lease.exec(CREATE_LEDGER);
    const done = await lease.db.select().from(t).orderBy(asc(t.name));
    const ran = new Map(done.map((row) => [row.name, row.hash]));
    return pendingOf(migrations, ran, sha256, onLater).map(({ name }) => name);
  } finally {
    await lease.release(false);
  }
}

function pendingOf(
  migrations: readonly Migration[],
  done: ReadonlyMap<string, string>,
  sha256: StorePort['sha256'],
  onLater?: LaterSchema['onLater'],
): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, sha256(migration.sql)]));
  const newest = [...known.keys()].reduce((a, b) => (a > b ? a : b), '');
  const later: string[] = [];
  for (const [name, hash] of done) {
    if (known.get(name) === hash) continue;
    if (known.has(name)) throw new Error(`migration ${name} has changed since it was applied`);
    if (onLater === undefined || name < newest || !isExpanding(name)) throw new Error(laterText(name));
    later.push(name);
  }
  if (later.length > 0) onLater?.(later);
  return migrations.filter(({ name }) => !done.has(name)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Whether a program that does not know this migration may work with the database (control plane, section 11). */
export const isExpanding = (name: string): boolean => /^\d{4}-expand-/.test(name);

const laterText = (name: string): string =>
  `The database has the migration ${name}, which is unknown to this version of the program: a later version has changed it. Start the later version, or restore a backup that was made before it.`;
