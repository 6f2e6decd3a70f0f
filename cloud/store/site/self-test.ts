import { eq } from 'drizzle-orm';
import type { HostSelfTest } from '#shared/contract/feed/index.ts';
import type { Reader, Tx } from '../sql/store.ts';

/** The record of a host takes the place of the one before. */
export async function putSelfTest(tx: Tx, uid: string, record: HostSelfTest): Promise<void> {
  const t = tx.tables.hostSelfTest;
  await tx.db.insert(t).values({ uid, record }).onConflictDoUpdate({ target: t.uid, set: { record } });
}

/** Undefined: this host has sent none yet. */
export async function readSelfTest(from: Reader, uid: string): Promise<HostSelfTest | undefined> {
  const t = from.tables.hostSelfTest;
  const [row] = await from.db.select().from(t).where(eq(t.uid, uid));
  return row?.record;
}
