import type { Columns } from './columns.sqlite.ts';

export type BulkStatus = 'STARTED' | 'COMPLETED' | 'FAILED';

/** The records that a tenant reads afterwards: how a load went, and how much was used. */
export function recordTables(c: Columns) {
  return {
    bulkJob: c.table(
      'bulk_job',
      {
        tenant: c.text('tenant').notNull(),
        /** Given by the caller. */
        id: c.text('id').notNull(),
        status: c.text('status').$type<BulkStatus>().notNull(),
        dryRun: c.bool('dry_run').notNull(),
        startedAt: c.int('started_at').notNull(),
        stoppedAt: c.int('stopped_at'),
        /** Rows dealt with so far, and how many of them were refused. */
        rowCount: c.int('row_count').notNull(),
        failed: c.int('failed').notNull(),
        reason: c.text('reason'),
        /** The first refusals, in order of row. */
        errors: c.json<{ row: number; reason: string; times?: number }[]>('errors').notNull(),
        /** The replica that applies it; null = begun before replicas had names. */
        replica: c.text('replica'),
      },
      (t) => [
        c.primaryKey({ name: 'bulk_job_pk', columns: [t.tenant, t.id] }),
        c.index('bulk_job_status').on(t.status),
      ],
    ),
    /** Counts that hosts reported, added up by the hour; what does not apply is empty text. */
    usageHour: c.table(
      'usage_hour',
      {
        tenant: c.text('tenant').notNull(),
        /** Begin of the hour, epoch milliseconds. */
        hour: c.int('hour').notNull(),
        kind: c.text('kind').notNull(),
        protocol: c.text('protocol').notNull(),
        result: c.text('result').notNull(),
        amount: c.int('amount').notNull(),
      },
      (t) => [
        c.primaryKey({ name: 'usage_hour_pk', columns: [t.tenant, t.hour, t.kind, t.protocol, t.result] }),
      ],
    ),
  };
}
