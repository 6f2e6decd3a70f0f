import Database from 'better-sqlite3';

/**
 * Holds the lock of a SQLite database, `<file>.lock`, for this process alone. Gives the function that ends it; the kernel ends it
 * with the process, however that ends, so that a process that starts again waits for nothing. Throws when another process
 * holds it.
 *
 * Chosen: the lock is an open transaction on a file beside the database. The database itself cannot be locked for long: its
 * readers and `carillon db` need it.
 */
export function lockForOneProcess(file: string): () => void {
  const lock = new Database(`${file}.lock`, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (thrown) {
    lock.close();
    if (!(thrown instanceof Database.SqliteError) || thrown.code !== 'SQLITE_BUSY') throw thrown;
    throw new Error(
      `Another control plane works on ${file}, and SQLite serves one process. Stop the other one, or give this one a database of its own by CARILLON_DATABASE; several need PostgreSQL and an external broker.`,
    );
  }
  return () => {
    lock.close();
  };
}
