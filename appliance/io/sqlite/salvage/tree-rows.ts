import type { FileValue } from '#shared/sqlite-file/index.ts';
import type { Sqlite } from '../database/open-sqlite.ts';

type Stored = readonly FileValue[];

/** A root that is damaged fails every query. The scan finds the rows that are not found within so many, and is cheaper then. */
const MOST_FAILURES = 200;

/**
 * Rows that the tree of a table still leads to, read from both ends; where both have met damage, the range between is halved and
 * read from both ends again, until nothing is left of it:
 *
 *     1 ──▶ ok ok ok ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒ ok ok ◀── last
 *                    ▒▒▒ ok ok ◀──┊──▶ ok ▒▒▒
 */
export function treeRows(db: Sqlite, table: string, found: (rowId: number, values: Stored) => void): void {
  let upwards: ReturnType<typeof ordered>;
  let downwards: ReturnType<typeof ordered>;
  try {
    upwards = ordered(db, table, 'ASC');
    downwards = ordered(db, table, 'DESC');
  } catch {
    // The table is not in the schema, or the schema cannot be read.
    return;
  }
  const open: [number, number][] = [[Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]];
  for (let failures = 0; failures < MOST_FAILURES; ) {
    const range = open.pop();
    if (range === undefined) return;
    let [low, high] = range;
    const isWhole = read(upwards, low, high, (rowId, values) => {
      if (rowId < low || rowId > high) return;
      found(rowId, values);
      low = rowId + 1;
    });
    if (isWhole) continue;
    failures++;
    read(downwards, low, high, (rowId, values) => {
      if (rowId > high || rowId < low) return;
      found(rowId, values);
      high = rowId - 1;
    });
    if (low >= high) continue;
    const middle = low + Math.floor((high - low) / 2);
    open.push([low, middle], [middle + 1, high]);
  }
}

const ordered = (db: Sqlite, table: string, order: 'ASC' | 'DESC') =>
  db
    .prepare<[number, number], Stored>(
      `SELECT rowid, * FROM ${table} WHERE rowid BETWEEN ? AND ? ORDER BY rowid ${order}`,
    )
    .raw();

/** True: nothing was in the way. */
function read(
  statement: ReturnType<typeof ordered>,
  low: number,
  high: number,
  found: (rowId: number, values: Stored) => void,
): boolean {
  try {
    for (const [rowId, ...values] of statement.iterate(low, high))
      if (typeof rowId === 'number' && Number.isSafeInteger(rowId)) found(rowId, values);
    return true;
  } catch {
    return false;
  }
}

/** Rows of a table WITHOUT ROWID, which are few. */
export function keyedRows(db: Sqlite, table: string, found: (values: Stored) => void): void {
  try {
    for (const values of db.prepare<[], Stored>(`SELECT * FROM ${table}`).raw().iterate()) found(values);
  } catch {
    // The scan goes on where this has ended.
  }
}
