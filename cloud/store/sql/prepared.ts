import { fillPlaceholders, Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Handle } from './connection.ts';
import type { Reader, Store } from './store.ts';

interface Preparable<R> {
  readonly prepare: () => { readonly execute: (values: Record<string, unknown>) => R };
}

/**
 * A query whose text is built once per connection: building costs several times what running does. For the queries of
 * every request; others are simply written where they are used. Values are placeholders by name.
 */
export function prepared<R>(
  build: (from: Reader) => Preparable<R>,
): (from: Reader, values: Record<string, unknown>) => R {
  const made = new WeakMap<Handle, ReturnType<Preparable<R>['prepare']>>();
  return (from, values) => {
    let query = made.get(from.db);
    if (query === undefined) {
      query = build(from).prepare();
      made.set(from.db, query);
    }
    return query.execute(values);
  };
}

interface Textual {
  readonly toSQL: () => { readonly sql: string; readonly params: unknown[] };
}

/** As `prepared`, run without the query builder: rows come as the database has them. */
export function preparedRows(
  build: (from: Reader) => Textual,
): (from: Store, values: Record<string, unknown>) => ReturnType<Store['rows']> {
  const made = new WeakMap<Handle, ReturnType<Textual['toSQL']>>();
  return (from, values) => {
    let query = made.get(from.db);
    if (query === undefined) {
      query = build(from).toSQL();
      made.set(from.db, query);
    }
    return from.rows(query.sql, fillPlaceholders(query.params, values));
  };
}

/** A value given when the query runs. */
export const given = (name: string): Placeholder => new Placeholder(name);

/** In an upsert: what the row would have had (SQLite and PostgreSQL call it the same). */
export const proposed = (column: { readonly name: string }): SQL =>
  sql`excluded.${sql.identifier(column.name)}`;
