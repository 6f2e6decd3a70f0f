import * as fs from 'node:fs';
import { FilePlace, notRestored } from '#shared/sqlite-file/index.ts';
import { openSqlite, type Sqlite } from '../database/open-sqlite.ts';
import { recordReads } from './record-reads.ts';

/**
 * The connection of readers to `record.db`. It is open while the thread that writes rests, so that a file which was removed under the
 * program can be copied to its place from it.
 */
export class RecordReader {
  readonly #place: FilePlace;
  #opened: { readonly db: Sqlite; readonly reads: ReturnType<typeof recordReads> } | undefined;

  constructor(file: string) {
    this.#place = new FilePlace(file, fs);
  }

  /** Opens the file where it is not open. Throws where it cannot be read. */
  get reads(): ReturnType<typeof recordReads> {
    if (this.#opened === undefined) {
      const db = openSqlite({ file: this.#place.file, readonly: true });
      this.#opened = { db, reads: recordReads(db) };
      this.#place.hold();
    }
    return this.#opened.reads;
  }

  get hasLeft(): boolean {
    return this.#opened !== undefined && this.#place.hasLeft();
  }

  /**
   * Copies the open file to its place, step by step, so that alarms go on meanwhile. No other connection may be open. Gives what stood
   * there, and the number of records. Rejects where the copy cannot be written; the connection is open then.
   */
  async restore(nowMs: number): Promise<{ readonly file: string; readonly rows: number }> {
    const { file, fresh } = this.#place;
    const aside = `${file}.damaged-${nowMs}`;
    let rows = 0;
    try {
      this.#place.clearFresh();
      const db = this.#opened?.db;
      rows = Number(db?.prepare('SELECT count(*) FROM record').pluck().get() ?? 0);
      await db?.backup(fresh);
    } catch (thrown) {
      throw notRestored(file, thrown);
    }
    this.close();
    this.#place.putInPlace(aside);
    return { file: fs.existsSync(aside) ? aside : file, rows };
  }

  close(): void {
    this.#opened?.db.close();
    this.#opened = undefined;
  }
}
