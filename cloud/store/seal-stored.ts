import { and, asc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { BodyPlace } from './body-seal.ts';
import { changePlace } from './change.ts';
import { itemPlace } from './configuration-item.ts';
import type { StorePort } from './connection.ts';
import { devicePlace } from './device.ts';
import { settingsPlace } from './notification-settings.ts';
import type { Store, Tx } from './store.ts';

const BATCH = 500;

/** Tables that held secrets before there was a seal: key of a row, and the place of its body. */
const OLD_TABLES = {
  alarmBridge: {
    key: ['tenant', 'set', 'id'],
    place: (tx: Tx, row: Row) => itemPlace(tx, 'alarmBridge', row as never),
  },
  device: { key: ['tenant', 'id'], place: (_: Tx, row: Row) => devicePlace(row as never) },
  notificationSettings: { key: ['tenant'], place: (_: Tx, row: Row) => settingsPlace(String(row.tenant)) },
  configChange: {
    key: ['scope', 'owner', 'rev', 'entity', 'id'],
    place: (_: Tx, row: Row) => changePlace(row as never),
  },
} as const satisfies Record<string, { key: readonly string[]; place: (tx: Tx, row: Row) => BodyPlace }>;

type OldTable = keyof typeof OLD_TABLES;
type Row = Readonly<Record<string, unknown>>;

/**
 * Brings a database from before the seal to it, 500 rows a transaction; what was sealed before an interruption is sealed
 * anew. Gives the number of rows that held secrets. Throws when the database is sealed by another key than the one
 * given: then nothing in it could be opened, and the first to notice would be an alarm that cannot be signed.
 */
export async function sealStored(port: StorePort, store: Store, nowMs: number): Promise<number> {
  const { sealing } = store.tables;
  const { keyName } = store.seal;
  const known = await sealedBy(store);
  if (known !== undefined && known !== keyName)
    throw new Error(
      `The database is sealed with the key ${known}, and the key given is ${keyName}: put the right vault.key, credential or CARILLON_VAULT_KEY in place.`,
    );
  if (known !== undefined) return 0;
  let sealed = 0;
  for (const table of Object.keys(OLD_TABLES) as OldTable[]) sealed += await sealTable(store, table);
  if (sealed > 0) await forget(port);
  await store.withTx((tx) => tx.db.insert(sealing).values({ one: 1, keyName, at: nowMs }));
  return sealed;
}

/** Name of the key that sealed the bodies of this database; undefined = they are not sealed yet. */
export async function sealedBy({ db, tables: { sealing } }: Store): Promise<string | undefined> {
  const [row] = await db.select().from(sealing);
  return row?.keyName;
}

/** Rows that were replaced lie in free pages until those are used again: the file is written anew. */
async function forget({ connection }: StorePort): Promise<void> {
  const lease = await connection.lease();
  try {
    await lease.exec('VACUUM');
    if (connection.dialect === 'sqlite') await lease.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    await lease.release(false);
  }
}

async function sealTable(store: Store, table: OldTable): Promise<number> {
  let after: readonly unknown[] | undefined;
  let sealed = 0;
  do {
    const batch = await store.withTx((tx) => sealBatch(tx, table, after));
    after = batch.last;
    sealed += batch.sealed;
  } while (after !== undefined);
  return sealed;
}

async function sealBatch(tx: Tx, table: OldTable, after: readonly unknown[] | undefined) {
  const { key, place } = OLD_TABLES[table];
  const t = tx.tables[table] as Tx['tables']['device'];
  const columns = getTableColumns(t) as unknown as Record<string, typeof t.id>;
  const keyColumns = key.map((name) => columns[name] as typeof t.id);
  const list = (parts: readonly unknown[]): SQL =>
    sql`(${sql.join(
      parts.map((part) => sql`${part}`),
      sql`, `,
    )})`;
  const rows: Row[] = await tx.db
    .select()
    .from(t)
    .where(after && sql`${list(keyColumns)} > ${list(after)}`)
    .orderBy(...keyColumns.map((column) => asc(column)))
    .limit(BATCH);
  let sealed = 0;
  for (const row of rows) {
    const at = place(tx, row);
    const body = tx.seal.sealed(at, tx.seal.opened(at, row.body));
    if (body === row.body) continue;
    sealed += 1;
    const here = keyColumns.map((column, index) => eq(column, row[key[index] as string] as string));
    await tx.db
      .update(t)
      .set({ body: body as Record<string, unknown> })
      .where(and(...here));
  }
  const last = rows.length < BATCH ? undefined : rows.at(-1);
  return { sealed, last: last && key.map((name) => last[name]) };
}
