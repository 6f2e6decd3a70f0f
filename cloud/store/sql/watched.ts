import { getTableName } from 'drizzle-orm';
import type { Handle } from './connection.ts';

export interface Watched {
  readonly db: Handle;
  /** Names of the tables that were written to since it was cleared. */
  readonly written: Set<string>;
}

const known = new WeakMap<Handle, Watched>();

/**
 * The same handle, which notes the tables it writes to. One per connection, so that prepared queries stay prepared; a
 * prepared query is noted when it is built, hence one may write only tables without listeners.
 */
export function watched(handle: Handle): Watched {
  const before = known.get(handle);
  if (before !== undefined) return before;
  const written = new Set<string>();
  const noting = <M extends 'insert' | 'update' | 'delete'>(method: M) =>
    ((table: Parameters<Handle[M]>[0]) => {
      written.add(getTableName(table));
      return (handle[method] as (table: unknown) => unknown).call(handle, table);
    }) as Handle[M];
  const db = Object.assign(Object.create(handle) as Handle, {
    insert: noting('insert'),
    update: noting('update'),
    delete: noting('delete'),
  });
  const made = { db, written };
  known.set(handle, made);
  return made;
}
