import { sql } from 'drizzle-orm';
import type { Columns } from './columns.sqlite.ts';

/** Configuration exists in two sets; only `working` is replicated to sites. */
export type ConfigurationSet = 'working' | 'provisory';

/** Resources that are one body under an id. All have the same columns, so that one set of queries serves them. */
const itemTable = (c: Columns, name: string) =>
  c.table(
    name,
    {
      tenant: c.text('tenant').notNull(),
      set: c.text('config_set').$type<ConfigurationSet>().notNull(),
      id: c.text('id').notNull(),
      body: c.json<Record<string, unknown>>('body').notNull(),
      updatedAt: c.int('updated_at').notNull(),
    },
    (t) => [c.primaryKey({ name: `${name}_pk`, columns: [t.tenant, t.set, t.id] })],
  );

/** The resources of a tenant. `body` is the stored form of the contract's object; columns are the searched values. */
export function provisioningTables(c: Columns) {
  return {
    alarmBridge: itemTable(c, 'alarm_bridge'),
    alarmEventMapper: itemTable(c, 'alarm_event_mapper'),
    cloudSipUa: itemTable(c, 'cloud_sip_ua'),
    trunk: itemTable(c, 'trunk'),
    mediaService: itemTable(c, 'media_service'),
    recordingService: itemTable(c, 'recording_service'),
    /** The id of a profile is its name. */
    protocolProfile: itemTable(c, 'protocol_profile'),
    device: c.table(
      'device',
      {
        tenant: c.text('tenant').notNull(),
        id: c.text('id').notNull(),
        body: c.json<Record<string, unknown>>('body').notNull(),
        updatedAt: c.int('updated_at').notNull(),
      },
      (t) => [
        c.primaryKey({ name: 'device_pk', columns: [t.tenant, t.id] }),
        // Accounts of DC-09 are equal but for case and leading zeros.
        c.index('device_account').on(t.tenant, sql`replace(upper(${t.id}), '0', '')`),
      ],
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
