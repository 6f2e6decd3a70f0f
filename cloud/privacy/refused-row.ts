import { subjectMatcher } from '#shared/matching/index.ts';
import {
  bulkJobsAfter,
  readBulkJob,
  readHostStatus,
  statementsAfter,
  updateBulkJob,
  updateHostStatus,
} from '../store/index.ts';
import { leftOf } from './blank.ts';
import { SLICE, type TextRow, walk } from './text-row.ts';

/* Words of the platform about what it or a host refused: they quote what stood there, and so may name a person. */

/** Results of loads: rows that were refused, and why. */
const loads: TextRow = {
  kind: 'load',
  find: (port, tenant, subject) =>
    walk(port, subject, async (after) =>
      (await bulkJobsAfter(port.store, tenant, after, SLICE)).map(({ id, reason, errors }) => ({
        id,
        said: { reason, errors },
      })),
    ),
  blank: async (tx, tenant, id, subject) => {
    const { isIn } = subjectMatcher(subject);
    const row = await readBulkJob(tx, tenant, id);
    const left = row && leftOf({ reason: row.reason, errors: row.errors }, isIn);
    if (left !== undefined) await updateBulkJob(tx, tenant, id, left);
  },
};

/** Why a host refused a revision of its configuration, with the place in it. Hosts that have left are among them. */
const refusals: TextRow = {
  kind: 'refusal',
  find: (port, tenant, subject) =>
    walk(port, subject, async (after) =>
      (await statementsAfter(port.store, tenant, after, SLICE)).map(({ uid, refusals: said }) => ({
        id: uid,
        said,
      })),
    ),
  blank: async (tx, _, uid, subject) => {
    const { isIn } = subjectMatcher(subject);
    const row = await readHostStatus(tx, uid);
    const left = row && leftOf(row.refusals, isIn);
    if (left !== undefined) await updateHostStatus(tx, uid, { refusals: left });
  },
};

export const REFUSED: readonly TextRow[] = [loads, refusals];
