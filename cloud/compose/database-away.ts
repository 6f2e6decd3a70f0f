import { setTimeout as wait } from 'node:timers/promises';
import type { CloudConfig } from '../config.ts';
import { DatabaseInRecovery, isPostgres, storageFault } from '../io/database/index.ts';
import type { Log } from '../io/log/index.ts';
import { machineClock } from './infrastructure.ts';

/**
 * Chosen: a start waits so long for PostgreSQL, ms: far less than the unit gives a start. A machine that comes back after a power
 * cut may be there before its database, and a unit that fails quickly several times is not started again.
 */
const AWAY_MS = 60_000;
const AGAIN_MS = 2_000;

/** Starts again while the database cannot be used. Throws what else hinders a start, and one sentence when it stays away. */
export async function whenDatabaseIsThere<T>(
  { database }: Pick<CloudConfig, 'database'>,
  log: Log,
  start: () => Promise<T>,
  forMs = AWAY_MS,
): Promise<T> {
  const untilMs = machineClock.monoMs() + forMs;
  for (;;) {
    try {
      return await start();
    } catch (cause) {
      if (!isPostgres(database) || storageFault(cause)?.code !== 'storageUnavailable') throw cause;
      const reason = innermost(cause);
      log('warn', 'database.connection_lost', 'Lost a connection to the database', { reason });
      if (machineClock.monoMs() > untilMs)
        throw new Error(
          `The database of CARILLON_DATABASE cannot be used: ${reason}. ${cause instanceof DatabaseInRecovery ? 'Promote it, or name the primary server' : 'Start it, or correct its address'}.`,
          { cause },
        );
    }
    await wait(AGAIN_MS);
  }
}

/** The first cause: query builders put the text of a query before it. */
function innermost(thrown: unknown): string {
  let cause = thrown;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  // A name with several addresses fails with one error for each, and has no words of its own.
  if (cause instanceof AggregateError) return cause.errors.map(String).join(', ');
  return cause instanceof Error ? cause.message : String(cause);
}
