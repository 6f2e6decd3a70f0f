import type { Columns } from './columns.sqlite.ts';

/** Times in which alarms of supervision are not sent. */
export function maintenanceTables(c: Columns) {
  return {
    maintenanceWindow: c.table(
      'maintenance_window',
      {
        id: c.text('id').primaryKey(),
        tenant: c.text('tenant').notNull(),
        siteId: c.text('site_id').notNull(),
        /** Empty: the whole site. */
        hostId: c.text('host_id').notNull(),
        startsAt: c.int('starts_at').notNull(),
        endsAt: c.int('ends_at').notNull(),
        reason: c.text('reason').notNull(),
        madeBy: c.text('made_by').notNull(),
        madeAt: c.int('made_at').notNull(),
        /** When it was ended: by a person before its time, or by its time. */
        closedAt: c.int('closed_at'),
        closedBy: c.text('closed_by'),
      },
      (t) => [
        c.index('maintenance_window_tenant').on(t.tenant, t.id),
        c.index('maintenance_window_open').on(t.closedAt, t.endsAt),
      ],
    ),
  };
}
