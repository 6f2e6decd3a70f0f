import type { RecordCount, RecordSearch, ShownRecord } from '#shared/contract/session-record/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { type Page, recordHoursBetween, recordsOf } from '../store/index.ts';
import { type ListRequest, rangeOf, type SearchPort, searchRecords } from './search.ts';
import { shownRecord } from './shown-record.ts';

/** The records of a tenant as people read them; `whole`: with their numbers. */
export interface RecordQueries {
  readonly search: (
    tenant: string,
    search: RecordSearch,
    request: ListRequest,
  ) => Promise<Result<Page<ShownRecord>>>;
  /** Fails with `notFound`, also for a record of another tenant. */
  readonly read: (tenant: string, recordId: string, whole: boolean) => Promise<Result<ShownRecord>>;
  readonly counts: (
    tenant: string,
    range: { readonly from?: number | undefined; readonly to?: number | undefined },
    siteId: string | undefined,
  ) => Promise<RecordCount[]>;
}

export const createRecordQueries = (port: SearchPort): RecordQueries => ({
  search: (...asked) => searchRecords(port, ...asked),
  read: async (tenant, recordId, whole) => {
    const [row] = await recordsOf(port.store, tenant, [recordId]);
    return row === undefined ? unknownRecord(recordId) : ok(shownRecord(row, whole));
  },
  counts: (tenant, range, siteId) =>
    recordHoursBetween(port.store, tenant, rangeOf(range, port.nowMs()), siteId),
});

export const unknownRecord = (recordId: string) =>
  fail(
    'notFound',
    `The record ${recordId} does not exist or its time is over. List the records for their ids.`,
  );
