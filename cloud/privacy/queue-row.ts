import { subjectMatcher } from '#shared/matching/index.ts';
import {
  callListTestsAfter,
  forgetCallListTest,
  putWaitingAlarm,
  readWaitingAlarm,
  type WaitingAlarmRow,
  waitingAlarmsAfter,
} from '../store/index.ts';
import { leftOf } from './blank.ts';
import { SLICE, type TextRow, walk } from './text-row.ts';

const wordsOf = ({ body, reason, notes }: WaitingAlarmRow) => ({ body, reason, notes });

/**
 * Alarms of the alarm queue: what the host said of the device, and the notes of people. `Chosen:` an alarm that is not closed keeps its
 * words, since a person needs them to help; the erasure waits for its end. A closed one keeps its id, so that no report of its host
 * makes it ring again.
 */
const waiting: TextRow = {
  kind: 'waitingAlarm',
  find: (port, tenant, subject) =>
    walk(port, subject, async (after) =>
      (await waitingAlarmsAfter(port.store, tenant, after, SLICE)).map((row) => {
        const { id, siteId, hostId, state, queuedAt, closedAt, takerName, lastTaker, closedBy } = row;
        const { replyId: _, ...body } = row.body;
        const said = { ...wordsOf(row), body };
        const shown = { siteId, hostId, state, queuedAt, closedAt, takerName, lastTaker, closedBy, ...said };
        return { id, said, shown };
      }),
    ),
  isOwed: async (tx, tenant, id) => (await readWaitingAlarm(tx, tenant, id))?.state !== 'closed',
  blank: async (tx, tenant, id, subject) => {
    const { isIn } = subjectMatcher(subject);
    const row = await readWaitingAlarm(tx, tenant, id);
    const left = row && leftOf(wordsOf(row), isIn);
    if (row !== undefined && left !== undefined) await putWaitingAlarm(tx, { ...row, ...left });
  },
};

/** The newest test call of the list of a device. */
const tests: TextRow = {
  kind: 'callListTest',
  find: (port, tenant, subject) =>
    walk(port, subject, async (after) =>
      (await callListTestsAfter(port.store, tenant, 'device', after, SLICE)).map(
        ({ id, month, state, called, confirmed }) => ({
          ...{ id, said: { deviceId: id }, shown: { deviceId: id, month, state, called, confirmed } },
        }),
      ),
    ),
  blank: (tx, tenant, id) => forgetCallListTest(tx, tenant, 'device', id),
};

export const QUEUE: readonly TextRow[] = [waiting, tests];
