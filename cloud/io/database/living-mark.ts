import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { farewell, KEEPALIVE } from './postgres.ts';

/** The first number of the advisory locks that say that an installation works on this server; any constant of no other program. */
const LIVING = 716_253_002;

/** `sole`: this process serves the installation alone. `shared`: others may serve it, too. */
export type Living = 'sole' | 'shared';

/**
 * Chosen: the server ends the session of a machine that lost its power after 5 s and three probes, 2 s apart; a new process
 * waits a little longer than that for the one before it.
 */
const SESSION =
  'SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3; SET idle_session_timeout = 0';
/** A server that does not answer fails. */
const LIMITS = {
  statement_timeout: 5_000,
  query_timeout: 6_000,
  connectionTimeoutMillis: 5_000,
  ...KEEPALIVE,
};
const TAKE_MS = 15_000;
const AGAIN_MS = 500;

const TAKE: Readonly<Record<Living, string>> = {
  sole: 'SELECT pg_try_advisory_lock($1, $2) AS got',
  shared: 'SELECT pg_try_advisory_lock_shared($1, $2) AS got',
};

/** The second number: of the name of the installation, 31 bits, since an oid has no sign. */
const numberOf = (installation: string): number =>
  createHash('sha256').update(installation).digest().readUInt32BE(0) & 0x7fff_ffff;

/** Locks of all databases of a server are in one view, whoever looks (PostgreSQL manual, pg_locks). */
const HELD = `SELECT 1 AS one FROM pg_locks WHERE locktype = 'advisory' AND granted
  AND classid = ${LIVING} AND objid = $1 AND objsubid = 2 LIMIT 1`;

/** The first of these installations that works on the server of this address now, in whichever database. */
export async function livingOnServer(
  url: string,
  installations: readonly string[],
): Promise<string | undefined> {
  if (installations.length === 0) return undefined;
  const client = new pg.Client({ connectionString: url, ...LIMITS });
  await client.connect();
  try {
    for (const installation of installations)
      if ((await client.query(HELD, [numberOf(installation)])).rows.length > 0) return installation;
    return undefined;
  } finally {
    await client.end();
  }
}

/**
 * Says to everybody on the server that this installation works, as long as this process has a connection: a lock of the
 * session. A lost connection is opened again, and the lock taken as soon as it is free. Gives the function that ends it;
 * undefined = other processes serve the installation, and it or they must be alone.
 */
export async function markLiving(
  url: string,
  installation: string,
  living: Living,
): Promise<(() => Promise<void>) | undefined> {
  let isEnded = false;
  let client: pg.Client | undefined;
  let again: NodeJS.Timeout | undefined;
  async function hold(forMs: number): Promise<boolean> {
    const made = new pg.Client({ connectionString: url, ...LIMITS });
    made.on('error', () => undefined);
    try {
      await made.connect();
      await made.query(SESSION);
      if ((await taken(made, installation, living, forMs)) && !isEnded) {
        made.on('end', later);
        client = made;
        return true;
      }
    } catch (cause) {
      made.connection.stream.destroy();
      throw cause;
    }
    await farewell(made);
    return false;
  }
  function later(): void {
    if (isEnded || again !== undefined) return;
    again = setTimeout(() => {
      again = undefined;
      hold(0).then((got) => got || later(), later);
    }, AGAIN_MS).unref();
  }
  if (!(await hold(TAKE_MS))) return undefined;
  return async () => {
    isEnded = true;
    clearTimeout(again);
    if (client !== undefined) await farewell(client);
  };
}

async function taken(client: pg.Client, installation: string, living: Living, forMs: number) {
  const untilMs = performance.now() + forMs;
  for (;;) {
    const { rows } = await client.query<{ got: boolean }>(TAKE[living], [LIVING, numberOf(installation)]);
    if (rows[0]?.got === true) return true;
    if (performance.now() >= untilMs) return false;
    await wait(AGAIN_MS);
  }
}
