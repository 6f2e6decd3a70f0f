import { type DataSubject, subjectMatcher } from '#shared/matching/index.ts';
import {
  bulkJobsAfter,
  readBulkJob,
  readHostStatus,
  refusalsAfter,
  type Tx,
  updateBulkJob,
  updateHostStatus,
} from '../store/index.ts';
import { leftOf } from './blank.ts';
import type { CopyPort } from './own-copy.ts';

/** Rows between two breaths. */
const SLICE = 200;

type Find = (
  port: CopyPort,
  tenant: string,
  subject: DataSubject,
) => AsyncGenerator<{ readonly id: string; readonly said: Record<string, unknown> }>;

/** Words of the platform about what it or a host refused: they quote what stood there, and so may name somebody. */
interface Refused {
  /** As exports and counts call it. */
  readonly kind: string;
  readonly find: Find;
  /** Takes the subject out of it; read again, for a load that runs goes on. */
  readonly blank: (tx: Tx, tenant: string, id: string, subject: DataSubject) => Promise<void>;
}

async function* walk<Row extends { readonly id: string }>(
  { breathe }: CopyPort,
  subject: DataSubject,
  page: (after: string) => Promise<readonly (Row & { readonly said: Record<string, unknown> })[]>,
) {
  const { isIn } = subjectMatcher(subject);
  for (let after = ''; ; ) {
    const rows = await page(after);
    for (const { id, said } of rows) if (leftOf(said, isIn) !== undefined) yield { id, said };
    after = rows.at(-1)?.id ?? after;
    if (rows.length < SLICE) return;
    await breathe();
  }
}

/** Results of loads: rows that were refused, and why. */
const loads: Refused = {
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
const refusals: Refused = {
  kind: 'refusal',
  find: (port, tenant, subject) =>
    walk(port, subject, async (after) =>
      (await refusalsAfter(port.store, tenant, after, SLICE)).map(({ uid, refusals: said }) => ({
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

export const REFUSED: readonly Refused[] = [loads, refusals];
