import type { CodedValue } from './alarm-event.ts';
import { receiveAs } from './translation.ts';

/**
 * One row of a table whose code says several fields at once: device type, status and sometimes the place. A column
 * that is left out has no word in its list. Send columns hold several words separated by `|`; `*` = any other.
 */
export interface EventRow {
  /** As it stands on the wire. */
  readonly code: string;
  /** Our name for the code. */
  readonly key?: string;
  readonly meaning: string;
  readonly receiveDeviceType?: string;
  readonly receiveStatusCode?: string;
  readonly receiveLocation?: string;
  readonly sendDeviceType?: string;
  readonly sendStatusCode?: string;
  readonly sendLocation?: string;
  /** How good the match is: exact, near, weak, none; or where the row comes from. */
  readonly basis?: string;
  readonly note?: string;
}

/** The meaning of one native code. */
export interface CodedEvent {
  readonly deviceType: CodedValue;
  readonly statusCode: CodedValue;
  readonly location?: CodedValue;
}

export interface EventTable<Row extends EventRow = EventRow> {
  readonly rows: readonly Row[];
  /** Row of a native code; undefined for an unknown code, which is never an error. */
  lookup(code: string): Row | undefined;
  /** The native code in words of both lists; every word null when the code is unknown. */
  coded(code: string): CodedEvent;
}

/** Index over event rows. The later of two rows with one code wins, so that overrides are appended. */
export function eventTable<Row extends EventRow>(rows: readonly Row[]): EventTable<Row> {
  const byCode = new Map(rows.map((row) => [row.code, row]));
  return {
    rows: [...byCode.values()],
    lookup: (code) => byCode.get(code),
    coded(native) {
      const row = byCode.get(native);
      return {
        deviceType: word(native, row?.sendDeviceType, row?.receiveDeviceType),
        statusCode: statusWord(native, row?.sendStatusCode, row?.receiveStatusCode),
        ...(row?.receiveLocation !== undefined && {
          location: word(native, row.sendLocation, row.receiveLocation),
        }),
      };
    },
  };
}

/** Words of a send column; `*` stands for no word in particular. */
export const wordsIn = (column: string | undefined): readonly string[] =>
  column === undefined ? [] : column.split('|').filter((one) => one !== '*');

/** The native code in words: the first send word, and the receive word. */
const word = (native: string, sendColumn: string | undefined, receive: string | undefined): CodedValue => ({
  native,
  send: wordsIn(sendColumn)[0] ?? null,
  receive: receive ?? null,
});

/**
 * Deviation: not simply the first word of the send column but the first that means the receive word. The column says
 * which states are sent as the row, and that is wider than what the row says: Contact ID 100 (medical) is also sent
 * for an absent person, yet a medical alarm must not be forwarded as an absence.
 */
function statusWord(native: string, sendColumn: string | undefined, receive: string | undefined): CodedValue {
  if (receive === undefined) return word(native, sendColumn, receive);
  const send = wordsIn(sendColumn).find((one) => receiveAs('statusCode', one) === receive);
  return { native, send: send ?? null, receive };
}
