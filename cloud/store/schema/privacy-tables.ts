import type { DataSubject } from '../../../shared/matching/index.ts';
import type { Columns } from './columns.sqlite.ts';

export type PersonalDataKind = 'export' | 'erasure';
export type PersonalDataState = 'pending' | 'done';

/** How many rows of each kind were found or removed. */
export type RowCounts = Readonly<Record<string, number>>;

/** Exports and erasures of what is known of a device or a person, and how far each host of the tenant is with them. */
export function privacyTables(c: Columns) {
  return {
    personalDataJob: c.table(
      'personal_data_job',
      {
        id: c.text('id').primaryKey(),
        tenant: c.text('tenant').notNull(),
        kind: c.text('kind').$type<PersonalDataKind>().notNull(),
        state: c.text('state').$type<PersonalDataState>().notNull(),
        /** Null once it was erased: the job itself must not remember. */
        subject: c.json<DataSubject>('subject'),
        /** Its name in the audit log: SHA-256 of salt, a space and the name; hex. */
        subjectHash: c.text('subject_hash').notNull(),
        /** Random, of this job alone, hex. It goes with the name: a hash of a telephone number is guessed in minutes. */
        subjectSalt: c.text('subject_salt'),
        /** The device stays in service; only what is known of its past goes. */
        keepDevice: c.bool('keep_device').notNull(),
        actor: c.text('actor').notNull(),
        reason: c.text('reason'),
        /** The rows that the control plane itself found or removed. */
        report: c.json<RowCounts>('report').notNull(),
        createdAt: c.int('created_at').notNull(),
        endedAt: c.int('ended_at'),
      },
      (t) => [
        c.index('personal_data_job_tenant').on(t.tenant, t.id),
        c.index('personal_data_job_state').on(t.state, t.id),
      ],
    ),
    personalDataPart: c.table(
      'personal_data_part',
      {
        job: c.text('job').notNull(),
        uid: c.text('uid').notNull(),
        siteId: c.text('site_id').notNull(),
        hostId: c.text('host_id').notNull(),
        state: c.text('state').$type<PersonalDataState>().notNull(),
        /** Why it waits. */
        reason: c.text('reason'),
        report: c.json<RowCounts>('report').notNull(),
        /** How often it has done its part. */
        passes: c.int('passes').notNull(),
        /** The time of the last attempt. */
        at: c.int('at').notNull(),
      },
      (t) => [c.primaryKey({ name: 'personal_data_part_pk', columns: [t.job, t.uid] })],
    ),
    /** The pages that hosts sent for an export, as they came. */
    personalDataPage: c.table(
      'personal_data_page',
      {
        job: c.text('job').notNull(),
        uid: c.text('uid').notNull(),
        page: c.int('page').notNull(),
        body: c.json<unknown[]>('body').notNull(),
      },
      (t) => [c.primaryKey({ name: 'personal_data_page_pk', columns: [t.job, t.uid, t.page] })],
    ),
  };
}
