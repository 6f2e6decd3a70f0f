import * as fs from 'node:fs';
import { FilePlace, notRestored, removedFault } from '#shared/sqlite-file/index.ts';
import { every } from '#shared/timer/index.ts';
import { migrate, openSqlite, type Sqlite } from '../sqlite/index.ts';
import { migrations } from './replica-schema.ts';
import type { DamagedFile } from './set-aside.ts';

/** A replica without changes notices within this that its file was removed. */
const LOOK_MS = 1_000;

/**
 * The open `config.db` and its statements. A file that was removed or replaced under the program is restored before a write is
 * confirmed, and each second: a host that starts without it has no configuration until the control plane is reached.
 */
export class KeptReplica<Statements> {
  readonly #prepare: (db: Sqlite) => Statements;
  readonly #onDamage: ((damaged: DamagedFile) => void) | undefined;
  readonly #place: FilePlace;
  readonly #stopLooking: (() => void) | undefined;
  #opened: { readonly db: Sqlite; readonly statements: Statements };
  #isAttached = false;
  #isLost = false;

  /** `onDamage`: given by the program that owns the file; another one restores nothing. */
  constructor(
    file: string,
    prepare: (db: Sqlite) => Statements,
    onDamage: ((damaged: DamagedFile) => void) | undefined,
  ) {
    this.#prepare = prepare;
    this.#onDamage = onDamage;
    this.#place = new FilePlace(file, fs);
    this.#opened = this.#open();
    if (onDamage !== undefined)
      this.#stopLooking = every(LOOK_MS, () => this.#look(), { isBackground: true });
  }

  get db(): Sqlite {
    return this.#opened.db;
  }

  get statements(): Statements {
    return this.#opened.statements;
  }

  /** Runs `work` in one transaction. Throws when it cannot be written, or not where the next start looks for it. */
  write(work: (statements: Statements) => void): void {
    const { db, statements } = this.#opened;
    db.transaction(() => work(statements))();
    this.#keep();
  }

  /** Runs `work` in one transaction with the database `other` attached as `good`. */
  attached(other: string, work: (db: Sqlite) => void): void {
    const { db } = this.#opened;
    db.prepare('ATTACH ? AS good').run(other);
    this.#isAttached = true;
    try {
      db.transaction(() => work(db))();
    } finally {
      db.exec('DETACH good');
      this.#isAttached = false;
    }
    this.#keep();
  }

  close(): void {
    this.#stopLooking?.();
    this.#look();
    this.#opened.db.close();
  }

  #open(): { readonly db: Sqlite; readonly statements: Statements } {
    const db = openSqlite({ file: this.#place.file });
    try {
      migrate(db, migrations);
      // The log and its index exist from the first write on.
      db.exec('BEGIN IMMEDIATE; ROLLBACK');
      this.#place.hold();
      return { db, statements: this.#prepare(db) };
    } catch (thrown) {
      db.close();
      throw thrown;
    }
  }

  /** As `#keep`; what cannot be restored is reported once, and fails the next write. */
  #look(): void {
    try {
      this.#keep();
    } catch (thrown) {
      if (this.#isLost) return;
      this.#isLost = true;
      this.#onDamage?.({ file: this.#place.file, fault: String(thrown) });
    }
  }

  #keep(): void {
    if (this.#onDamage === undefined || this.#isAttached) return;
    const { db } = this.#opened;
    if (!db.open || db.inTransaction || !this.#place.hasLeft()) return;
    const { file, fresh } = this.#place;
    const aside = `${file}.damaged-${Date.now()}`;
    try {
      this.#place.clearFresh();
      db.prepare('VACUUM INTO ?').run(fresh);
    } catch (thrown) {
      throw notRestored(file, thrown);
    }
    db.close();
    this.#place.putInPlace(aside);
    this.#opened = this.#open();
    this.#isLost = false;
    this.#onDamage({
      file: fs.existsSync(aside) ? aside : file,
      fault: removedFault(file),
      removed: true,
    });
  }
}
