import { subjectMatcher } from '#shared/matching/index.ts';
import {
  forgetAnswer,
  forgetExport,
  keptAnswersAfter,
  listMaintenance,
  listOperations,
  listPrivacyJobs,
  type OperationRow,
  readHostStatus,
  readMaintenance,
  readOperation,
  readPrivacyJob,
  statementsAfter,
  updateHostStatus,
  updateMaintenanceReason,
  updateOperation,
  updatePrivacyJob,
} from '../store/index.ts';
import { leftOf } from './blank.ts';
import { SLICE, type TextRow, walk } from './text-row.ts';

/** The texts in the steps other than their names and states, by which the operation goes on. */
const factsOf = ({ reason, steps }: Pick<OperationRow, 'reason' | 'steps'>) => ({
  reason,
  facts: steps.map(({ step: _, state: __, ...facts }) => facts),
});

/** Why a host was drained, exchanged, removed …, or why that failed. */
const operations: TextRow = {
  kind: 'operation',
  find: (port, tenant, subject) =>
    walk(port, subject, async (before) =>
      (await listOperations(port.store, tenant, before, SLICE)).map((row) => {
        const { id, type, reason, steps } = row;
        return { id, said: factsOf(row), shown: { type, reason, steps } };
      }),
    ),
  blank: async (tx, tenant, id, subject) => {
    const { isIn } = subjectMatcher(subject);
    const row = await readOperation(tx, tenant, id);
    const left = row && leftOf(factsOf(row), isIn);
    if (row === undefined || left === undefined) return;
    const steps = row.steps.map((step, at) => ({ ...step, ...left.facts[at] }));
    await updateOperation(tx, id, { reason: left.reason, steps });
  },
};

/** The reason of a maintenance window. Hosts never get it. */
const windows: TextRow = {
  kind: 'maintenance',
  find: (port, tenant, subject) =>
    walk(port, subject, async (before) =>
      (await listMaintenance(port.store, tenant, undefined, before, SLICE)).map(({ id, reason }) => ({
        id,
        said: { reason },
      })),
    ),
  blank: async (tx, tenant, id, subject) => {
    const { isIn } = subjectMatcher(subject);
    const row = await readMaintenance(tx, tenant, id);
    const left = row && leftOf(row.reason, isIn);
    if (left !== undefined) await updateMaintenanceReason(tx, id, left);
  },
};

/**
 * The deviations of a host from its configuration, and their reasons, by its last report: the number of a fallback among it.
 * Keys stand.
 */
const overrides: TextRow = {
  kind: 'override',
  find: (port, tenant, subject) =>
    walk(port, subject, async (after) =>
      (await statementsAfter(port.store, tenant, after, SLICE)).map(({ uid, overrides: said }) => ({
        id: uid,
        said: { overrides: said },
      })),
    ),
  blank: async (tx, _, uid, subject) => {
    const { isIn } = subjectMatcher(subject);
    const row = await readHostStatus(tx, uid);
    const left = row && leftOf(row.overrides, isIn);
    if (left !== undefined) await updateHostStatus(tx, uid, { overrides: left });
  },
};

/** First answers of requests, kept for a day so that they are not done twice: also that of the request for this erasure, with its salt. */
const answers: TextRow = {
  kind: 'answer',
  find: (port, tenant, subject) =>
    walk(port, subject, async (after) =>
      (await keptAnswersAfter(port.store, tenant, after, SLICE)).map(({ key, answer }) => ({
        id: key,
        // The caller has chosen the key, and may have named it after a person.
        said: { key, answer },
      })),
    ),
  blank: async (tx, tenant, key, subject) => {
    const { isIn } = subjectMatcher(subject);
    await forgetAnswer(tx, tenant, key, isIn(JSON.stringify(key)) ? 'with its key' : 'and no more');
  },
};

/** The data collected about them for a person to fetch, which time has not removed yet. */
const exports: TextRow = {
  kind: 'export',
  find: (port, tenant, subject) =>
    walk(port, subject, async (before) =>
      (await listPrivacyJobs(port.store, tenant, before, SLICE)).map(
        ({ id, kind, subject: of, reason, actor, createdAt }) => ({
          id,
          said: kind === 'export' ? { subject: of, reason } : {},
          shown: { actor, createdAt, reason },
        }),
      ),
    ),
  blank: async (tx, tenant, id, subject) => {
    const { isIn } = subjectMatcher(subject);
    const row = await readPrivacyJob(tx, tenant, id);
    if (row === undefined) return;
    // The export of another subject, in whose reason this one is named, keeps what it has collected.
    const left = leftOf({ reason: row.reason }, isIn);
    if (isIn(JSON.stringify(row.subject))) await forgetExport(tx, tenant, id, row.endedAt ?? row.createdAt);
    else if (left !== undefined) await updatePrivacyJob(tx, id, left);
  },
};

export const REASONS: readonly TextRow[] = [operations, windows, overrides, answers, exports];
