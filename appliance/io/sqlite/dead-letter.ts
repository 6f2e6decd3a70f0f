import { openSqlite } from './database/open-sqlite.ts';

/** A row as it stands on the disk; times in epoch milliseconds. */
export interface DeadLetterRow {
  readonly id: string;
  readonly lane: string;
  readonly type: string;
  readonly dest: string;
  readonly createdAt: number;
  readonly attempts: number;
  readonly lastError: string | null;
}

/** Dead letters of a journal, oldest first, also while it is in use. Throws where the file cannot be opened. */
export function readDeadLetters(file: string, limit: number): readonly DeadLetterRow[] {
  const db = openSqlite({ file, readonly: true });
  try {
    return db
      .prepare(
        `SELECT id, lane, type, dest, created_wall createdAt, attempts, last_err lastError
         FROM outbox WHERE state = 'dead' ORDER BY seq LIMIT ?`,
      )
      .all(limit) as DeadLetterRow[];
  } finally {
    db.close();
  }
}
