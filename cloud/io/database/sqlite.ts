import Database from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import type { Connection, Handle, Lease } from '#cloud/store/index.ts';
import { createTurns } from './turn.ts';

/** SQLite's driver is synchronous; awaiting its queries gives the same values one step later. */
const handleOf = (client: Database.Database): Handle => drizzle(client) as unknown as Handle;

function openFile(file: string): Database.Database {
  const client = new Database(file);
  client.pragma('busy_timeout = 5000');
  client.pragma('journal_mode = WAL');
  // FULL: a commit that was answered survives a power cut.
  client.pragma('synchronous = FULL');
  client.pragma('foreign_keys = ON');
  return client;
}

/** One connection writes, one reads; `file` is created when absent, its folder is not. */
export function openSqlite(file: string): Connection {
  const turn = createTurns();
  let writer = openFile(file);
  const reader = openFile(file);
  reader.pragma('query_only = ON');

  async function lease(): Promise<Lease> {
    const endTurn = await turn();
    if (!writer.open) writer = openFile(file);
    const held = writer;
    return {
      db: handleOf(held),
      exec: async (sqlText) => void held.exec(sqlText),
      release: async (broken) => {
        // Closing rolls back, and makes statements of abandoned work fail instead of joining the next transaction.
        if (broken) held.close();
        endTurn();
      },
    };
  }

  return {
    dialect: 'sqlite',
    reader: handleOf(reader),
    lease,
    close: async () => {
      const endTurn = await turn();
      reader.close();
      writer.close();
      endTurn();
    },
  };
}
