import Database from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import type { Connection, Handle, Lease } from '#cloud/store/index.ts';
import { createTurns } from './turn.ts';

/** Compiled statements kept per connection; the texts of this program are far fewer. */
const STATEMENTS_KEPT = 500;

interface OpenFile {
  readonly client: Database.Database;
  readonly db: Handle;
}

function openFile(file: string): OpenFile {
  const client = new Database(file);
  client.pragma('busy_timeout = 5000');
  client.pragma('journal_mode = WAL');
  // FULL: a commit that was answered survives a power cut.
  client.pragma('synchronous = FULL');
  client.pragma('foreign_keys = ON');
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
    // Whoever had it last may have asked for rows as arrays.
    if (known !== undefined) return known.reader ? known.raw(false) : known;
    if (kept.size >= STATEMENTS_KEPT) kept.clear();
    const made = compile(text);
    kept.set(text, made);
    return made;
  };
  client.prepare = prepare as typeof client.prepare;
}

/** One connection writes, one reads; `file` is created when absent, its folder is not. */
export function openSqlite(file: string): Connection {
  const turn = createTurns();
  let writer = openFile(file);
  const reader = openFile(file);
  reader.client.pragma('query_only = ON');

  async function lease(): Promise<Lease> {
    const endTurn = await turn();
    if (!writer.client.open) writer = openFile(file);
    const { client, db } = writer;
    return {
      db,
      exec: async (sqlText) => {
        if (/^(BEGIN IMMEDIATE|COMMIT|ROLLBACK)$/.test(sqlText)) client.prepare(sqlText).run();
        else client.exec(sqlText);
      },
      release: async (broken) => {
        // Closing rolls back, and makes statements of abandoned work fail instead of joining the next transaction.
        if (broken) client.close();
        endTurn();
      },
    };
  }

  return {
    dialect: 'sqlite',
    reader: reader.db,
    lease,
    close: async () => {
      const endTurn = await turn();
      reader.client.close();
      writer.client.close();
      endTurn();
    },
  };
}
