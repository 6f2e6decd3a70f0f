import { liveReplicas } from '../site/replica.ts';
import type { StorePort } from '../sql/connection.ts';
import { createStore } from '../sql/store.ts';
import { isExpanding, type Migration, pendingMigrations } from './migration.ts';

/** A replica that was killed lives in its row for as long as its lease, and a moment more by the clock of the database. */
const EARLIER_MS = 12_000;
const LOOK_MS = 500;

/** The table of replicas came with it. */
const REPLICAS = '1110-replica';

export interface EarlierVersions {
  readonly monoMs: () => number;
  readonly wait: (ms: number) => Promise<unknown>;
}

/**
 * Before a migration that an earlier version cannot work with: waits until no process of an earlier version lives on the database,
 * and throws one sentence where one goes on. Migrations that only add run beside them (control plane, section 11).
 */
export async function awaitEarlierVersions(
  database: StorePort,
  files: readonly Migration[],
  { monoMs, wait }: EarlierVersions,
): Promise<void> {
  const pending = await pendingMigrations(database, files, { onLater: () => undefined });
  const changing = pending.filter((name) => !isExpanding(name));
  if (changing.length === 0 || pending.includes(REPLICAS)) return;
  const store = createStore(database);
  for (const untilMs = monoMs() + EARLIER_MS; ; await wait(LOOK_MS)) {
    const { length } = await liveReplicas(store);
    if (length === 0) return;
    if (monoMs() > untilMs)
      throw new Error(
        `Processes of an earlier version (${length}) still work on this database, and ${changing.join(', ')} would change it in a way that they cannot follow. Stop them, then start this version.`,
      );
  }
}
