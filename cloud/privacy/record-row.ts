import { blankRecord, recordsAfter } from '../store/index.ts';
import { SLICE, type TextRow, walk } from './text-row.ts';

/** Records of sessions that name the subject: all that they say goes, their ids stay, so that no host brings them back. */
const records: TextRow = {
  kind: 'record',
  find: (port, tenant, subject) =>
    walk(port, subject, async (after) =>
      (await recordsAfter(port.store, tenant, after, SLICE)).map(
        ({ id, kind, at, siteId, hostId, body }) => ({
          ...{ id, said: body, shown: { kind, at, siteId, hostId, ...body } },
        }),
      ),
    ),
  blank: (tx, tenant, id) => blankRecord(tx, tenant, id),
};

export const RECORDS: readonly TextRow[] = [records];
