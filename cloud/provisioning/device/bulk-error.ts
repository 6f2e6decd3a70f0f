/** A refused row. The first of a kind counts all rows that were refused for the same reason. */
export interface RowError {
  readonly row: number;
  readonly reason: string;
  /** Absent: this row alone, or it is not the first of its kind. */
  readonly times?: number;
}

/** One reason, for how many rows. */
export interface ErrorGroup {
  readonly reason: string;
  readonly times: number;
  /** The first rows of it. */
  readonly rows: number[];
}

/** Refusals that an import remembers one by one; of further ones the first of each kind, and how many. */
const ERRORS_KEPT = 1_000;
const KINDS_KEPT = 100;
const ROWS_SHOWN = 5;

/** Two reasons are of a kind when they differ in numbers alone, as in the row that a reason names. */
const kindOf = (reason: string): string => reason.replaceAll(/\d+/g, '#');

/** The errors with `late` behind them: a wrong column is one fault, however many rows have it. */
export function withErrors(known: readonly RowError[], late: readonly RowError[]): RowError[] {
  const errors: RowError[] = [...known];
  const places = new Map<string, number>();
  for (const [place, { reason }] of errors.entries())
    if (!places.has(kindOf(reason))) places.set(kindOf(reason), place);
  for (const error of late) {
    const kind = kindOf(error.reason);
    const place = places.get(kind);
    const first = place === undefined ? undefined : errors[place];
    if (place !== undefined && first !== undefined)
      errors[place] = { ...first, times: (first.times ?? 1) + 1 };
    else if (places.size < KINDS_KEPT) places.set(kind, errors.length);
    else continue;
    if (first === undefined || errors.length < ERRORS_KEPT) errors.push(error);
  }
  return errors;
}

/** The kinds among them, the most frequent first. */
export function errorGroups(errors: readonly RowError[]): ErrorGroup[] {
  const groups = new Map<string, { reason: string; times: number; seen: number; rows: number[] }>();
  for (const { row, reason, times } of errors) {
    const group = groups.get(kindOf(reason));
    if (group === undefined) groups.set(kindOf(reason), { reason, times: times ?? 1, seen: 1, rows: [row] });
    else {
      group.seen += 1;
      // Rows of an import that an earlier release began carry no count.
      group.times = Math.max(group.times, group.seen);
      if (group.rows.length < ROWS_SHOWN) group.rows.push(row);
    }
  }
  return [...groups.values()]
    .map(({ reason, times, rows }) => ({ reason, times, rows }))
    .toSorted((a, b) => b.times - a.times);
}

/** How far an import is. `about`: rows of the whole text, where that is known. */
export interface BulkCount {
  readonly status: 'STARTED' | 'COMPLETED' | 'FAILED';
  readonly dryRun: boolean;
  readonly rowCount: number;
  readonly failed: number;
  readonly about?: number | undefined;
}

/** The state of an import as a sentence. */
export function progressText({ status, dryRun, rowCount, failed, about }: BulkCount): string {
  const applied = rowCount - failed;
  const good = `${grouped(applied)} ${applied === 1 ? 'row' : 'rows'}`;
  const done = dryRun ? `${good} can be applied` : `${good} ${applied === 1 ? 'was' : 'were'} applied`;
  const bad =
    failed === 0 ? 'none was refused' : `${grouped(failed)} ${failed === 1 ? 'was' : 'were'} refused`;
  const of = about === undefined || about <= rowCount ? '' : ` of about ${grouped(about)}`;
  const read = `${grouped(rowCount)}${of} rows were read: ${done}, ${bad}`;
  if (status === 'STARTED') return `The import is running. ${read}.`;
  return status === 'COMPLETED' ? `The import has ended. ${read}.` : `The import has stopped. ${read}.`;
}

const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');
