import type { CodeRow, CodeTable } from './code-table.ts';
import { codeTable } from './code-table.ts';
import { type EventRow, type EventTable, eventTable } from './event-table.ts';

/** The built-in table with rows of a tenant on it: a row replaces the one with its code, and is sent before any other. */
export function ownCodeTable(
  built: CodeTable,
  rows: readonly CodeRow[],
  setting: Parameters<typeof codeTable>[1],
): CodeTable {
  if (rows.length === 0) return built;
  const own = codeTable(rows, setting);
  return codeTable(
    [...own.rows, ...built.rows.filter(({ code }) => own.lookup(code) === undefined)],
    setting,
  );
}

export function ownEventTable<Row extends EventRow>(
  built: EventTable<Row>,
  rows: readonly Row[],
): EventTable<Row> {
  if (rows.length === 0) return built;
  const own = eventTable(rows);
  return eventTable([...own.rows, ...built.rows.filter(({ code }) => own.lookup(code) === undefined)]);
}
