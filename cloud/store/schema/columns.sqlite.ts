import {
  customType,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';

import { jsonText } from './json-text.ts';

const json = customType<{ data: unknown; driverData: string }>(jsonText);

/** Column helpers of the SQLite dialect. The tables are written against these names only. */
export const sqliteColumns = {
  table: sqliteTable,
  text: (name: string) => text(name),
  /** 64-bit integer: epoch milliseconds, counters, revisions. */
  int: (name: string) => integer(name),
  bool: (name: string) => integer(name, { mode: 'boolean' }),
  /** Opaque body. A value for filters or sorting is a column of its own. */
  json: <T>(name: string) => json(name).$type<T>(),
  primaryKey,
  index,
  uniqueIndex,
};

/** Both dialects offer exactly this; PostgreSQL's is cast to it (see columns.pg.ts). */
export type Columns = typeof sqliteColumns;
