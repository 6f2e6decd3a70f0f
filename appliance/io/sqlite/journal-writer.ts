import { SqliteError } from 'better-sqlite3';
import type { Counters, WriterSetting } from './journal-message.ts';
import { journalMigrations } from './journal-schema.ts';
import { journalStatements, type PackedWrite } from './journal-statement.ts';
import { migrate, type Sqlite } from './open-sqlite.ts';
import { openOrSetAside } from './set-aside.ts';

type Unit = readonly PackedWrite[];

/**
 * WAL sizes in pages (4 KiB). From `quietPages` on a checkpoint is worth a quiet moment; at `fullPages` it is taken
 * between two batches whatever waits. Left alone the WAL grows to hundreds of MB and one checkpoint then takes
 * 200 ms; 4,096 pages took 30 ms, 1,000 pages take 10 and cost no more in sum.
 */
const quietPages = 256;
const fullPages = 1000;

/** The single writer of `journal.db`. Lives in its own thread; nothing here waits for anything but the disk. */
export class JournalWriter {
  readonly db: Sqlite;
  /** Where a damaged file went that stood in the place. */
  readonly setAside: string | undefined;
  private syncs: number[] = [];
  private readonly statements;
  private readonly begin;
  private readonly end;
  private readonly undo;
  private readonly look;

  constructor(setting: WriterSetting) {
    const { db, setAside } = openOrSetAside(setting, Date.now());
    this.db = db;
    this.setAside = setAside;
    this.db.pragma('wal_autocheckpoint = 0');
    migrate(this.db, journalMigrations);
    this.statements = journalStatements.map((sql) => this.db.prepare(sql));
    this.begin = this.db.prepare('BEGIN IMMEDIATE');
    this.end = this.db.prepare('COMMIT');
    this.undo = this.db.prepare('ROLLBACK');
    this.look = this.db.prepare<[], { log: number }>('PRAGMA wal_checkpoint(NOOP)');
    if (setAside !== undefined) this.beginAbove(Date.now());
    this.countBoot(setting.bootId);
  }

  /** Units that could not be written, with the reason. All others are synced when this returns. */
  commit(units: readonly Unit[]): (readonly [number, string])[] {
    const error = this.transaction(units);
    if (error === undefined) return [];
    // One defective unit must not take the alarms beside it down; a full disk takes them all at once.
    if (units.length > 1 && isDefect(error)) {
      return units.flatMap((unit, index) => {
        const own = this.transaction([unit]);
        return own === undefined ? [] : [[index, own.message] as const];
      });
    }
    return units.map((_, index) => [index, error.message] as const);
  }

  /** How long each COMMIT since the last look waited for the disk, ms. */
  takeSyncs(): readonly number[] {
    const taken = this.syncs;
    this.syncs = [];
    return taken;
  }

  /**
   * Moves the WAL into the file when it is long enough; `quiet` = nothing waits. A failure is left to the next
   * commit, whose callers can be told: until then nothing is lost, the WAL only grows.
   */
  checkpoint(quiet: boolean): void {
    try {
      const pages = this.walPages();
      if (pages >= fullPages || (quiet && pages >= quietPages)) this.db.pragma('wal_checkpoint(PASSIVE)');
    } catch (thrown) {
      if (!(thrown instanceof SqliteError)) throw thrown;
    }
  }

  /** The last connection moves the WAL into the file; where it cannot, the next start does. */
  close(): void {
    this.db.close();
  }

  counters(): Counters {
    return {
      boot: this.meta('boot'),
      runningMs: this.meta('runningMs'),
      epoch: this.meta('epoch'),
      seq: this.lastSeq(),
      ...(this.setAside === undefined ? {} : { setAside: this.setAside }),
    };
  }

  private transaction(units: readonly Unit[]): Error | undefined {
    try {
      this.begin.run();
      for (const unit of units) {
        for (const [statement, values] of unit) this.statements[statement]?.run(values);
      }
      const begunMs = performance.now();
      this.end.run();
      this.syncs.push(performance.now() - begunMs);
      return undefined;
    } catch (thrown) {
      if (this.db.inTransaction) this.undo.run();
      return thrown instanceof Error ? thrown : new Error(String(thrown));
    }
  }

  /** A new file in the place of a damaged one counts on above whatever the old one can have given out. */
  private beginAbove(nowMs: number): void {
    this.db.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('outbox', ?)").run(nowMs);
    this.db.prepare("INSERT INTO meta (key, value) VALUES ('boot', ?)").run(Math.floor(nowMs / 1000));
  }

  private countBoot(bootId: string): void {
    const known = this.db.prepare("SELECT value FROM meta WHERE key = 'bootId'").pluck().get();
    if (known === bootId) return;
    const put = this.db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)');
    this.db.transaction(() => {
      put.run('boot', this.meta('boot') + 1);
      put.run('bootId', bootId);
    })();
  }

  private meta(key: string): number {
    return Number(this.db.prepare('SELECT value FROM meta WHERE key = ?').pluck().get(key) ?? 0);
  }

  private lastSeq(): number {
    return Number(
      this.db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'").pluck().get() ?? 0,
    );
  }

  /** NOOP looks without moving anything. */
  private walPages(): number {
    return this.look.get()?.log ?? 0;
  }
}

/** The data are at fault, not the disk. */
function isDefect(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  return !code.startsWith('SQLITE_') || code.startsWith('SQLITE_CONSTRAINT') || code === 'SQLITE_TOOBIG';
}
