import { and, asc, desc, eq, gt, lte, or, sql } from 'drizzle-orm';
import { rowHash } from '#shared/contract/feed/index.ts';
import type { Scope } from '../schema/core-tables.ts';
import { salted } from '../sql/body-seal.ts';
import { given, prepared, proposed } from '../sql/prepared.ts';
import type { Reader, Tx } from '../sql/store.ts';

/** One change of a replicated entity. `body` of a delete is not stored. */
export interface Change {
  readonly scope: Scope;
  /** `tenant`: tenant id; `site`: `<tenant id>/<siteId>`; `host`: uid; `platform`: empty. */
  readonly owner: string;
  /** Name of the table's thing, as the API spells its path: `alarmbridge`, `device`, … */
  readonly entity: string;
  readonly id: string;
  readonly op: 'put' | 'delete';
  readonly body?: unknown;
  /** Allows this revision to remove many rows at once on the hosts. */
  readonly massChange?: boolean;
  /** Epoch milliseconds. */
  readonly at: number;
}

export type ChangeRow = Reader['tables']['configChange']['$inferSelect'];

/** Rows of one INSERT; more would run into PostgreSQL's limit of parameters. */
const BATCH = 500;

/**
 * Writes the change beside the row, in the caller's transaction, and returns its revision. All changes of one
 * transaction to the same scope and owner share one revision. Listeners of the store hear it after the commit.
 */
export async function recordChange(tx: Tx, change: Change): Promise<number> {
  const rev = await takeRevision(tx, change.scope, change.owner);
  await upsertChange(tx, rowOf(tx, change, rev));
  return rev;
}

const upsertChange = prepared(({ db, tables: { configChange: t } }) =>
  db
    .insert(t)
    .values({
      scope: given('scope'),
      owner: given('owner'),
      rev: given('rev'),
      entity: given('entity'),
      id: given('id'),
      op: given('op'),
      body: given('body'),
      hash: given('hash'),
      massChange: given('massChange'),
      at: given('at'),
    })
    .onConflictDoUpdate({
      target: [t.scope, t.owner, t.rev, t.entity, t.id],
      set: {
        op: proposed(t.op),
        body: proposed(t.body),
        hash: proposed(t.hash),
        massChange: proposed(t.massChange),
        at: proposed(t.at),
      },
    }),
);

/** Many changes of one scope and owner, each entity once, as one revision. */
export async function recordChanges(tx: Tx, changes: readonly Change[]): Promise<void> {
  const [first] = changes;
  if (first === undefined) return;
  const rev = await takeRevision(tx, first.scope, first.owner);
  for (let at = 0; at < changes.length; at += BATCH) {
    const rows = changes.slice(at, at + BATCH).map((change) => rowOf(tx, change, rev));
    await tx.db.insert(tx.tables.configChange).values(rows);
  }
}

function rowOf(tx: Tx, change: Change, rev: number): ChangeRow {
  const { scope, owner, entity, id, op, at, massChange = false } = change;
  const deleted = op === 'delete';
  const plain = deleted ? null : salted(change.body, tx.salt);
  // Hosts hash the opened text.
  const hash = deleted ? '' : rowHash(plain, tx.sha256);
  const body = tx.seal.sealed(changePlace(change), plain);
  return { scope, owner, rev, entity, id, op, body, hash, massChange, at };
}

/** Where the body of a change stands; the owner of every scope begins with the tenant, or with the host. */
export const changePlace = ({ owner, entity, id }: Pick<Change, 'owner' | 'entity' | 'id'>) => ({
  tenant: owner.split('/', 1)[0] ?? '',
  table: 'config_change',
  row: `${owner}/${entity}/${id}`,
});

/** The change as it was recorded, its secrets opened. */
export const openedChange = (from: Reader, row: ChangeRow): ChangeRow => ({
  ...row,
  body: from.seal.opened(changePlace(row), row.body),
});

const countUp = prepared(({ db, tables: { scopeRevision: t } }) =>
  db
    .insert(t)
    .values({ scope: given('scope'), owner: given('owner'), rev: 1 })
    .onConflictDoUpdate({ target: [t.scope, t.owner], set: { rev: sql`${t.rev} + 1` } })
    .returning({ rev: t.rev }),
);

async function takeRevision(tx: Tx, scope: Scope, owner: string): Promise<number> {
  const key = `${scope} ${owner}`;
  const taken = tx.revisions.get(key);
  if (taken !== undefined) return taken.rev;
  const [row] = await countUp(tx, { scope, owner });
  if (row === undefined) throw new Error(`no revision counter for ${key}`);
  tx.revisions.set(key, { scope, owner, rev: row.rev });
  return row.rev;
}

