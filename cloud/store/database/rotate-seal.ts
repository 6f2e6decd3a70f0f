import { mapSecrets } from '#shared/contract/provisioning/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { type Actor, recordAudit } from '../change/audit.ts';
import { checkIdle } from '../site/shard-lease.ts';
import { isSealed } from '../sql/body-seal.ts';
import type { StorePort } from '../sql/connection.ts';
import type { Store, Tx } from '../sql/store.ts';
import { rewriteRows } from './row-rewrite.ts';
import { forget, sealedBy } from './seal-stored.ts';
import { placeOf, SEALED_COLUMNS } from './sealed-place.ts';
import { type Row, type TableKey, tablesByName } from './table-walk.ts';

/** A change from one key-encryption key to another (`cloud/io/key`). */
export interface SealRotation {
  readonly before: string;
  readonly after: string;
  /** The sealed text under the new key; itself where it is already. */
  readonly rewrapped: (sealed: string, place: string) => string;
}

/**
 * Brings everything that is sealed in the database from one key-encryption key to another: data keys are wrapped again, no
 * secret is opened. Batches commit one by one and finished rows are left alone, so an interrupted rotation is simply run again.
 * Gives the number of rows written by this run. Fails with `running` while a control plane works on the database: it would go
 * on sealing with the old key.
 */
export async function rotateSeal(
  port: StorePort,
  store: Store,
  rotation: SealRotation,
  actor: Actor,
): Promise<Result<number>> {
  const idle = await checkIdle(store, actor.at);
  if (!idle.ok) return idle;
  const known = await sealedBy(store);
  if (known !== undefined && known !== rotation.before && known !== rotation.after)
    return fail(
      'foreignKey',
      `The database is sealed with the vault key ${known}, and the key given is ${rotation.before}: give the one that sealed it.`,
    );
  let rows = 0;
  for (const table of tablesByName(store).values())
    rows += await rewriteRows(store, table, (tx, row) => rewrapped(tx, table, row, rotation.rewrapped));
  if (rows > 0) await forget(port);
  await store.withTx((tx) => note(tx, rotation, actor, rows));
  return ok(rows);
}

function rewrapped(tx: Tx, table: TableKey, row: Row, rewrap: SealRotation['rewrapped']): Row | undefined {
  const whole = SEALED_COLUMNS[table];
  if (whole !== undefined) {
    const before = String(row[whole.column]);
    const after = rewrap(before, whole.place(row));
    return after === before ? undefined : { [whole.column]: after };
  }
  const place = placeOf(tx, table, row);
  if (place === undefined) return undefined;
  const name = tx.seal.nameOf(place);
  const body = mapSecrets(row.body, (value) => (isSealed(value) ? rewrap(value, name) : value));
  return body === row.body ? undefined : { body };
}

/** Says in the database which key it is sealed with from now on, and in the platform's audit who did it; once. */
async function note(tx: Tx, { before, after }: SealRotation, actor: Actor, rows: number): Promise<void> {
  if ((await sealedBy(tx)) === after) return;
  const { sealing } = tx.tables;
  await tx.db
    .insert(sealing)
    .values({ one: 1, keyName: after, at: actor.at })
    .onConflictDoUpdate({ target: sealing.one, set: { keyName: after, at: actor.at } });
  await recordAudit(tx, actor, {
    tenant: '',
    action: 'rotate',
    entity: 'vaultkey',
    entityId: after,
    detail: { before, after, rows },
  });
}
