import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import pg from 'pg';
import { createTurns, openDatabase, readMigrations, storePort } from '#cloud/io/database/index.ts';
import { openVault } from '#cloud/io/key/index.ts';
import type { Connection, DialectName, Handle, Store, StorePort } from '#cloud/store/index.ts';
import { changesSince, createStore, migrate } from '#cloud/store/index.ts';

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

/** A busy machine takes its time: the limit of a transaction is for what hangs. */
const patient = (port: StorePort): StorePort => ({
  ...port,
  startTimer: (ms, fire) => port.startTimer(12 * ms, fire),
});

/** A port on a new SQLite file: not migrated, or with this content. */
export function emptySqlite(content?: Uint8Array): {
  port: StorePort;
  folder: string;
  close: () => Promise<void>;
} {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-store-'));
  if (content !== undefined) writeFileSync(join(folder, 'cloud.db'), content);
  const port = patient(
    openDatabase(`sqlite:${join(folder, 'cloud.db')}`, vault, (error) => {
      throw error;
    }),
  );
  return {
    port,
    folder,
    close: async () => {
      await port.connection.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Free instances of PGlite: each takes seconds and much memory to start, so they are emptied and used again. */
const free: PGlite[] = [];

const EMPTY = 'DROP SCHEMA public CASCADE; CREATE SCHEMA public;';

/** A port on an emptied PostgreSQL of its own. */
export async function emptyPg(): Promise<{ port: StorePort; close: () => Promise<void> }> {
  const server = process.env.TEST_POSTGRES;
  if (server !== undefined) return await onServer(server);
  const client = free.pop() ?? (await PGlite.create());
  await client.exec(EMPTY);
  return { port: storePort(pgliteConnection(client), vault), close: async () => void free.push(client) };
}

/** A real server instead of PGlite: `TEST_POSTGRES` names one on which databases may be made; whoever started it drops them. */
async function onServer(url: string, template = 'template1') {
  const name = `carillon_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  await admin.end();
  let isClosed = false;
  const port = patient(
    openDatabase(own.href, vault, (error) => {
      // The server may end a connection that is being closed.
      if (!isClosed) throw error;
    }),
  );
  const close = async () => {
    isClosed = true;
    await port.connection.close();
  };
  return { name, port, close };
}

/** By server: the name of a database whose tables are made already. Copying it takes a tenth of its migrations. */
const templates = new Map<string, Promise<string>>();

async function migratedOnServer(url: string): Promise<{ port: StorePort; close: () => Promise<void> }> {
  const template = templates.get(url) ?? makeTemplate(url);
  templates.set(url, template);
  return await onServer(url, await template);
}

async function makeTemplate(url: string): Promise<string> {
  const { name, port, close } = await onServer(url);
  await migrate(port, readMigrations('pg'), 0);
  await close();
  return name;
}

/** PGlite has one session: writers take turns, and readers wait for them, or they would read inside. */
function pgliteConnection(client: PGlite): Connection {
  const turn = createTurns();
  const db = drizzle(client) as unknown as Handle;
  const rows: Connection['rows'] = async (text, values) =>
    (await client.query<unknown[]>(text, [...values], { rowMode: 'array' })).rows;
  return {
    dialect: 'pg',
    reader: db,
    rows,
    lease: async () => {
      const endTurn = await turn();
      return {
        db,
        rows,
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
  const { port, close } = dialect === 'sqlite' ? await migratedSqlite() : await migratedPg();
  return { port, store: createStore(port), close };
}

/** A file whose tables are made already: a copy takes a tenth of its migrations. */
let migratedFile: Promise<Uint8Array> | undefined;

async function migratedSqlite() {
  migratedFile ??= makeFile();
  return emptySqlite(await migratedFile);
}

async function makeFile(): Promise<Uint8Array> {
  const { port, folder, close } = emptySqlite();
  await migrate(port, readMigrations('sqlite'), 0);
  // The file has all of it once its log is folded in, which the last connection does.
  await port.connection.close();
  const content = readFileSync(join(folder, 'cloud.db'));
  await close();
  return content;
}

/** An instance whose tables are there already, and which of them migrations filled. */
interface Migrated {
  readonly client: PGlite;
  readonly tables: string;
  readonly filled: readonly string[];
}

/** Migrations take four times as long as emptying what they made: most tests get the tables of the one before. */
const migrated: Migrated[] = [];

async function migratedPg(): Promise<{ port: StorePort; close: () => Promise<void> }> {
  const server = process.env.TEST_POSTGRES;
  if (server !== undefined) return await migratedOnServer(server);
  const used = migrated.pop();
  if (used !== undefined && (await tablesOf(used.client)) === used.tables) {
    const emptied = used.tables.split(' ').filter((name) => !used.filled.includes(name));
    await used.client.exec(`TRUNCATE ${emptied.map((name) => `"${name}"`).join(', ')} RESTART IDENTITY`);
    return portOf(used);
  }
  const client = used?.client ?? free.pop() ?? (await PGlite.create());
  await client.exec(EMPTY);
  await migrate(storePort(pgliteConnection(client), vault), readMigrations('pg'), 0);
  const tables = await tablesOf(client);
  const filled: string[] = [];
  for (const name of tables.split(' '))
    if ((await client.query(`SELECT 1 FROM "${name}" LIMIT 1`)).rows.length > 0) filled.push(name);
  return portOf({ client, tables, filled });
}

const portOf = (made: Migrated) => ({
  port: storePort(pgliteConnection(made.client), vault),
  close: async () => void migrated.push(made),
});

/** A test may take one away to see what happens. */
async function tablesOf(client: PGlite): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
      AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname`,
  );
  return rows.map(({ name }) => name).join(' ');
}

/** The dialect of suites that are the same on both: SQLite, unless the file that runs them says otherwise. */
export const suiteDialect = (): DialectName => (process.env.TEST_DIALECT === 'pg' ? 'pg' : 'sqlite');

/**
 * The dialects of a suite that runs on each. `npm test` has SQLite; the suites of PostgreSQL run on a real server
 * (`test/peers`). `TEST_LONG` adds PGlite, for a machine without one.
 */
export const dialects: readonly DialectName[] =
  suiteDialect() === 'pg' ? ['pg'] : process.env.TEST_LONG === undefined ? ['sqlite'] : ['sqlite', 'pg'];

/** `changesSince` without the random text that stands beside the secrets of each change. */
export async function changesMade(...asked: Parameters<typeof changesSince>) {
  const rows = await changesSince(...asked);
  return rows.map((row) => {
    const { hashSalt, ...body } = (row.body ?? {}) as Record<string, unknown>;
    return { ...row, body: row.body === null ? null : body };
  });
}
