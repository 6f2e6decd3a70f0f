import { and, asc, count, eq, lt, lte, max, sql } from 'drizzle-orm';
import type { Scope } from '../schema/core-tables.ts';
import type { Reader, Tx } from '../sql/store.ts';
import type { ChangeRow } from './change.ts';

/** A scope with its owner, and its latest revision. */
export interface ScopeRevision {
  readonly scope: Scope;
  readonly owner: string;
  readonly rev: number;
}

/** Scopes in order of name, those after this one. */
export async function scopesAfter(
  from: Reader,
  after: Pick<ScopeRevision, 'scope' | 'owner'> | undefined,
  limit: number,
): Promise<ScopeRevision[]> {
  const t = from.tables.scopeRevision;
  const behind = after && sql`(${t.scope}, ${t.owner}) > (${after.scope}, ${after.owner})`;
  return await from.db
    .select({ scope: t.scope, owner: t.owner, rev: t.rev })
    .from(t)
    .where(behind)
    .orderBy(asc(t.scope), asc(t.owner))
    .limit(limit);
}

/** The newest revision of a scope that was taken before this moment; 0 = none. */
export async function lastRevisionBefore(
  from: Reader,
  scope: Scope,
  owner: string,
  atMs: number,
): Promise<number> {
  const t = from.tables.configChange;
  const [row] = await from.db
    .select({ rev: max(t.rev) })
    .from(t)
    .where(and(eq(t.scope, scope), eq(t.owner, owner), lt(t.at, atMs)));
  return row?.rev ?? 0;
}

/** The result of one look at some entities. */
export interface Compacted {
  readonly removed: number;
  /** Where to go on; undefined = that were all. */
  readonly next: Pick<ChangeRow, 'entity' | 'id'> | undefined;
}

/**
 * Removes, of the next `limit` entities of a scope, the changes up to revision `upTo` that a later one has replaced, and
 * deletions that nothing is left of. The remaining changes give the same rows as before for every revision above `upTo`.
 * Changes that allow much to be removed stay: a host that was away for long must still hear of them.
 */
export async function compactChanges(
  tx: Tx,
  { scope, owner }: Pick<ScopeRevision, 'scope' | 'owner'>,
  upTo: number,
  after: Pick<ChangeRow, 'entity' | 'id'> | undefined,
  limit: number,
): Promise<Compacted> {
  const t = tx.tables.configChange;
  const behind = after && sql`(${t.entity}, ${t.id}) > (${after.entity}, ${after.id})`;
  const entities = await tx.db
    .select({ entity: t.entity, id: t.id, last: max(t.rev), rows: count() })
    .from(t)
    .where(and(eq(t.scope, scope), eq(t.owner, owner), behind))
    .groupBy(t.entity, t.id)
    .orderBy(asc(t.entity), asc(t.id))
    .limit(limit);
  let removed = 0;
  for (const { entity, id, last, rows } of entities) {
    const alone = rows === 1;
    if (last === null || (alone && last > upTo)) continue;
    const old = and(
      eq(t.scope, scope),
      eq(t.owner, owner),
      eq(t.entity, entity),
      eq(t.id, id),
      lte(t.rev, upTo),
      eq(t.massChange, false),
      // A deletion goes when it is all that is left; before, it would let an older row come to life again.
      alone ? eq(t.op, 'delete') : lt(t.rev, last),
    );
    const deleted = await tx.db.delete(t).where(old).returning({ rev: t.rev });
    removed += deleted.length;
  }
  const end = entities.at(-1);
  return { removed, next: entities.length < limit || end === undefined ? undefined : end };
}
