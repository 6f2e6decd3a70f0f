import { alarmQueuedDataSchema, type WaitingAlarm } from '#shared/contract/alarm-queue/index.ts';
import type { WaitingAlarmRow } from '../store/index.ts';

/** The newest picture of its host. Schemas only grow, so that a stored one reads. */
export const hostPicture = ({ body }: WaitingAlarmRow) => alarmQueuedDataSchema.parse(body);

/** An alarm as people see it. The replyId stays inside. */
export function shownAlarm(row: WaitingAlarmRow): WaitingAlarm {
  const { replyId: _, sessionId, reason: __, outcome: ___, ...facts } = hostPicture(row);
  const { state, turn, taker, takerName, takenAt, heartbeatAt, lastTaker, closedAt, closedBy } = row;
  return {
    ...facts,
    ...{ alarmId: sessionId, state, turn, reason: row.reason, queuedAt: row.queuedAt },
    ...{ siteId: row.siteId, hostId: row.hostId, notes: row.notes.map((note) => ({ ...note })) },
    ...(taker !== null &&
      takenAt !== null &&
      heartbeatAt !== null && {
        taker: { personId: taker, name: takerName ?? taker, takenAt, heartbeatAt },
      }),
    ...(lastTaker !== null && { lastTaker }),
    ...(closedAt !== null && { closedAt }),
    ...(closedBy !== null && { closedBy }),
  };
}
