import {
  bigint,
  boolean,
  customType,
  index,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { Columns } from './columns.sqlite.ts';
import { jsonText } from './json-text.ts';

const json = customType<{ data: unknown; driverData: string }>(jsonText);

/** The honest PostgreSQL types, checked to offer every helper. */
const pgNative = {
  table: pgTable,
  text: (name: string) => text(name),
  int: (name: string) => bigint(name, { mode: 'number' }),
  bool: (name: string) => boolean(name),
  json: <T>(name: string) => json(name).$type<T>(),
  primaryKey,
  index,
  uniqueIndex,
} satisfies Record<keyof Columns, unknown>;

/**
 * The same helpers under SQLite's types: a query built on either dialect reads alike and is awaited alike.
 * The cast is safe for the builder calls used in this folder (select, insert, upsert, update, delete, returning),
 * which the repository suite runs on both.
 */
export const pgColumns = pgNative as unknown as Columns;
