import { useRef, useState } from 'react';

/** Rows as they stand on the screen, and how many others wait. */
export interface Arranged<Row> {
  readonly rows: readonly Row[];
  readonly added: number;
}

/**
 * `newest` in the order of `before`: a row that is shown changes in place, one that left keeps its last state, and new ones
 * wait.
 */
export function inPlace<Row>(
  before: readonly Row[],
  newest: readonly Row[],
  keyOf: (row: Row) => string,
): Arranged<Row> {
  const now = new Map(newest.map((row) => [keyOf(row), row]));
  const rows = before.map((row) => now.get(keyOf(row)) ?? row);
  const shown = new Set(before.map(keyOf));
  return { rows, added: newest.filter((row) => !shown.has(keyOf(row))).length };
}

/**
 * Keeps a list still while a pointer or the focus is in it. `place` goes onto the element around the list; `subject`: another
 * one is another list.
 */
export function useSteady<Row>(newest: readonly Row[], keyOf: (row: Row) => string, subject: string) {
  const [isHeld, setHeld] = useState(false);
  const shown = useRef<{ subject: string; rows: readonly Row[] }>({ subject, rows: newest });
  const holds = isHeld && shown.current.subject === subject && shown.current.rows.length > 0;
  const arranged = holds ? inPlace(shown.current.rows, newest, keyOf) : { rows: newest, added: 0 };
  shown.current = { subject, rows: arranged.rows };
  const hold = (): void => setHeld(true);
  const release = (): void => setHeld(false);
  return {
    ...arranged,
    showAdded: release,
    place: { onPointerEnter: hold, onPointerLeave: release, onFocus: hold, onBlur: release },
  };
}
