import {
  type Compacted,
  compactChanges,
  lastRevisionBefore,
  type ScopeRevision,
  scopesAfter,
} from '../store/index.ts';
import { DELTA_DAYS_MS, DELTA_REVISIONS } from './manifest.ts';
import type { FeedPort } from './port.ts';

/** Scopes, and entities of one, that are looked at between two breaths. */
const SCOPES_AT_ONCE = 100;
const ENTITIES_AT_ONCE = 200;

/**
 * Forgets changes that no delta can name any more (control plane, section 4: 30 days, at most 5,000 revisions): whoever is
 * further behind gets a snapshot, which needs the last change of each row only. Gives how many were removed.
 */
export async function compactScopes({
  store,
  nowMs,
  breathe,
}: Pick<FeedPort, 'store' | 'nowMs' | 'breathe'>): Promise<number> {
  let removed = 0;
  for (let after: ScopeRevision | undefined; ; ) {
    const scopes = await scopesAfter(store, after, SCOPES_AT_ONCE);
    for (const scopeRevision of scopes) {
      const { scope, owner, rev } = scopeRevision;
      const old = await lastRevisionBefore(store, scope, owner, nowMs() - DELTA_DAYS_MS);
      const upTo = Math.max(old, rev - DELTA_REVISIONS);
      for (let place: Compacted['next']; upTo > 0; ) {
        const from = place;
        const done = await store.withTx((tx) =>
          compactChanges(tx, scopeRevision, upTo, from, ENTITIES_AT_ONCE),
        );
        removed += done.removed;
        place = done.next;
        await breathe();
        if (place === undefined) break;
      }
    }
    after = scopes.at(-1);
    if (scopes.length < SCOPES_AT_ONCE) return removed;
    await breathe();
  }
}
