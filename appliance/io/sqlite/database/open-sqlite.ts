import Database from 'better-sqlite3';

export type Sqlite = Database.Database;

export interface SqliteSetting {
  readonly file: string;
  /** Default FULL. The others exist so that tests can prove that they lose rows. */
  readonly synchronous?: 'FULL' | 'NORMAL' | 'OFF';
  /** Opens an existing file without the right to write. */
  readonly readonly?: boolean;
}

/** Opens a file the way every database of this host is opened: WAL, synced commits, foreign keys, 5 s lock wait. */
export function openSqlite(setting: SqliteSetting): Sqlite {
  const db = new Database(setting.file, setting.readonly ? { readonly: true, fileMustExist: true } : {});
  db.pragma('busy_timeout = 5000');
  db.pragma('foreign_keys = ON');
  // A damaged page is met as such, and not as other rows.
  db.pragma('cell_size_check = ON');
  if (!setting.readonly) {
    db.pragma('journal_mode = WAL');
    db.pragma(`synchronous = ${setting.synchronous ?? 'FULL'}`);
  }
  return db;
}

/**
 * Brings the file to the newest schema: `migrations[n]` leads from version n to n + 1, each in a transaction of its
 * own together with `user_version`. Forward only: a file from a newer program is refused.
 */
export function migrate(db: Sqlite, migrations: readonly string[]): void {
  const found = Number(db.pragma('user_version', { simple: true }));
  if (found > migrations.length) {
    throw new Error(
      `${db.name} has schema ${found}, this program knows ${migrations.length}: start the newer program or restore the kept file`,
    );
  }
  migrations.slice(found).forEach((sql, offset) => {
    db.transaction(() => {
      db.exec(sql);
      db.pragma(`user_version = ${found + offset + 1}`);
    })();
  });
}
