import type { SessionRecord } from '#shared/contract/session-record/index.ts';
import type { RecordQuery } from '../../../record/index.ts';
import type { Sqlite } from '../database/open-sqlite.ts';

/** A record with its number, as it goes to the control plane. */
export interface NumberedRecord {
  readonly seq: number;
  readonly record: SessionRecord;
}

interface Row {
  readonly seq: number;
  readonly body: string;
}

/** The questions of readers, on a connection of their own. */
export function recordReads(db: Sqlite) {
  const unsent = db.prepare<[number, number], Row>(
    'SELECT seq, body FROM record WHERE sent = 0 AND seq > ? ORDER BY seq LIMIT ?',
  );
  const running = db.prepare<[], Row>(`SELECT seq, body FROM record WHERE result = 'running' ORDER BY seq`);
  const one = db.prepare<[string], Row>('SELECT seq, body FROM record WHERE record_id = ?');
  const acked = db.prepare<[], { value: number }>(`SELECT value FROM meta WHERE key = 'acked'`);
  return {
    unsent: (afterSeq: number, limit: number): NumberedRecord[] =>
      unsent
        .all(afterSeq, limit)
        .map(({ seq, body }) => ({ seq, record: JSON.parse(body) as SessionRecord })),
    running: (): SessionRecord[] => running.all().map(recordIn),
    byId: (recordId: string): SessionRecord | undefined => {
      const row = one.get(recordId);
      return row === undefined ? undefined : recordIn(row);
    },
    /** The number up to which the control plane has everything; 0: nothing yet. */
    acked: (): number => Number(acked.get()?.value ?? 0),
    list: (query: RecordQuery): SessionRecord[] => {
      const { sql, values } = whereOf(query);
      return db
        .prepare<unknown[], Row>(
          `SELECT seq, body FROM record WHERE ${sql} ORDER BY at DESC, record_id DESC LIMIT ?`,
        )
        .all(...values, query.limit)
        .map(recordIn);
    },
  };
}

const recordIn = ({ body }: Row): SessionRecord => JSON.parse(body) as SessionRecord;

/** The condition of a question and its values. */
function whereOf(query: RecordQuery): { readonly sql: string; readonly values: readonly unknown[] } {
  const parts: [string, ...unknown[]][] = [['at >= ? AND at < ?', query.fromMs, query.toMs]];
  const { kind, result, device, number, receiver, protocol, warning, traceId, after } = query;
  if (kind !== undefined) parts.push(['kind = ?', kind]);
  if (result !== undefined) parts.push(['result = ?', result]);
  if (device !== undefined) parts.push(['device >= ? AND device < ?', device, behind(device)]);
  if (number !== undefined) {
    const end = behind(number);
    parts.push(['((caller >= ? AND caller < ?) OR (called >= ? AND called < ?))', number, end, number, end]);
  }
  if (receiver !== undefined) parts.push(['receiver = ?', receiver]);
  if (protocol !== undefined) parts.push(['protocol = ?', protocol]);
  if (traceId !== undefined) parts.push(['trace_id = ?', traceId]);
  if (warning !== undefined)
    parts.push([
      `EXISTS (SELECT 1 FROM json_each(body, '$.warnings') WHERE substr(json_each.value, 1, ?) = ?)`,
      ...[warning.length, warning],
    ]);
  if (after !== undefined) parts.push(['(at, record_id) < (?, ?)', after.at, after.recordId]);
  return { sql: parts.map(([sql]) => sql).join(' AND '), values: parts.flatMap(([, ...values]) => values) };
}

/** Behind every text that begins with this one. */
const behind = (prefix: string): string => `${prefix}\u{10ffff}`;
