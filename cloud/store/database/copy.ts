import { fail, ok, type Result } from '#shared/result.ts';
import { tablesOf } from '../schema/tables.ts';
import type { StorePort } from '../sql/connection.ts';
import { dialectOf } from '../sql/dialect.ts';
import { type Migration, migrate } from './migration.ts';
import { digestOf, insertRows, rowsOf, type TableKey, tablesByName, type Walked } from './table-walk.ts';

/** A database with the files that make its schema. */
export interface CopyEnd {
  readonly port: StorePort;
  readonly migrations: readonly Migration[];
}

export interface CopiedTable {
  readonly table: string;
  readonly rows: number;
}

/**
 * Copies every row from one database to another, empty one, of whatever dialect, in one transaction at either end: the
 * source takes no writes meanwhile, the target shows all of it or nothing. `order` names the tables so that what is
 * referred to comes first. Revisions are data, so sites notice nothing. Counts and hashes over all rows are compared
 * before the target commits. Fails with `notEmpty` and `copyDiffers`.
 */
export async function copyDatabase(
  from: CopyEnd,
  to: CopyEnd,
  order: readonly string[],
  nowMs: number,
): Promise<Result<CopiedTable[]>> {
  await migrate(from.port, from.migrations, nowMs);
  await migrate(to.port, to.migrations, nowMs);
  return await inTransaction(from.port, 'beginSnapshot', (source) =>
    inTransaction(to.port, 'begin', (target) => copyTables(source, target, order, from.port.sha256)),
  );
}

async function copyTables(
  source: Walked,
  target: Walked,
  order: readonly string[],
  sha256: StorePort['sha256'],
): Promise<Result<CopiedTable[]>> {
  const tables = orderedTables(source, order);
  for (const { table, name } of tables)
    for await (const _ of rowsOf(target, table))
      return fail('notEmpty', `The target has rows in ${name}: copy into an empty database only.`);
  for (const { table } of tables)
    for await (const rows of rowsOf(source, table)) await insertRows(target, table, rows);
  const copied: CopiedTable[] = [];
  for (const { table, name } of tables) {
    const before = await digestOf(source, table, sha256);
    const after = await digestOf(target, table, sha256);
    if (before.rows !== after.rows || before.hash !== after.hash)
      return fail(
        'copyDiffers',
        `${name} has ${before.rows} rows here and ${after.rows} there, or other ones: nothing was kept.`,
      );
    copied.push({ table: name, rows: before.rows });
  }
  return ok(copied);
}

/** All tables, those that `order` names in its order. A table it forgets is an error: it would be lost. */
function orderedTables(of: Walked, order: readonly string[]): { table: TableKey; name: string }[] {
  const names = tablesByName(of);
  const forgotten = [...names.keys()].filter((name) => !order.includes(name));
  if (forgotten.length > 0) throw new Error(`no place in the order for ${forgotten.join(', ')}`);
  return order.flatMap((name) => {
    const table = names.get(name);
    return table === undefined ? [] : [{ table, name }];
  });
}

/** A failure rolls back like an exception; there is no limit of time, for no other caller is served. */
async function inTransaction<T>(
  { connection }: StorePort,
  begin: 'begin' | 'beginSnapshot',
  work: (at: Walked) => Promise<Result<T>>,
): Promise<Result<T>> {
  const dialect = dialectOf[connection.dialect];
  const lease = await connection.lease();
  try {
    await lease.exec(dialect[begin]);
    const result = await work({ db: lease.db, tables: tablesOf[connection.dialect], dialect });
    await lease.exec(result.ok ? 'COMMIT' : 'ROLLBACK');
    return result;
  } catch (error) {
    await lease.exec('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    await lease.release(false);
  }
}
