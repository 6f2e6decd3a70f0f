import Database from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import type { Handle } from '#cloud/store/index.ts';

/** Compiled statements kept per connection; the texts of this program are far fewer. */
const STATEMENTS_KEPT = 500;

/** Memory for pages, for each of the two connections; taken as it is needed. */
const CACHE_KIB = 64 * 1024;

export interface OpenFile {
  readonly client: Database.Database;
  readonly db: Handle;
}

/** Throws what is to be done where the file is damaged. */
export function openFile(file: string): OpenFile {
  try {
    return opened(file);
  } catch (thrown) {
    if (!(thrown instanceof Database.SqliteError) || !/^SQLITE_(CORRUPT|NOTADB)/.test(thrown.code))
      throw thrown;
    throw new Error(
      `${file} is damaged (${thrown.message}): keep the file, put the last backup in its place, run carillon db mark-restored, and start again; hosts go on serving meanwhile`,
    );
  }
}

function opened(file: string): OpenFile {
  const client = new Database(file);
  client.pragma('busy_timeout = 5000');
  client.pragma('journal_mode = WAL');
  // FULL: a commit that was answered survives a power cut.
  client.pragma('synchronous = FULL');
  client.pragma('foreign_keys = ON');
  // Rows that an erasure or the retention removes are overwritten with zeros, so that the file has them no more.
  client.pragma('secure_delete = ON');
  // By default it keeps 2 MiB: some ten thousand devices are more, and each read would go to the file.
  client.pragma(`cache_size = -${CACHE_KIB}`);
  keepStatements(client);
  // The driver is synchronous; awaiting its queries gives the same values one step later.
  return { client, db: drizzle(client) as unknown as Handle };
}

/**
 * Compiling a statement costs as much as running it, and the query builder asks for one each time. It runs what it
 * asked for before anyone else can ask, so one statement per text is enough.
 */
function keepStatements(client: Database.Database): void {
  const kept = new Map<string, Database.Statement>();
  const compile = client.prepare.bind(client);
  const prepare = (text: string): Database.Statement => {
    const known = kept.get(text);
    // The last user may have asked for rows as arrays.
    if (known !== undefined) return known.reader ? known.raw(false) : known;
    if (kept.size >= STATEMENTS_KEPT) kept.clear();
    const made = compile(text);
    kept.set(text, made);
    return made;
  };
  client.prepare = prepare as typeof client.prepare;
}

/** A connection that cannot write. */
export function openReader(file: string): OpenFile {
  const reader = openFile(file);
  reader.client.pragma('query_only = ON');
  return reader;
}
