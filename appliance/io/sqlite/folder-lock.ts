import { join } from 'node:path';
import Database from 'better-sqlite3';

/** Locks in use. Without this, the garbage collector would release a lock whose `unlock` is not referenced. */
const held = new Set<Database.Database>();

/**
 * Keeps a folder of state for one process: two of them on one journal would each promise what the other does not know.
 * The lock is one of the operating system's on a small database file, so it dies with its holder however that ends.
 * Throws with one sentence when another process holds it.
 */
export function lockFolder(folder: string): () => void {
  const db = new Database(join(folder, 'lock.db'), { timeout: 0 });
  try {
    db.pragma('locking_mode = EXCLUSIVE');
    db.exec('BEGIN EXCLUSIVE');
  } catch {
    db.close();
    throw new Error(`${folder} is in use by another appliance; end that one or choose another CARILLON_DATA`);
  }
  held.add(db);
  return () => {
    held.delete(db);
    db.close();
  };
}
