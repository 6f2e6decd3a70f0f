import type { Columns } from './columns.sqlite.ts';

/** Configuration exists in two sets; only `working` is replicated to sites. */
export type ConfigurationSet = 'working' | 'provisory';

/** What a tenant provisions. `body` is the stored form of the contract's object; columns are what is searched by. */
export function provisioningTables(c: Columns) {
  return {
    alarmBridge: c.table(
      'alarm_bridge',
      {
        tenant: c.text('tenant').notNull(),
        set: c.text('config_set').$type<ConfigurationSet>().notNull(),
        id: c.text('id').notNull(),
        body: c.json<Record<string, unknown>>('body').notNull(),
        updatedAt: c.int('updated_at').notNull(),
      },
      (t) => [c.primaryKey({ name: 'alarm_bridge_pk', columns: [t.tenant, t.set, t.id] })],
    ),
    device: c.table(
      'device',
      {
        tenant: c.text('tenant').notNull(),
        id: c.text('id').notNull(),
        body: c.json<Record<string, unknown>>('body').notNull(),
        updatedAt: c.int('updated_at').notNull(),
      },
      (t) => [c.primaryKey({ name: 'device_pk', columns: [t.tenant, t.id] })],
    ),
    /** Filled from reports of the edge; no revision, no foreign key: a report may come before the device. */
    deviceHeartbeat: c.table(
      'device_heartbeat',
      {
        tenant: c.text('tenant').notNull(),
        id: c.text('id').notNull(),
        status: c.text('status').$type<'online' | 'offline'>().notNull(),
        /** When the last heartbeat runs out, epoch milliseconds. */
        expiration: c.int('expiration').notNull(),
      },
      (t) => [c.primaryKey({ name: 'device_heartbeat_pk', columns: [t.tenant, t.id] })],
    ),
    notificationSettings: c.table('notification_settings', {
      tenant: c.text('tenant').primaryKey(),
      body: c.json<Record<string, unknown>>('body').notNull(),
      updatedAt: c.int('updated_at').notNull(),
    }),
  };
}
