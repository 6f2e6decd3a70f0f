import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { ALARM_MARK_SIGNS, type HistoryTrialData } from '#shared/contract/history/index.ts';

import { HistoryTrial, pastAlarm } from '../../alarm/history/index.ts';
import type { ReceiverBridge } from '../../alarm/receiver/index.ts';
import type { SessionRow } from '../../delivery/outbox/index.ts';
import { openSqlite, type Sqlite } from '../sqlite/index.ts';
import type { HistoryOrder } from './history-message.ts';
import { storedSessions } from './stored-alarm.ts';
import { storedDevices } from './stored-device.ts';

/**
 * Entry of the thread that tries a draft on the journal: it posts the answer and ends. It reads over connections of its own, in pages,
 * and rests after each page as long as it worked, so that a machine with one processor takes alarms meanwhile.
 */
const { journal, configuration, args, host, limit } = workerData as HistoryOrder;

function workingBridges(db: Sqlite): ReceiverBridge[] {
  return db
    .prepare<[], { id: string; body: string }>(
      `SELECT id, body FROM replica WHERE scope = 'tenant' AND entity = 'alarmbridge'`,
    )
    .all()
    .map(({ id, body }) => ({ ...(JSON.parse(body) as ReceiverBridge), id }));
}

const revisionOf = (db: Sqlite): number =>
  Number(db.prepare(`SELECT rev FROM standing WHERE scope = 'tenant'`).pluck().get() ?? 0);

async function tried(alarms: Sqlite, replica: Sqlite): Promise<HistoryTrialData> {
  const trial = new HistoryTrial({
    working: workingBridges(replica),
    draft: args.receivers as unknown as readonly ReceiverBridge[],
    devices: storedDevices(replica),
    host,
  });
  const stored = storedSessions(alarms);
  const beganMs = performance.now();
  let looked = 0;
  let from = args.from;
  let cut = false;
  let next: number | undefined = Number.MAX_SAFE_INTEGER;
  while (next !== undefined && !cut) {
    const pageMs = performance.now();
    const page: ReturnType<typeof stored.before> = stored.before(next);
    const within = page.rows.filter(({ createdMs }) => createdMs >= args.from && createdMs < args.to);
    for (const row of within) {
      if (looked >= limit.alarms || performance.now() - beganMs > limit.ms) {
        cut = true;
        break;
      }
      const alarm = pastAlarm(row as unknown as SessionRow, () => stored.eventsOf(row.id));
      if (alarm === undefined) continue;
      looked++;
      from = row.createdMs;
      trial.take(alarm);
    }
    // Rows age in their order, but for a few that were taken over from another host.
    const isOver = page.rows.length > 0 && page.rows.every(({ createdMs }) => createdMs < args.from);
    next = isOver ? undefined : page.next;
    if (next !== undefined && !cut) await pause(performance.now() - pageMs);
  }
  const { alarms: marks, differences, ...sums } = trial.sums();
  return {
    revision: revisionOf(replica),
    from: cut ? from : args.from,
    ...sums,
    cut,
    differences: [...differences],
    alarms: args.ids
      ? marks.map(({ sessionId, difference }) => `${markOf(sessionId)}${difference ?? ''}`)
      : [],
  };
}

const markOf = (sessionId: string): string =>
  createHash('sha256').update(sessionId).digest('base64url').slice(0, ALARM_MARK_SIGNS);

async function answer(): Promise<HistoryTrialData> {
  const alarms = openSqlite({ file: journal, readonly: true });
  try {
    const replica = openSqlite({ file: configuration, readonly: true });
    try {
      return await tried(alarms, replica);
    } finally {
      replica.close();
    }
  } finally {
    alarms.close();
  }
}

parentPort?.postMessage(await answer());
