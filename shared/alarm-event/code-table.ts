import type { CodedValue } from './alarm-event.ts';

/** One row of a protocol's code table. A row of a tenant replaces the built-in row with the same code. */
export interface CodeRow {
  /** Full width, as it is sent. */
  readonly code: string;
  /** Our name for the code. */
  readonly key: string;
  readonly meaning: string;
  /** Word of the receive list; null = none, treated like an unknown code. */
  readonly receive: string | null;
  /** Words of the send list that are sent as this code, separated by `|`; `*` = any other. */
  readonly send: string | null;
  /** Status the callback shows instead of a plain alarm, for a device type that already says what happened. */
  readonly receiveStatusCode?: string | null;
  /** How good the match is: exact, near, weak, none. */
  readonly basis: string;
  readonly note?: string;
}

export interface CodeTable {
  readonly rows: readonly CodeRow[];
  /** Row of a native code; undefined for an unknown code, which is never an error. */
  lookup(code: string): CodeRow | undefined;
  /** The native code as a coded value: first word of the row's send column, and its receive word. */
  coded(code: string): CodedValue;
  /** Row to send for a word of the send list; undefined: not expressible in this table. */
  rowFor(sendValue: string): CodeRow | undefined;
}

/**
 * Index over code rows. `integer`: codes are numbers written with any number of leading zeros; `text`: they are
 * compared as they stand. The later of two rows with one code wins, so overrides are appended.
 */
export function codeTable(
  rows: readonly CodeRow[],
  setting: { readonly compare: 'integer' | 'text' },
): CodeTable {
  const keyOf = setting.compare === 'integer' ? integerKey : (code: string) => code;
  const byCode = new Map<string, CodeRow>();
  for (const row of rows) {
    const key = keyOf(row.code);
    if (key !== undefined) byCode.set(key, row);
  }
  const bySend = new Map<string, CodeRow>();
  for (const row of byCode.values()) {
    for (const word of sendWords(row)) if (!bySend.has(word)) bySend.set(word, row);
  }
  const lookup = (code: string): CodeRow | undefined => {
    const key = keyOf(code);
    return key === undefined ? undefined : byCode.get(key);
  };
  return {
    rows: [...byCode.values()],
    lookup,
    coded(code) {
      const row = lookup(code);
      return { native: code, send: row ? (sendWords(row)[0] ?? null) : null, receive: row?.receive ?? null };
    },
    rowFor: (sendValue) => bySend.get(sendValue),
  };
}

function sendWords(row: CodeRow): readonly string[] {
  return row.send === null ? [] : row.send.split('|').filter((word) => word !== '*');
}

function integerKey(code: string): string | undefined {
  return /^\d+$/.test(code) ? code.replace(/^0+(?=\d)/, '') : undefined;
}
