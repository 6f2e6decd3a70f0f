import type { SessionRecord } from '#shared/contract/session-record/index.ts';
import type { Sqlite } from '../database/open-sqlite.ts';
import type { RecordAge } from './record-message.ts';

/** Rows removed or looked at in one transaction. */
const STEP_ROWS = 500;

/**
 * Rows that a full quota drops, class by class, the oldest of each first. `Chosen:` a record that the control plane has goes
 * before one that it lacks; of those an attempt of a stranger goes first, an alarm last, as a month without WAN must not cost the
 * record of an alarm while there are calls to drop.
 */
const LEAST_FIRST = ['sent = 1', "kind = 'attempt'", "kind NOT IN ('alarm', 'alarmSent')", 'TRUE'] as const;

/** The statements of the writer. */
export function recordRows(db: Sqlite, quotaBytes: number) {
  const known = db.prepare<[string], { result: string }>('SELECT result FROM record WHERE record_id = ?');
  const put = db.prepare(
    `INSERT OR REPLACE INTO record
       (record_id, at, kind, result, device, caller, called, receiver, protocol, session_id, trace_id, body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const sent = db.prepare('UPDATE record SET sent = 1 WHERE sent = 0 AND seq <= ?');
  const acked = db.prepare(`INSERT OR REPLACE INTO meta (key, value) VALUES ('acked', ?)`);
  const oldestOf = (which: string) =>
    db.prepare(
      `DELETE FROM record WHERE seq IN (SELECT seq FROM record WHERE ${which} ORDER BY seq LIMIT ${STEP_ROWS})`,
    );
  const leastFirst = LEAST_FIRST.map(oldestOf);
  const pragma = (name: string): number => Number(db.pragma(name, { simple: true }));
  const pageBytes = pragma('page_size');
  const usedBytes = (): number => (pragma('page_count') - pragma('freelist_count')) * pageBytes;

  /** Rows that the quota drops; pages that are free are used again. */
  function dropped(): number {
    let rows = 0;
    while (usedBytes() > quotaBytes) {
      let step = 0;
      for (const oldest of leastFirst) {
        step = oldest.run().changes;
        if (step > 0) break;
      }
      if (step === 0) break;
      rows += step;
    }
    return rows;
  }

  return {
    put: (records: readonly SessionRecord[]): { readonly rows: number; readonly dropped: number } =>
      db.transaction(() => {
        let rows = 0;
        for (const record of records) {
          // A start that comes late never takes the place of an end.
          const before = record.result === 'running' ? known.get(record.recordId) : undefined;
          if (before !== undefined && before.result !== 'running') continue;
          const { recordId, at, kind, result, deviceId, from, to, receiver, protocol, sessionId, traceId } =
            record;
          put.run(
            ...[recordId, at, kind, result, deviceId ?? null, from ?? null, to ?? null],
            ...[receiver ?? null, protocol ?? null, sessionId ?? null, traceId ?? null],
            JSON.stringify(record),
          );
          rows++;
        }
        return { rows, dropped: dropped() };
      })(),
    sent: (upTo: number): number =>
      db.transaction(() => {
        acked.run(upTo);
        return sent.run(upTo).changes;
      })(),
    clean: ({ alarmsBeforeMs, callsBeforeMs, logsBeforeMs }: RecordAge): number =>
      db
        .prepare(
          `DELETE FROM record WHERE seq IN (
             SELECT seq FROM record WHERE at < max(?, ?, ?) AND at < CASE
               WHEN kind IN ('alarm', 'alarmSent') THEN ? WHEN kind = 'attempt' THEN ? ELSE ? END
             ORDER BY at LIMIT ${STEP_ROWS})`,
        )
        .run(alarmsBeforeMs, callsBeforeMs, logsBeforeMs, alarmsBeforeMs, logsBeforeMs, callsBeforeMs)
        .changes,
  };
}
