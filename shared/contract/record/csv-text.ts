/**
 * Rows as CSV (RFC 4180). Every cell is quoted; what a spreadsheet would run as a formula is made text by an apostrophe
 * before it, for what stands in a cell may have come from a stranger's file.
 */
export const csvText = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');

const cellOf = (text: string): string =>
  `"${(/^[=+\-@\t\r\n|%]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
