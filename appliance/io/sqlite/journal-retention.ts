import type { Retention } from '#shared/setting/index.ts';
import type { Sqlite } from './database/open-sqlite.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The retention of one table. `:now` is the wall clock; `row` stands for the table in both conditions. */
interface Rule {
  readonly table: string;
  /** Column with the age of a row. */
  readonly born: string;
  /** No row younger than this is looked at. */
  readonly youngestMs: number;
  /** Which of the older rows go. */
  readonly goes: string;
}

/** Classes that a journal holds, in days. */
export type JournalRetention = Pick<Retention, 'alarms' | 'calls' | 'logs'>;

/**
 * Sessions and events of alarms are nowhere else, so the host keeps them as long as alarms are kept; dead letters as long as
 * calls, traces as long as logs. Delivered rows stay 72 h, since a cloud restored from a backup asks for them again. Dead
 * letters of alarms and of the audit, and whatever is undelivered in another lane than `usage`, are never removed.
 */
const rulesOf = ({ alarms, calls, logs }: JournalRetention): readonly Rule[] => [
  { table: 'trace', born: 'at', youngestMs: logs * dayMs, goes: '1' },
  {
    table: 'outbox',
    born: 'created_wall',
    youngestMs: dayMs,
    goes: `(lane = 'usage' AND state = 'new' AND dest = 'cloud')
      OR (state = 'done' AND settled < :now - ${72 * hourMs})
      OR (state = 'dead' AND lane NOT IN ('alarm', 'audit') AND settled < :now - ${calls * dayMs})`,
  },
  {
    table: 'event',
    born: 'wall',
    youngestMs: alarms * dayMs,
    goes: 'session_id NOT IN (SELECT id FROM session WHERE closed = 0)',
  },
  {
    table: 'peer_row',
    born: 'at',
    youngestMs: dayMs,
    goes: `done = 1 OR (kind <> 'outbox' AND at < :now - ${72 * hourMs})`,
  },
  { table: 'session', born: 'updated', youngestMs: alarms * dayMs, goes: 'closed = 1' },
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
export function cleanStep(
  db: Sqlite,
  position: CleanPosition,
  nowMs: number,
  kept: JournalRetention,
): CleanStep {
  const rule = rulesOf(kept)[position.rule];
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
