import { accessTables } from './access-tables.ts';
import { alarmQueueTables } from './alarm-queue-tables.ts';
import { pgColumns } from './columns.pg.ts';
import type { Columns } from './columns.sqlite.ts';
import { sqliteColumns } from './columns.sqlite.ts';
import { coreTables } from './core-tables.ts';
import { maintenanceTables } from './maintenance-tables.ts';
import { peopleTables } from './people-tables.ts';
import { privacyTables } from './privacy-tables.ts';
import { promptTables } from './prompt-tables.ts';
import { provisioningTables } from './provisioning-tables.ts';
import { recordTables } from './record-tables.ts';
import { replicaTables } from './replica-tables.ts';
import { sealTables } from './seal-tables.ts';
import { sessionRecordTables } from './session-record-tables.ts';
import { siteTables } from './site-tables.ts';
import { transientTables } from './transient-tables.ts';

/** All tables, made once per dialect out of groups that know only the column helpers. */
const tables = (c: Columns) => ({
  ...coreTables(c),
  ...accessTables(c),
  ...peopleTables(c),
  ...recordTables(c),
  ...provisioningTables(c),
  ...promptTables(c),
  ...siteTables(c),
  ...maintenanceTables(c),
  ...replicaTables(c),
  ...sealTables(c),
  ...privacyTables(c),
  ...sessionRecordTables(c),
  ...alarmQueueTables(c),
  ...transientTables(c),
});

export type Tables = ReturnType<typeof tables>;

export const tablesOf: { readonly sqlite: Tables; readonly pg: Tables } = {
  sqlite: tables(sqliteColumns),
  pg: tables(pgColumns),
};
