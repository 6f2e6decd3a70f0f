import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Connection, Handle } from '#cloud/store/index.ts';

/** A pool for `postgres://…`; each transaction borrows one client, reads go through the pool. */
export function openPostgres(url: string, onIdleError: (error: Error) => void): Connection {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    statement_timeout: 5_000,
    // A process that hangs inside a transaction holds its locks no longer: others wait for them to take its shards.
    idle_in_transaction_session_timeout: 3_000,
    // A server that does not answer fails, and one that is slow is waited for.
    connectionTimeoutMillis: 5_000,
    query_timeout: 10_000,
    keepAlive: true,
  });
  // Without a listener the pool turns the loss of an idle connection into an uncaught exception.
  pool.on('error', onIdleError);
  // The same holds for a connection that is in use: its next statement fails, and says why.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  // One handle per client: queries are built once for each.
  const handles = new WeakMap<pg.PoolClient, Handle>();
  function handleOf(client: pg.PoolClient): Handle {
    const handle = handles.get(client) ?? (drizzle(client) as unknown as Handle);
    handles.set(client, handle);
    return handle;
  }
  const names = new Map<string, string>();
  function nameOf(text: string): string {
    const name = names.get(text) ?? `rows ${names.size}`;
    names.set(text, name);
    return name;
  }
  const named = (text: string) => ({ name: nameOf(text), text, rowMode: 'array' }) as const;
  return {
    dialect: 'pg',
    reader: drizzle(pool) as unknown as Handle,
    // A text that has a name is parsed once per connection; there are as many as `preparedRows` has uses.
    rows: async (text, values) => (await pool.query<unknown[]>(named(text), [...values])).rows,
    lease: async () => {
      const client = await pool.connect();
      return {
        db: handleOf(client),
        rows: async (text, values) => (await client.query<unknown[]>(named(text), [...values])).rows,
        exec: async (sqlText) => void (await client.query(sqlText)),
        release: async (broken) => client.release(broken),
      };
    },
    close: () => pool.end(),
  };
}
