import { and, eq, gt, inArray, lte } from 'drizzle-orm';
import type { Store, Tx } from '../sql/store.ts';

/** A host fetches its pages in seconds; one that waited longer asks for the manifest again. */
const KEPT_MS = 10 * 60_000;
const MOST_REMEMBERED = 5_000;

/** Pages of manifests for hosts that ask another replica for them than the one that made them. */
export interface SharedPages {
  /** `audience`: scope and owner of the hosts that may have it. */
  readonly put: (sha256: string, audience: string, bytes: Uint8Array) => Promise<void>;
  /** Undefined: no replica made it lately for one of these audiences. */
  readonly get: (sha256: string, audiences: readonly string[]) => Promise<Uint8Array | undefined>;
}

export function createSharedPages(store: Store, nowMs: () => number): SharedPages {
  const { feedPage: t } = store.tables;
  /** End of each row that was written here: hosts of one tenant ask for the same pages one after the other. */
  const written = new Map<string, number>();
  return {
    put: async (sha256, audience, bytes) => {
      const key = `${sha256} ${audience}`;
      const now = nowMs();
      if ((written.get(key) ?? 0) > now + KEPT_MS / 2) return;
      const expiresAt = now + KEPT_MS;
      const row = { sha256, audience, bytes: Buffer.from(bytes).toString('base64'), expiresAt };
      await store.withTx(({ db }) =>
        db
          .insert(t)
          .values(row)
          .onConflictDoUpdate({ target: [t.sha256, t.audience], set: { expiresAt } }),
      );
      if (written.size >= MOST_REMEMBERED) written.clear();
      written.set(key, expiresAt);
    },
    get: async (sha256, audiences) => {
      const [row] = await store.db
        .select({ bytes: t.bytes })
        .from(t)
        .where(and(eq(t.sha256, sha256), inArray(t.audience, [...audiences]), gt(t.expiresAt, nowMs())))
        .limit(1);
      return row && new Uint8Array(Buffer.from(row.bytes, 'base64'));
    },
  };
}

export async function deleteOldPages(tx: Tx, nowMs: number): Promise<void> {
  const { feedPage } = tx.tables;
  await tx.db.delete(feedPage).where(lte(feedPage.expiresAt, nowMs));
}
