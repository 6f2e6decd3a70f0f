import type { ShownRecord } from '#shared/contract/session-record/index.ts';
import type { SessionRecordRow } from '../store/index.ts';
import { withoutNumbers } from './masking.ts';

/** A row as people see it; `whole`: with its numbers. */
export function shownRecord(row: SessionRecordRow, whole: boolean): ShownRecord {
  const { id, kind, result, at, siteId, hostId, receivedAt, body } = row;
  const { record, estimated, erased } = body as {
    record?: ShownRecord;
    estimated?: boolean;
    erased?: boolean;
  };
  const shown: ShownRecord = {
    ...(record ?? { v: 1, times: {} }),
    ...{ recordId: id, kind, result, at, siteId, hostId, receivedAt },
    ...(estimated === true && { estimated }),
    ...(erased === true && { erased }),
  };
  return whole ? shown : { ...withoutNumbers(shown), masked: true };
}
