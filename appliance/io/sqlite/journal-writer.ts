import * as fs from 'node:fs';
import { SqliteError, type Statement } from 'better-sqlite3';
import { FilePlace, notRestored } from '#shared/sqlite-file/index.ts';
import { journalMigrations } from './database/journal-schema.ts';
import { migrate, type Sqlite } from './database/open-sqlite.ts';
import type { Counters, WriterSetting } from './journal-message.ts';
import { journalStatements, type PackedWrite } from './journal-statement.ts';
import {
  dropReport,
  isDamage,
  isSmall,
  openWhole,
  readReport,
  restoreFile,
  type Salvage,
  salvage,
  salvagedMs,
} from './salvage/index.ts';

type Unit = readonly PackedWrite[];

/**
 * WAL sizes in pages (4 KiB). From `quietPages` on a checkpoint is worth a quiet moment; at `fullPages` it is taken
 * between two batches whatever waits. Left alone the WAL grows to hundreds of MB and one checkpoint then takes
 * 200 ms; 4,096 pages took 30 ms, 1,000 pages take 10 and cost no more in sum.
 */
const quietPages = 256;
const fullPages = 1000;

/** Damage that comes back within this is the machine's, not the file's: a copy of the file each time would fill the disk. */
const SALVAGE_AGAIN_MS = 600_000;

/** The single writer of `journal.db`. Lives in its own thread; nothing here waits for anything but the disk. */
export class JournalWriter {
  /** Another one after a salvage. */
  db: Sqlite;
  private readonly setting: WriterSetting;
  private readonly onSalvaged: (salvage: Salvage) => void;
  private prepared: Prepared;
  /** The files that this connection has open. */
  private readonly place: FilePlace;
  private syncs: number[] = [];
  private salvagedAtMs = Number.NEGATIVE_INFINITY;

  /** `onSalvaged`: damage was met, and salvaged, while the journal was in use. */
  constructor(setting: WriterSetting, onSalvaged: (salvage: Salvage) => void = () => {}) {
    this.setting = setting;
    this.onSalvaged = onSalvaged;
    this.db = openWhole(setting, Date.now());
    this.prepared = this.ready();
    this.place = new FilePlace(setting.file, fs);
    this.place.hold();
  }

  /** Units that could not be written, with the reason. All others are synced when this returns. */
  commit(units: readonly Unit[]): (readonly [number, string])[] {
    const first = this.transaction(units);
    const error =
      first !== undefined && this.salvaged(first) ? this.transaction(units) : (first ?? this.kept());
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
   * Moves the WAL into the file when it is long enough; `quiet` = nothing waits. A failure is left to the next commit, whose
   * callers get the error: until then nothing is lost, the WAL only grows. True: a quiet moment has something to do.
   */
  checkpoint(quiet: boolean): boolean {
    try {
      const pages = this.walPages();
      const isWorth = pages >= quietPages;
      if (pages < fullPages && !(quiet && isWorth)) return isWorth;
      this.db.pragma('wal_checkpoint(PASSIVE)');
    } catch (thrown) {
      if (!(thrown instanceof SqliteError)) throw thrown;
    }
    return false;
  }

  /** The last connection moves the WAL into the file; where it cannot, the next start does. */
  close(): void {
    this.kept();
    this.db.close();
  }

  counters(): Counters {
    const found = readReport(this.db);
    const atMs = salvagedMs(this.db);
    return {
      boot: this.meta('boot'),
      runningMs: this.meta('runningMs'),
      epoch: this.meta('epoch'),
      seq: this.lastSeq(),
      ...(found && { salvage: found }),
      ...(atMs !== undefined && { salvagedMs: atMs }),
      isChecked: isSmall(this.setting.file),
    };
  }

  /** The damage was reported. */
  salvageReported(): void {
    dropReport(this.db);
  }

  /**
   * The error is damage, and the journal was repaired: it can be tried again. False: it is another error, or damage was met a
   * short while ago already.
   */
  salvaged(thrown: unknown): boolean {
    if (!isDamage(thrown) || performance.now() - this.salvagedAtMs < SALVAGE_AGAIN_MS) return false;
    this.salvagedAtMs = performance.now();
    const { file } = this.setting;
    this.db.close();
    salvage(file, (thrown as Error).message, Date.now());
    this.db = openWhole(this.setting, Date.now());
    this.reopened();
    return true;
  }

  /**
   * Rows that were committed are on the disk only while the path leads to them: a file that was removed or replaced takes commits
   * until this process ends, and loses them then. The writer therefore copies the open file to the path; an error says why it could not.
   */
  kept(): Error | undefined {
    if (!this.db.open || !this.place.hasLeft()) return undefined;
    try {
      restoreFile(this.db, this.place, Date.now());
    } catch (thrown) {
      // A closed connection ends the thread; the next one finishes the swap.
      if (!this.db.open) throw thrown;
      return notRestored(this.setting.file, thrown);
    }
    this.db = openWhole(this.setting, Date.now());
    this.reopened();
    return undefined;
  }

  private reopened(): void {
    this.prepared = this.ready();
    this.place.hold();
    const found = readReport(this.db);
    if (found !== undefined) this.onSalvaged(found);
  }

  private ready(): Prepared {
    this.db.pragma('wal_autocheckpoint = 0');
    migrate(this.db, journalMigrations);
    this.countBoot(this.setting.bootId);
    return {
      statements: journalStatements.map((sql) => this.db.prepare(sql)),
      begin: this.db.prepare('BEGIN IMMEDIATE'),
      end: this.db.prepare('COMMIT'),
      undo: this.db.prepare('ROLLBACK'),
      look: this.db.prepare<[], { log: number }>('PRAGMA wal_checkpoint(NOOP)'),
    };
  }

  private transaction(units: readonly Unit[]): Error | undefined {
    const { statements, begin, end, undo } = this.prepared;
    try {
      begin.run();
      for (const unit of units) {
        for (const [statement, values] of unit) statements[statement]?.run(values);
      }
      const begunMs = performance.now();
      end.run();
      this.syncs.push(performance.now() - begunMs);
      return undefined;
    } catch (thrown) {
      if (this.db.inTransaction) undo.run();
      return thrown instanceof Error ? thrown : new Error(String(thrown));
    }
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
    return this.prepared.look.get()?.log ?? 0;
  }
}

interface Prepared {
  readonly statements: readonly Statement[];
  readonly begin: Statement;
  readonly end: Statement;
  readonly undo: Statement;
  readonly look: Statement<[], { log: number }>;
}

/** The data are at fault, not the disk. */
function isDefect(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  return !code.startsWith('SQLITE_') || code.startsWith('SQLITE_CONSTRAINT') || code === 'SQLITE_TOOBIG';
}
