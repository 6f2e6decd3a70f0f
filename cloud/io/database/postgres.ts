import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Connection, Handle } from '#cloud/store/index.ts';
import { isConnectionLoss } from './storage-fault.ts';

/** The number of connections, and how long one may be silent under a query before it counts as dead, ms. */
interface PostgresUse {
  readonly connections: number;
  readonly silentMs: number;
}

/** Work of every kind: a server that is slow is waited for, and ends a statement after 5 s itself. */
const EVERY_USE: PostgresUse = { connections: 10, silentMs: 10_000 };

/**
 * Leases of shards: a renewal waits for no other work, and a lease that is to be taken at most for the 5 s of a statement.
 * `Chosen:` three, for a renewal, an order and the work of a stop go on at once.
 */
export const LEASE_USE: PostgresUse = { connections: 3, silentMs: 6_000 };

/** A transaction begins without waiting for a lock or the disk: a connection that is silent for so long is half-open. */
const BEGIN_MS = 3_000;

/**
 * Sent with the start of each session: the server ends that of a machine that has vanished, so that its locks and its place are
 * free again. An answer that cannot be delivered counts as well, which no timeout of a statement ends.
 */
const VANISHED = [
  'tcp_keepalives_idle=5',
  'tcp_keepalives_interval=2',
  'tcp_keepalives_count=3',
  'tcp_user_timeout=10000',
]
  .map((setting) => `-c ${setting}`)
  .join(' ');

/** Until the kernel asks the other side of an idle connection whether it is there; it asks ten times, 1 s apart. */
export const KEEPALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 5_000 } as const;

/** A migration may take hours. The kernel asks meanwhile whether the other side is there, and ends a connection where it is not. */
const PATIENT_MS = 86_400_000;

const LAST_MESSAGE_MS = 1_000;

/** Ends a connection; one that is half-open hears no farewell, and is dropped. */
export async function farewell(client: pg.Client): Promise<void> {
  const late = setTimeout(() => client.connection.stream.destroy(), LAST_MESSAGE_MS);
  await client.end().catch(() => undefined);
  clearTimeout(late);
}

/** The words of the driver for a query without an answer in time. Its connection stays open, and answers nothing that follows. */
const isSilence = (thrown: unknown): boolean =>
  thrown instanceof Error && thrown.message === 'Query read timeout';

/** Whether the connection ended under a query, or is silent: nothing that follows is answered on it. */
const isLost = (thrown: unknown): boolean =>
  isSilence(thrown) || (thrown instanceof Error && isConnectionLoss(thrown));

/**
 * A pool for `postgres://…`; each transaction and each read borrows one client. A read whose connection is lost is sent once more, on
 * another one: it changes nothing. So is the begin of a transaction, and nothing behind it: the server may have committed that.
 *
 * A connection may be half-open: a firewall or a machine forgot it, and no word of its end arrives. The kernel repeats what was
 * sent for a quarter of an hour. Silence under a query therefore ends the connection, and all that are idle with it: they take
 * the same road, and each of them would cost the same wait. A connection that ends under a query takes the idle ones with it, too: a
 * server that was started again has ended all of them, and the news may still be on its way.
 */
export function openPostgres(
  url: string,
  onIdleError: (error: Error) => void,
  { connections, silentMs } = EVERY_USE,
): Connection {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    statement_timeout: 5_000,
    // A process that hangs inside a transaction holds its locks no longer: others wait for them to take its shards.
    idle_in_transaction_session_timeout: 3_000,
    connectionTimeoutMillis: 5_000,
    query_timeout: silentMs,
    options: VANISHED,
    ...KEEPALIVE,
  });
  // Without a listener the pool turns the loss of an idle connection into an uncaught exception.
  pool.on('error', (error, client) => {
    if (!dropped.has(client)) onIdleError(error);
  });
  // The same holds for a connection that is in use: its next statement fails, and says why.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  const idle = new Set<pg.PoolClient>();
  // This program ends them itself: their end is no error.
  const dropped = new WeakSet<pg.PoolClient>();
  function drop(client: pg.PoolClient): void {
    dropped.add(client);
    streamOf(client).destroy();
  }
  pool.on('acquire', (client) => void idle.delete(client));
  pool.on('remove', (client) => void idle.delete(client));
  pool.on('release', (reason: unknown, client) => {
    if (!reason) idle.add(client);
    // `true`: its transaction took longer than any may, and nothing says whether the server did.
    else if (reason === true || isLost(reason)) for (const each of idle) drop(each);
  });
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
  /** A connection that stands: the pool hears a moment later of an idle one that was dropped, and would give it out. */
  async function connected(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await pool.connect();
      if (!streamOf(client).destroyed) return client;
      client.release(new Error('the connection was dropped while it was idle'));
    }
  }
  async function read<Result>(query: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    for (let isAgain = false; ; isAgain = true) {
      const client = await connected();
      try {
        const result = await query(client);
        client.release();
        return result;
      } catch (thrown) {
        client.release(thrown instanceof Error ? thrown : true);
        if (isAgain || !isLost(thrown)) throw thrown;
      }
    }
  }
  // All that drizzle asks of a connection outside transactions.
  const reading = {
    query: (text: pg.QueryConfig, values?: unknown[]) => read((client) => client.query(text, values)),
  };
  return {
    dialect: 'pg',
    reader: drizzle(reading as unknown as pg.Pool) as unknown as Handle,
    // A text that has a name is parsed once per connection; there are as many as `preparedRows` has uses.
    rows: async (text, values) =>
      (await read((client) => client.query<unknown[]>(named(text), [...values]))).rows,
    lease: async () => {
      let client: pg.PoolClient | undefined = await connected();
      let isOver = false;
      const held = (): pg.PoolClient => {
        if (client === undefined) throw new Error('the connection of this transaction was lost');
        return client;
      };
      const giveBack = (reason: Error | boolean): void => {
        client?.release(reason);
        client = undefined;
      };
      /** A begin whose connection is lost is sent once more, on another one: nothing of the transaction was sent. */
      async function begin(sqlText: string): Promise<void> {
        for (let isAgain = false; ; isAgain = true) {
          try {
            await held().query(within(sqlText, BEGIN_MS));
            return;
          } catch (thrown) {
            if (!(thrown instanceof Error) || !isLost(thrown)) throw thrown;
            giveBack(thrown);
            if (isAgain || isOver) throw thrown;
            client = await connected();
            if (isOver) giveBack(false);
          }
        }
      }
      return {
        get db() {
          return handleOf(held());
        },
        rows: async (text, values) => (await held().query<unknown[]>(named(text), [...values])).rows,
        exec: async (sqlText, patience) => {
          if (sqlText.startsWith('BEGIN')) return await begin(sqlText);
          await held()
            .query(within(sqlText, patience === undefined ? silentMs : PATIENT_MS))
            .catch((thrown: Error) => {
              if (isSilence(thrown)) giveBack(thrown);
              throw thrown;
            });
        },
        release: async (broken) => {
          isOver = true;
          giveBack(broken);
        },
      };
    },
    close: () => pool.end(),
  };
}

/** A query with a limit of its own, which the types of the driver leave out. */
const within = (text: string, silentMs: number): pg.QueryConfig & { readonly query_timeout: number } => ({
  text,
  query_timeout: silentMs,
});

/** The socket of a client: every client that the pool makes has one, which its type leaves out. */
const streamOf = (client: pg.PoolClient): { readonly destroy: () => unknown; readonly destroyed?: boolean } =>
  (client as unknown as pg.Client).connection.stream;