const revisionOf = prepared(({ db, tables: { scopeRevision: t } }) =>
  db
    .select({ rev: t.rev })
    .from(t)
    .where(and(eq(t.scope, given('scope')), eq(t.owner, given('owner')))),
);

/** Latest committed revision of a scope; 0 = nothing was ever changed. */
export async function currentRevision(from: Reader, scope: Scope, owner: string): Promise<number> {
  const [row] = await revisionOf(from, { scope, owner });
  return row?.rev ?? 0;
}

const revisionsOf = prepared(({ db, tables: { scopeRevision: t } }) => {
  const of = (scope: Scope) => and(eq(t.scope, scope), eq(t.owner, given(scope)));
  return db
    .select({ scope: t.scope, rev: t.rev })
    .from(t)
    .where(or(of('tenant'), of('site'), of('host'), of('platform')));
});

/** Latest committed revision of each scope with this owner, in one statement; 0 = nothing was ever changed. */
export async function currentRevisions(
  from: Reader,
  owners: Readonly<Record<Scope, string>>,
): Promise<Readonly<Record<Scope, number>>> {
  const revisions = { tenant: 0, site: 0, host: 0, platform: 0 };
  for (const { scope, rev } of await revisionsOf(from, owners)) revisions[scope] = rev;
  return revisions;
}

/** A place in the order of changes: everything up to revision `rev`, or up to this row of it. */
export interface ChangePlace {
  readonly rev: number;
  readonly entity?: string;
  readonly id?: string;
}

/** Changes of a scope behind a place and up to revision `upTo`, in order of revision, entity and id. */
function behind(from: Reader, scope: Scope, owner: string, after: ChangePlace, upTo: number) {
  const t = from.tables.configChange;
  const { rev, entity, id } = after;
  const here =
    entity === undefined || id === undefined
      ? gt(t.rev, rev)
      : sql`(${t.rev}, ${t.entity}, ${t.id}) > (${rev}, ${entity}, ${id})`;
  return {
    where: and(eq(t.scope, scope), eq(t.owner, owner), here, lte(t.rev, upTo)),
    order: [asc(t.rev), asc(t.entity), asc(t.id)],
  };
}

/** One slice of the changes behind a place, their secrets opened: whoever has much to read lets others in between. */
export async function changesBehind(
  from: Reader,
  scope: Scope,
  owner: string,
  after: ChangePlace,
  upTo: number,
  limit: number,
): Promise<ChangeRow[]> {
  const { where, order } = behind(from, scope, owner, after, upTo);
  const rows = await from.db
    .select()
    .from(from.tables.configChange)
    .where(where)
    .orderBy(...order)
    .limit(limit);
  return rows.map((row) => openedChange(from, row));
}

/** The same without bodies. */
export async function changeHashesBehind(
  from: Reader,
  scope: Scope,
  owner: string,
  after: ChangePlace,
  upTo: number,
  limit: number,
): Promise<Pick<ChangeRow, 'rev' | 'entity' | 'id' | 'op' | 'hash'>[]> {
  const t = from.tables.configChange;
  const { where, order } = behind(from, scope, owner, after, upTo);
  return await from.db
    .select({ rev: t.rev, entity: t.entity, id: t.id, op: t.op, hash: t.hash })
    .from(t)
    .where(where)
    .orderBy(...order)
    .limit(limit);
}

/** Changes after `since`, oldest first, at most `limit` rows (a revision may be cut: ask again from its predecessor). */
export async function changesSince(
  from: Reader,
  scope: Scope,
  owner: string,
  since: number,
  limit: number,
): Promise<ChangeRow[]> {
  const t = from.tables.configChange;
  const rows = await from.db
    .select()
    .from(t)
    .where(and(eq(t.scope, scope), eq(t.owner, owner), gt(t.rev, since)))
    .orderBy(asc(t.rev), asc(t.entity), asc(t.id))
    .limit(limit);
  return rows.map((row) => openedChange(from, row));
}

/** The newest change of one entity up to a revision, its secrets opened; undefined: none is kept. */
export async function changeAt(
  from: Reader,
  scope: Scope,
  owner: string,
  { entity, id }: Pick<ChangeRow, 'entity' | 'id'>,
  upTo: number,
): Promise<ChangeRow | undefined> {
  const t = from.tables.configChange;
  const [row] = await from.db
    .select()
    .from(t)
    .where(and(eq(t.scope, scope), eq(t.owner, owner), eq(t.entity, entity), eq(t.id, id), lte(t.rev, upTo)))
    .orderBy(desc(t.rev))
    .limit(1);
  return row && openedChange(from, row);
}
