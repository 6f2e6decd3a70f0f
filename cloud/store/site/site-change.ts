import { and, asc, eq, gt, lte, max, sql } from 'drizzle-orm';
import { type ChangeRow, openedChange } from '../change/change.ts';
import type { Scope } from '../schema/core-tables.ts';
import type { Reader } from '../sql/store.ts';

/** The newest change of every entity of a scope, as of revision `upTo`: to be joined with the changes themselves. */
function newest(from: Reader, scope: Scope, owner: string, upTo: number) {
  const t = from.tables.configChange;
  const ofScope = and(eq(t.scope, scope), eq(t.owner, owner), lte(t.rev, upTo));
  const last = from.db
    .select({ entity: t.entity, id: t.id, rev: max(t.rev).as('last_rev') })
    .from(t)
    .where(ofScope)
    .groupBy(t.entity, t.id)
    .as('last');
  const same = and(eq(last.entity, t.entity), eq(last.id, t.id), eq(last.rev, t.rev));
  return { last, same, there: and(ofScope, eq(t.op, 'put')) };
}

/**
 * The rows of a scope after revision `upTo`: the last put of every entity that was not deleted since, in order of
 * entity and id.
 */
export async function rowsOfScope(
  from: Reader,
  scope: Scope,
  owner: string,
  upTo: number,
): Promise<ChangeRow[]> {
  const t = from.tables.configChange;
  const { last, same, there } = newest(from, scope, owner, upTo);
  const rows = await from.db
    .select({ change: t })
    .from(t)
    .innerJoin(last, same)
    .where(there)
    .orderBy(asc(t.entity), asc(t.id));
  return rows.map(({ change }) => openedChange(from, change));
}

/** A place in the order of entities and ids. */
export interface EntityPlace {
  readonly entity: string;
  readonly id: string;
}

/**
 * As `newest`, of the next `limit` entities behind a place: one range of the index, however large the scope is. To be
 * joined crosswise, which tells SQLite to begin with it.
 */
function newestBehind(
  from: Reader,
  scope: Scope,
  owner: string,
  upTo: number,
  after: EntityPlace | undefined,
  limit: number,
) {
  const t = from.tables.configChange;
  // The plus keeps the planner from taking the range of revisions, which is the whole scope.
  const early = sql`+${t.rev} <= ${upTo}`;
  const behind = after && sql`(${t.entity}, ${t.id}) > (${after.entity}, ${after.id})`;
  const ofScope = and(eq(t.scope, scope), eq(t.owner, owner));
  const last = from.db
    .select({ entity: t.entity, id: t.id, rev: max(t.rev).as('last_rev') })
    .from(t)
    .where(and(ofScope, behind, early))
    .groupBy(t.entity, t.id)
    .orderBy(asc(t.entity), asc(t.id))
    .limit(limit)
    .as('last');
  return { last, same: and(ofScope, eq(last.entity, t.entity), eq(last.id, t.id), eq(last.rev, t.rev)) };
}

/**
 * One slice of what a scope consists of after revision `upTo`, in order of entity and id: the last change of each entity,
 * also of those that are deleted by then (`op`), so that a slice of fewer than `limit` is the last one.
 */
export async function scopeSlice(
  from: Reader,
  scope: Scope,
  owner: string,
  upTo: number,
  after: EntityPlace | undefined,
  limit: number,
): Promise<ChangeRow[]> {
  const t = from.tables.configChange;
  const { last, same } = newestBehind(from, scope, owner, upTo, after, limit);
  const rows = await from.db
    .select({ change: t })
    .from(last)
    .crossJoin(t)
    .where(same)
    .orderBy(asc(last.entity), asc(last.id));
  return rows.map(({ change }) => openedChange(from, change));
}

/** The same without bodies. */
export async function scopeHashSlice(
  from: Reader,
  scope: Scope,
  owner: string,
  upTo: number,
  after: EntityPlace | undefined,
  limit: number,
): Promise<Pick<ChangeRow, 'entity' | 'id' | 'op' | 'hash'>[]> {
  const t = from.tables.configChange;
  const { last, same } = newestBehind(from, scope, owner, upTo, after, limit);
  return await from.db
    .select({ entity: t.entity, id: t.id, op: t.op, hash: t.hash })
    .from(last)
    .crossJoin(t)
    .where(same)
    .orderBy(asc(last.entity), asc(last.id));
}

/** Whether a revision after `since` and up to `upTo` may remove much at once. */
export async function hasMassChange(
  from: Reader,
  scope: Scope,
  owner: string,
  since: number,
  upTo: number,
): Promise<boolean> {
  const t = from.tables.configChange;
  const rows = await from.db
    .select({ rev: t.rev })
    .from(t)
    .where(
      and(eq(t.scope, scope), eq(t.owner, owner), gt(t.rev, since), lte(t.rev, upTo), eq(t.massChange, true)),
    )
    .limit(1);
  return rows.length > 0;
}
