import type { RecordKind, RecordResult } from '../../../shared/contract/session-record/index.ts';
import type { Columns } from './columns.sqlite.ts';

/** Records of sessions as hosts send them; the columns beside the body are what lists search by. */
export function sessionRecordTables(c: Columns) {
  return {
    sessionRecord: c.table(
      'session_record',
      {
        tenant: c.text('tenant').notNull(),
        /** The recordId of the host. */
        id: c.text('id').notNull(),
        /** Year and month (UTC) of the first arrival here, for example 202611; it never changes. */
        month: c.int('month').notNull(),
        siteId: c.text('site_id').notNull(),
        /** The host that wrote the present content. */
        uid: c.text('uid').notNull(),
        hostId: c.text('host_id').notNull(),
        /** Its number in the record store of that host. */
        seq: c.int('seq').notNull(),
        kind: c.text('kind').$type<RecordKind>().notNull(),
        result: c.text('result').$type<RecordResult>().notNull(),
        /** Begin of the session, epoch ms. */
        at: c.int('at').notNull(),
        /** First arrival here, epoch ms. */
        receivedAt: c.int('received_at').notNull(),
        traceId: c.text('trace_id'),
        deviceId: c.text('device_id'),
        fromParty: c.text('from_party'),
        toParty: c.text('to_party'),
        receiver: c.text('receiver'),
        protocol: c.text('protocol'),
        /** One in each line. */
        warnings: c.text('warnings'),
        body: c.json<Readonly<Record<string, unknown>>>('body').notNull(),
      },
      (t) => [
        c.primaryKey({ name: 'session_record_pk', columns: [t.tenant, t.id, t.month] }),
        c.index('session_record_time').on(t.tenant, t.at, t.id),
        c.index('session_record_site').on(t.tenant, t.siteId, t.at, t.id),
        c.index('session_record_kind').on(t.tenant, t.kind, t.at, t.id),
        c.index('session_record_device').on(t.tenant, t.deviceId, t.at, t.id),
        c.index('session_record_from').on(t.tenant, t.fromParty, t.at, t.id),
        c.index('session_record_to').on(t.tenant, t.toParty, t.at, t.id),
        c.index('session_record_trace').on(t.tenant, t.traceId, t.at, t.id),
        c.index('session_record_received').on(t.tenant, t.kind, t.receivedAt),
      ],
    ),
    /** Up to which number the records of a host are committed. */
    recordCursor: c.table('record_cursor', {
      uid: c.text('uid').primaryKey(),
      seq: c.int('seq').notNull(),
    }),
    /** Number of records by the hour in which their sessions began; it stays when records end. */
    recordHour: c.table(
      'record_hour',
      {
        tenant: c.text('tenant').notNull(),
        /** Begin of the hour, epoch ms. */
        hour: c.int('hour').notNull(),
        siteId: c.text('site_id').notNull(),
        kind: c.text('kind').$type<RecordKind>().notNull(),
        result: c.text('result').$type<RecordResult>().notNull(),
        amount: c.int('amount').notNull(),
      },
      (t) => [
        c.primaryKey({ name: 'record_hour_pk', columns: [t.tenant, t.hour, t.siteId, t.kind, t.result] }),
      ],
    ),
  };
}
