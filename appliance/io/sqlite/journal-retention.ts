import type { Sqlite } from './open-sqlite.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** What one table keeps. `:now` is the wall clock; `row` stands for the table in both conditions. */
interface Rule {
  readonly table: string;
  /** Column with the age of a row. */
  readonly born: string;
  /** No row younger than this is looked at. */
  readonly youngestMs: number;
  /** Which of the older rows go. */
  readonly goes: string;
}

/**
 * Chosen: a host keeps sessions, events and dead letters 90 days and traces 14; the long retention of alarms is the
 * cloud's. Delivered rows stay 72 h, since a cloud restored from a backup asks for them again. Dead letters of the
 * alarm lane, and whatever is undelivered in another lane than `usage`, are never removed.
 */
const retention: readonly Rule[] = [
  { table: 'trace', born: 'at', youngestMs: 14 * dayMs, goes: '1' },
  {
    table: 'outbox',
    born: 'created_wall',
    youngestMs: dayMs,
    goes: `(lane = 'usage' AND state = 'new' AND dest = 'cloud')
      OR (state = 'done' AND settled < :now - ${72 * hourMs})
      OR (state = 'dead' AND lane <> 'alarm' AND settled < :now - ${90 * dayMs})`,
  },
  {
    table: 'event',
    born: 'wall',
    youngestMs: 90 * dayMs,
    goes: 'session_id NOT IN (SELECT id FROM session WHERE closed = 0)',
  },
  {
    table: 'peer_row',
    born: 'at',
    youngestMs: dayMs,
    goes: `done = 1 OR (kind <> 'outbox' AND at < :now - ${72 * hourMs})`,
  },
  { table: 'session', born: 'updated', youngestMs: 90 * dayMs, goes: 'closed = 1' },
];

const stepRows = 500;

export interface CleanPosition {
  readonly rule: number;
  readonly afterRow: number;
}
export interface CleanStep {
  readonly removed: number;
  /** Where to go on; absent when every table is done. */
  readonly next?: CleanPosition;
}

/** Looks at the next 500 rows of one table, oldest first, and removes what its rule lets go. */
export function cleanStep(db: Sqlite, position: CleanPosition, nowMs: number): CleanStep {
  const rule = retention[position.rule];
  if (rule === undefined) return { removed: 0 };
  const bornBefore = nowMs - rule.youngestMs;
  const last = db
    .prepare<unknown[], { count: number; row: number | null; born: number | null }>(
      `SELECT count(*) count, max(rowid) row, min(${rule.born}) born
       FROM (SELECT rowid, ${rule.born} FROM ${rule.table} WHERE rowid > ? ORDER BY rowid LIMIT ${stepRows})`,
    )
    .get(position.afterRow);
  const nextRule: CleanPosition = { rule: position.rule + 1, afterRow: 0 };
  if (!last?.row || last.born === null || last.born >= bornBefore) return { removed: 0, next: nextRule };
  const { changes } = db
    .prepare(
      `DELETE FROM ${rule.table}
       WHERE rowid > :after AND rowid <= :upTo AND ${rule.born} < :bornBefore AND (${rule.goes}) AND :now > 0`,
    )
    .run({ after: position.afterRow, upTo: last.row, bornBefore, now: nowMs });
  const wholeStep = last.count === stepRows;
  return { removed: changes, next: wholeStep ? { rule: position.rule, afterRow: last.row } : nextRule };
}
