import { and, asc, eq, gt, lte, max } from 'drizzle-orm';
import { type ChangeRow, openedChange } from './change.ts';
import type { Scope } from './schema/core-tables.ts';
import type { Reader } from './store.ts';

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
 * What a scope consists of after revision `upTo`: the last put of every entity that was not deleted since, in order of
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

/** The same rows without their bodies, in no order. */
export async function rowHashesOfScope(
  from: Reader,
  scope: Scope,
  owner: string,
  upTo: number,
): Promise<{ entity: string; id: string; hash: string }[]> {
  const t = from.tables.configChange;
  const { last, same, there } = newest(from, scope, owner, upTo);
  return await from.db
    .select({ entity: t.entity, id: t.id, hash: t.hash })
    .from(t)
    .innerJoin(last, same)
    .where(there);
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
