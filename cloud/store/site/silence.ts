import type { SilenceTally, SilenceVerdict } from '../schema/replica-tables.ts';
import { proposed } from '../sql/prepared.ts';
import type { Reader, Tx } from '../sql/store.ts';
import { ownedShards } from './shard-lease.ts';

export type { SilenceTally, SilenceVerdict };

type SilenceRow = Reader['tables']['silence']['$inferSelect'];

const THE_ONE = 'all';
const NONE: SilenceVerdict = { tenants: [], heard: {} };

/** Writes what a replica sees of the shards among these that it owns. */
export async function putSilence(
  tx: Tx,
  replica: string,
  n: number,
  tallies: ReadonlyMap<string, SilenceTally>,
): Promise<void> {
  const t = tx.tables.silence;
  const owned = (await ownedShards(tx, replica)).flatMap(({ sh }) => {
    const body = tallies.get(sh);
    return body === undefined ? [] : [{ sh, replica, n, body }];
  });
  if (owned.length === 0) return;
  await tx.db
    .insert(t)
    .values(owned)
    .onConflictDoUpdate({ target: t.sh, set: { replica, n, body: proposed(t.body) } });
}

/** Forgets the tallies of all: the hosts have one owner, who judges without them. */
export async function forgetSilence(tx: Tx): Promise<void> {
  await tx.db.delete(tx.tables.silence);
}

/** The last tally of every shard, and the last judgement. */
export async function readSilence(
  from: Reader,
): Promise<{ readonly rows: readonly SilenceRow[]; readonly verdict: SilenceVerdict }> {
  return { rows: await from.db.select().from(from.tables.silence), verdict: await readSilenceVerdict(from) };
}

export async function readSilenceVerdict({
  db,
  tables: { silenceVerdict: t },
}: Reader): Promise<SilenceVerdict> {
  const [row] = await db.select().from(t);
  return row?.body ?? NONE;
}

export async function putSilenceVerdict(tx: Tx, body: SilenceVerdict): Promise<void> {
  const t = tx.tables.silenceVerdict;
  await tx.db.insert(t).values({ id: THE_ONE, body }).onConflictDoUpdate({ target: t.id, set: { body } });
}
