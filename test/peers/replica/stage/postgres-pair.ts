import pg from 'pg';
import type { Place } from '#test/bench/support/place.ts';
import { Wire } from '#test/campaign/replica/wire.ts';
import { type Postgres, startPostgres } from '../../support/postgres.ts';

/** A server and its standby behind one address. */
export interface PostgresPair extends Postgres {
  /** The standby by its own address: it takes no write until it is promoted. */
  readonly standbyUrl: string;
  /** Kills the server (kill -9), and gives its address to the standby. */
  readonly failOver: () => Promise<void>;
  /** The standby takes writes from now on. */
  readonly promote: () => Promise<void>;
}

/**
 * PostgreSQL with a synchronous standby: a commit is acknowledged when both have it on their disks. `url` is the address that the
 * standby takes over, as an operator would move a virtual address.
 */
export async function startPostgresPair(place: Place): Promise<PostgresPair> {
  const first = await place.keep(startPostgres('carillon', { synced: true }));
  const standby = await place.keep(startPostgres('carillon', { synced: true, standbyOf: first }));
  await asked(first.url, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await asked(first.url, 'SELECT pg_reload_conf()');
  await untilSynchronous(first.url);
  const address = await place.keep(Wire.open(portOf(first.url)));
  const url = new URL(first.url);
  url.port = String(address.port);
  return {
    ...first,
    url: url.href,
    standbyUrl: standby.url,
    failOver: async () => {
      await first.kill();
      address.turn(portOf(standby.url));
    },
    promote: async () => void (await asked(standby.url, 'SELECT pg_promote(true, 60)')),
  };
}

const portOf = (url: string): number => Number(new URL(url).port);

async function asked<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

async function untilSynchronous(url: string): Promise<void> {
  const untilMs = performance.now() + 30_000;
  for (;;) {
    const [row] = await asked<{ sync_state: string }>(url, 'SELECT sync_state FROM pg_stat_replication');
    if (row?.sync_state === 'sync') return;
    if (performance.now() > untilMs) throw new Error(`the standby is ${row?.sync_state ?? 'away'}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
