import type { Connection } from '#cloud/store/index.ts';
import { asked } from './catalogue.ts';

/** Partitions of the table, and the rows of a month in the partition for everything else. */
const PARTITIONS = `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = to_regclass('session_record') AND c.relname ~ '^session_record_[0-9]{6}$'`;

/**
 * Makes the partitions of these months where they are missing, and removes empty ones of months before `oldest`, on
 * PostgreSQL. A month whose rows are in the partition for everything else already gets none: they stay where they are until
 * their time is over. Gives the names of those made and removed.
 */
export async function keepRecordPartitions(
  connection: Connection,
  months: readonly number[],
  oldest: number,
): Promise<{ readonly made: string[]; readonly removed: string[] }> {
  const made: string[] = [];
  const removed: string[] = [];
  if (connection.dialect !== 'pg') return { made, removed };
  const there = (await asked<{ name: string }>(connection, PARTITIONS)).map(({ name }) => name);
  for (const month of months) {
    const name = `session_record_${month}`;
    if (there.includes(name) || (await hasRows(connection, 'session_record_other', month))) continue;
    if (await done(connection, `CREATE TABLE ${name} PARTITION OF session_record FOR VALUES IN (${month})`))
      made.push(name);
  }
  for (const name of there) {
    const month = Number(name.slice(-6));
    if (month >= oldest || (await hasRows(connection, name, month))) continue;
    if (await done(connection, `DROP TABLE ${name}`)) removed.push(name);
  }
  return { made, removed };
}

async function hasRows(connection: Connection, table: string, month: number): Promise<boolean> {
  return (await asked(connection, `SELECT 1 AS one FROM ${table} WHERE month = ${month} LIMIT 1`)).length > 0;
}

/**
 * Another process may have been faster, a row may have come in between, or a backup holds the table: the next round looks again. The
 * statement waits at most a second for the table, for every new record waits behind it.
 */
async function done(connection: Connection, statement: string): Promise<boolean> {
  const lease = await connection.lease();
  try {
    await lease.exec('BEGIN');
    await lease.exec(`SET LOCAL lock_timeout = 1000; ${statement}`);
    await lease.exec('COMMIT');
    return true;
  } catch {
    await lease.exec('ROLLBACK').catch(() => undefined);
    return false;
  } finally {
    await lease.release(false);
  }
}
