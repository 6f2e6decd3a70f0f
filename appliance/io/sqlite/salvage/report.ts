import type { Sqlite } from '../database/open-sqlite.ts';
import type { Filled } from './fill.ts';

/** The report about a damaged journal: kept in the new one until a person was notified. */
export interface Salvage {
  /** Where the damaged file lies now. */
  readonly file: string;
  /** The fault that was found. */
  readonly fault: string;
  /** Epoch ms. */
  readonly atMs: number;
  /** Rows that are in the new journal. */
  readonly recovered: Counts;
  /** Rows that an index still names and that are nowhere to be read. */
  readonly lost: Counts;
  /** Entries of pages that are no rows any more; some of them may be entries of indexes. */
  readonly unreadable: number;
  /** Recovered callbacks that no receiver has yet. */
  readonly waiting: number;
  /** When the oldest and the newest event of it was received, epoch ms; absent: there is none. */
  readonly from?: number;
  readonly to?: number;
  /** Why nothing was recovered although the file is kept. */
  readonly failed?: string;
  /** The file was whole, but removed or replaced under the running program; every row was taken from the open file. */
  readonly removed?: true;
}

interface Counts {
  readonly sessions: number;
  readonly events: number;
  readonly callbacks: number;
}

const REPORT = 'salvage';
const SALVAGED = 'salvagedMs';

export function reportOf(
  fresh: Sqlite,
  filled: Filled,
  head: Pick<Salvage, 'file' | 'fault' | 'atMs'>,
): Salvage {
  const count = (sql: string): number => Number(fresh.prepare(sql).pluck().get() ?? 0);
  const { from, to } = fresh
    .prepare<[], { from: number | null; to: number | null }>(
      `SELECT min(at) "from", max(at) "to" FROM (
         SELECT min(wall) at FROM event UNION ALL SELECT max(wall) FROM event
         UNION ALL SELECT min(created_wall) FROM outbox UNION ALL SELECT max(created_wall) FROM outbox)`,
    )
    .get() ?? { from: null, to: null };
  return {
    ...head,
    recovered: {
      sessions: count('SELECT count(*) FROM session'),
      events: count('SELECT count(*) FROM event'),
      callbacks: count('SELECT count(*) FROM outbox'),
    },
    lost: { sessions: filled.lost.session, events: filled.lost.event, callbacks: filled.lost.outbox },
    unreadable: filled.unreadable,
    waiting: count(`SELECT count(*) FROM outbox WHERE state IN ('new', 'inflight') AND dest <> 'cloud'`),
    ...(from !== null && to !== null && { from, to }),
  };
}

export const nothingOf = (head: Pick<Salvage, 'file' | 'fault' | 'atMs'>, failed: string): Salvage => ({
  ...head,
  recovered: NONE,
  lost: NONE,
  unreadable: 0,
  waiting: 0,
  failed,
});

const NONE: Counts = { sessions: 0, events: 0, callbacks: 0 };

/** In a row of `meta`, which an older program passes over. */
export function keepReport(db: Sqlite, report: Salvage): void {
  const put = db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)');
  put.run(REPORT, JSON.stringify(report));
  put.run(SALVAGED, report.atMs);
}

/** Undefined: there was no damage, or it was reported already. */
export function readReport(db: Sqlite): Salvage | undefined {
  const text = db.prepare('SELECT value FROM meta WHERE key = ?').pluck().get(REPORT);
  return typeof text === 'string' ? (JSON.parse(text) as Salvage) : undefined;
}

/** The last time at which rows may have been lost, epoch ms; undefined: never. */
export function salvagedMs(db: Sqlite): number | undefined {
  const at = db.prepare('SELECT value FROM meta WHERE key = ?').pluck().get(SALVAGED);
  return typeof at === 'number' ? at : undefined;
}

export const dropReport = (db: Sqlite): void => {
  db.prepare('DELETE FROM meta WHERE key = ?').run(REPORT);
};
