import type { StorePort } from '../sql/connection.ts';
import type { Reader, Store } from '../sql/store.ts';
import { rewriteRows } from './row-rewrite.ts';
import { placeOf } from './sealed-place.ts';

/** Tables that held secrets before there was a seal. */
const OLD_TABLES = ['alarmBridge', 'device', 'notificationSettings', 'configChange'] as const;

/**
 * Brings a database from before the seal to it, 500 rows a transaction; rows that were sealed before an interruption are sealed
 * again. Gives the number of rows that held secrets. Throws when the database is sealed by another key than the one given: then
 * nothing in it could be opened, and the first to notice would be an alarm that cannot be signed.
 */
export async function sealStored(port: StorePort, store: Store, nowMs: number): Promise<number> {
  const { sealing } = store.tables;
  const { keyName } = store.seal;
  if (isSealedWith(keyName, await sealedBy(store))) return 0;
  let sealed = 0;
  for (const table of OLD_TABLES)
    sealed += await rewriteRows(store, table, (tx, row) => {
      const place = placeOf(tx, table, row);
      const body = place && tx.seal.sealed(place, tx.seal.opened(place, row.body));
      return body === row.body ? undefined : { body };
    });
  if (sealed > 0) await forget(port);
  // Another process may have begun on the same empty database a moment ago, with a key of its own.
  await store.withTx((tx) =>
    tx.db.insert(sealing).values({ one: 1, keyName, at: nowMs }).onConflictDoNothing(),
  );
  isSealedWith(keyName, await sealedBy(store));
  return sealed;
}

/** False = not sealed yet. Throws when it is sealed with another key. */
function isSealedWith(keyName: string, known: string | undefined): boolean {
  if (known !== undefined && known !== keyName)
    throw new Error(
      `The database is sealed with the vault key ${known}, and the key given is ${keyName}: give the one that sealed it.`,
    );
  return known !== undefined;
}

/** Name of the key that sealed the bodies of this database; undefined = they are not sealed yet. */
export async function sealedBy({ db, tables: { sealing } }: Reader): Promise<string | undefined> {
  const [row] = await db.select().from(sealing);
  return row?.keyName;
}

/** Rows that were replaced lie in free pages until those are used again: the file is written again. */
export async function forget({ connection }: StorePort): Promise<void> {
  const lease = await connection.lease();
  try {
    await lease.exec('VACUUM');
    if (connection.dialect === 'sqlite') await lease.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    await lease.release(false);
  }
}
