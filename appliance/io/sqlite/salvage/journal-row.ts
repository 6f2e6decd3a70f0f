import type { FileValue } from '#shared/sqlite-file/index.ts';

/** A row of the journal, recognised by its values alone: nothing may lead to the page that it was found on. */
export interface FoundRow {
  readonly table: JournalTable;
  readonly rowId: number | undefined;
  readonly columns: readonly string[];
  readonly values: readonly (string | number | null)[];
}

export type JournalTable = keyof typeof TABLES;

type Check = (value: FileValue | undefined) => boolean;

const text: Check = (value) => typeof value === 'string';
const name: Check = (value) => typeof value === 'string' && value !== '';
const maybe: Check = (value) => value === null || typeof value === 'string';
const number: Check = (value) => typeof value === 'number';
const maybeNumber: Check = (value) => value === null || typeof value === 'number';
const flag: Check = (value) => value === 0 || value === 1;
const oneOf =
  (...words: string[]): Check =>
  (value) =>
    typeof value === 'string' && words.includes(value);
/** A later reader must not fail at it. */
const json: Check = (value) => {
  if (typeof value !== 'string') return false;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
};
const counter = oneOf('boot', 'epoch', 'runningMs');
const lane = oneOf('alarm', 'svc', 'audit', 'usage');

/**
 * Columns in the order in which the file keeps them, and what each may hold. A column of a later step of the schema may be absent:
 * rows from before it stand so on their pages. No two tables fit the same row, nor does an index fit any.
 */
const TABLES = {
  session: {
    least: 9,
    columns: {
      id: name,
      trace_id: text,
      protocol: text,
      dedupe_key: maybe,
      dedupe_until: number,
      created: number,
      updated: number,
      closed: flag,
      body: json,
      rank: number,
    },
  },
  event: {
    least: 7,
    columns: {
      id: name,
      session_id: name,
      ordinal: number,
      wall: number,
      mono: number,
      boot: number,
      body: json,
    },
  },
  outbox: {
    least: 21,
    columns: {
      seq: number,
      id: name,
      lane,
      tenant: text,
      dest: text,
      order_key: text,
      type: text,
      created_wall: number,
      created_mono: number,
      boot: number,
      epoch: number,
      not_before: number,
      attempts: number,
      deadline: number,
      expire_policy: oneOf('record', 'telemetry'),
      state: oneOf('new', 'inflight', 'done', 'dead'),
      late: flag,
      last_err: maybe,
      auth_idx: number,
      settled: maybeNumber,
      body: json,
      origin: maybe,
    },
  },
  trace: {
    least: 6,
    columns: { trace_id: name, session_id: maybe, ordinal: number, at: number, kind: text, body: json },
  },
  peer_row: {
    least: 9,
    columns: {
      origin: name,
      kind: oneOf('session', 'event', 'outbox'),
      id: name,
      lane: maybe,
      dest: maybe,
      seq: number,
      at: number,
      done: flag,
      body: json,
    },
  },
  heartbeat: {
    least: 6,
    columns: {
      tenant: text,
      device_id: name,
      status: oneOf('online', 'offline'),
      last: number,
      expires: number,
      body: json,
    },
  },
  binding: {
    least: 5,
    columns: { tenant: text, aor: name, contact: name, expires: number, body: json },
  },
  meta: { least: 2, columns: { key: counter, value: number } },
} satisfies Record<string, { least: number; columns: Record<string, Check> }>;

/** Without a row id their rows stand among the entries of indexes. */
const WITHOUT_ROWID: readonly JournalTable[] = ['heartbeat', 'binding', 'meta'];
export const TABLES_WITH_ROWID: readonly JournalTable[] = ['session', 'event', 'outbox', 'trace', 'peer_row'];

/** Undefined: it is a row of no table, or one that is damaged. */
export function journalRow(rowId: number | undefined, stored: readonly FileValue[]): FoundRow | undefined {
  // A key that is the row id stands in the row as null.
  const values =
    rowId !== undefined && stored.length >= 21 && stored[0] === null ? [rowId, ...stored.slice(1)] : stored;
  for (const [table, { least, columns }] of Object.entries(TABLES) as [JournalTable, Shape][]) {
    if (WITHOUT_ROWID.includes(table) !== (rowId === undefined)) continue;
    const checks = Object.entries(columns).slice(0, values.length);
    if (values.length < least || values.length > Object.keys(columns).length) continue;
    if (!checks.every(([, fits], at) => fits(values[at]))) continue;
    return {
      table,
      rowId,
      columns: checks.map(([column]) => column),
      values: values as readonly (string | number | null)[],
    };
  }
  return undefined;
}

interface Shape {
  readonly least: number;
  readonly columns: Readonly<Record<string, Check>>;
}
