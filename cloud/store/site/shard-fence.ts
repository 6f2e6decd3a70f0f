import { eq } from 'drizzle-orm';
import { given, prepared } from '../sql/prepared.ts';
import { type Store, storeWith, type Tx } from '../sql/store.ts';
import type { ShardTerm } from './shard-lease.ts';

/** Another replica owns the shard by now: the view of this one on its hosts is old. */
export class LeaseLost extends Error {}

const lockOf = prepared(({ db, dialect, tables: { shardLease: t } }) =>
  db
    .select({ locked: dialect.lockShard('shared', t.sh) ?? t.sh })
    .from(t)
    .where(eq(t.sh, given('sh'))),
);

const termOf = prepared(({ db, tables: { shardLease: t } }) =>
  db
    .select({ owner: t.owner, epoch: t.epoch })
    .from(t)
    .where(eq(t.sh, given('sh'))),
);

/**
 * Throws `LeaseLost` unless this term stands, and keeps it standing until the transaction ends. The lock comes first and
 * in a statement of its own: one that waits for a take-over must read the row behind it.
 */
async function checkTerm(tx: Tx, { sh, owner, epoch }: ShardTerm): Promise<void> {
  if (!tx.dialect.singleWriter) await lockOf(tx, { sh });
  const [row] = await termOf(tx, { sh });
  if (row?.owner !== owner || row.epoch !== epoch)
    throw new LeaseLost(`another control plane has taken over the hosts of shard ${sh}`);
}

/**
 * The store of the owner of a shard: a transaction of one that was replaced (it hung, and its lease ran out) leaves nothing,
 * whatever it believed when it began. Throws `LeaseLost`.
 */
export const fencedStore = (store: Store, term: ShardTerm): Store =>
  storeWith(store, {
    withTx: (work) =>
      store.withTx(async (tx) => {
        await checkTerm(tx, term);
        return await work(tx);
      }),
  });
