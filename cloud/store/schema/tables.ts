import { accessTables } from './access-tables.ts';
import { pgColumns } from './columns.pg.ts';
import type { Columns } from './columns.sqlite.ts';
import { sqliteColumns } from './columns.sqlite.ts';
import { coreTables } from './core-tables.ts';
import { provisioningTables } from './provisioning-tables.ts';
import { siteTables } from './site-tables.ts';

/** All tables, made once per dialect out of groups that know only the column helpers. */
const tables = (c: Columns) => ({
  ...coreTables(c),
  ...accessTables(c),
  ...provisioningTables(c),
  ...siteTables(c),
});

export type Tables = ReturnType<typeof tables>;

export const tablesOf: { readonly sqlite: Tables; readonly pg: Tables } = {
  sqlite: tables(sqliteColumns),
  pg: tables(pgColumns),
};
