import type { Run } from './campaign.ts';

/** Figures side by side, one column for each run, and below what was broken. */
export function table(title: string, runs: readonly Run[]): string {
  const figures = [...new Set(runs.flatMap((run) => Object.keys(run.figures)))];
  const rows = [
    ['', ...runs.map((run) => run.name)],
    ...figures.map((figure) => [figure, ...runs.map((run) => String(run.figures[figure] ?? '-'))]),
    ['', ...runs.map((run) => (run.violations.length === 0 ? 'ok' : 'BROKEN'))],
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  const faults = runs.flatMap((run) => run.violations.map((violation) => `  ${run.name}: ${violation}`));
  return [title, ...rows.map((row) => `  ${line(row)}`), ...faults].join('\n');
}
