import type { Columns } from './columns.sqlite.ts';

/** What the database knows about the sealing of its secrets. */
export function sealTables(c: Columns) {
  return {
    /** One row: all bodies are sealed, by this key. */
    sealing: c.table('sealing', {
      one: c.int('one').primaryKey(),
      /** Name of the key-encryption key. */
      keyName: c.text('key_name').notNull(),
      at: c.int('at').notNull(),
    }),
  };
}
