import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { createTurns, openDatabase, readMigrations, storePort } from '#cloud/io/database/index.ts';
import { openVault } from '#cloud/io/key/index.ts';
import type { Connection, DialectName, Handle, Store, StorePort } from '#cloud/store/index.ts';
import { createStore, migrate } from '#cloud/store/index.ts';

/** One vault for all databases of a test file. */
export const vault = openVault(tmpdir(), {
  given: Buffer.alloc(32, 7).toString('base64url'),
});

/** A store on an empty, migrated database. */
export interface TestDatabase {
  readonly port: StorePort;
  readonly store: Store;
  readonly close: () => Promise<void>;
}

/** A port on a new SQLite file, not migrated. */
export function emptySqlite(): { port: StorePort; folder: string; close: () => Promise<void> } {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-store-'));
  const port = openDatabase(`sqlite:${join(folder, 'cloud.db')}`, vault, (error) => {
    throw error;
  });
  return {
    port,
    folder,
    close: async () => {
      await port.connection.close();
      rmSync(folder, { recursive: true });
    },
  };
}

let pglite: PGlite | undefined;

/** A port on an emptied PostgreSQL: one PGlite per test file, for it takes seconds and much memory to start. */
export async function emptyPg(): Promise<{ port: StorePort; close: () => Promise<void> }> {
  if (SERVER !== undefined) return await emptyServer(SERVER);
  pglite ??= await PGlite.create();
  const client = pglite;
  await client.exec('DROP SCHEMA public CASCADE; CREATE SCHEMA public;');
  return { port: storePort(pgliteConnection(client), vault), close: async () => undefined };
}

/** A real server instead of PGlite: `CARILLON_TEST_POSTGRES` names an empty database that may be wiped. */
const SERVER = process.env.CARILLON_TEST_POSTGRES;

async function emptyServer(url: string): Promise<{ port: StorePort; close: () => Promise<void> }> {
  const port = openDatabase(url, vault, (error) => {
    throw error;
  });
  const lease = await port.connection.lease();
  await lease.exec('DROP SCHEMA public CASCADE; CREATE SCHEMA public;');
  await lease.release(false);
  return { port, close: () => port.connection.close() };
}

/** PGlite has one session: writers take turns, and readers wait for them, or they would read inside. */
function pgliteConnection(client: PGlite): Connection {
  const turn = createTurns();
  const db = drizzle(client) as unknown as Handle;
  return {
    dialect: 'pg',
    reader: db,
    lease: async () => {
      const endTurn = await turn();
      return {
        db,
        exec: async (sqlText) => void (await client.exec(sqlText)),
        release: async (broken) => {
          if (broken) await client.exec('ROLLBACK');
          endTurn();
        },
      };
    },
    close: async () => undefined,
  };
}

export async function openTestDatabase(dialect: DialectName): Promise<TestDatabase> {
  const { port, close } = dialect === 'sqlite' ? emptySqlite() : await emptyPg();
  await migrate(port, readMigrations(dialect), 0);
  return { port, store: createStore(port), close };
}

export const dialects: readonly DialectName[] = ['sqlite', 'pg'];
