import { max } from 'drizzle-orm';
import type { Store } from '../sql/store.ts';
import { sealedBy } from './seal-stored.ts';
import { placeOf } from './sealed-place.ts';
import { digestOf, rowsOf, type TableDigest, type TableKey, tablesByName } from './table-walk.ts';

export interface DatabaseReport {
  readonly tables: readonly ({ readonly table: string } & TableDigest)[];
  /** One sentence each; empty = sound. */
  readonly faults: readonly string[];
}

/** Reads everything once: counts and hashes, whether every secret opens with this key, and whether revisions hold. */
export async function checkDatabase(store: Store, sha256: (text: string) => string): Promise<DatabaseReport> {
  const names = [...tablesByName(store)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const tables: DatabaseReport['tables'][number][] = [];
  const faults: string[] = [];
  if ((await sealedBy(store)) !== store.seal.keyName)
    faults.push('secrets are not sealed with this key; start the cloud once, or put the right key in place');
  for (const [name, table] of names) {
    tables.push({ table: name, ...(await digestOf(store, table, sha256)) });
    const closed = await closedBodies(store, table);
    if (closed > 0) faults.push(`${name}: ${closed} bodies hold secrets that do not open with this key`);
  }
  return { tables, faults: [...faults, ...(await revisionFaults(store))] };
}

async function closedBodies(store: Store, table: TableKey): Promise<number> {
  let closed = 0;
  for await (const rows of rowsOf(store, table))
    for (const row of rows) {
      const place = placeOf(store, table, row);
      if (place === undefined) break;
      try {
        store.seal.opened(place, row.body);
      } catch {
        closed += 1;
      }
    }
  return closed;
}

/** A counter behind its changes would give a number twice, and sites would miss what came second. */
async function revisionFaults({ db, tables }: Store): Promise<string[]> {
  const { configChange: change, scopeRevision } = tables;
  const newest = await db
    .select({ scope: change.scope, owner: change.owner, rev: max(change.rev) })
    .from(change)
    .groupBy(change.scope, change.owner);
  const counters = new Map(
    (await db.select().from(scopeRevision)).map(({ scope, owner, rev }) => [`${scope} ${owner}`, rev]),
  );
  return newest
    .filter(({ scope, owner, rev }) => (counters.get(`${scope} ${owner}`) ?? 0) < (rev ?? 0))
    .map(({ scope, owner, rev }) => `the counter of ${scope} ${owner} is behind its change ${rev}`);
}
