import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Bench, type BenchResult, type Figure, verdictOf } from './support/bench.ts';
import { disturbanceText, isDisturbed, watchMachine } from './support/quiet-machine.ts';
import { benches } from './table/bench-list.ts';
import { type Machine, thisMachine } from './table/machine.ts';

/** `atMs`: when it ended. */
type Named = BenchResult &
  Pick<Bench, 'row' | 'name'> & {
    readonly atMs: number;
    readonly machine: Machine;
  };

const [wanted, quick] = split(process.argv.slice(2));
const chosen =
  wanted.length === 0 ? benches : benches.filter((bench) => wanted.some((name) => names(bench, name)));
const unknown = wanted.filter((name) => !benches.some((bench) => names(bench, name)));
if (unknown.length > 0) {
  const known = benches.map(({ row, name }) => `${row} ${name}`).join(', ');
  console.error(`no such benchmark: ${unknown.join(', ')}; there are ${known}`);
  process.exit(64);
}

const results: Named[] = [];
const voided: string[] = [];
const machine = thisMachine();
for (const { row, name, isSeeded, run } of chosen) {
  console.log(`\n${row} ${name}${quick ? ' (quick: the figures do not count)' : ''}`);
  let watch = watchMachine();
  const onPrepared = (): void => {
    watch = watchMachine();
  };
  const result = await run({ quick, say: (text) => console.log(`  ${text}`), onPrepared });
  const disturbance = watch.end();
  const isVoid = isSeeded !== true && isDisturbed(disturbance);
  const notes = [...result.notes, disturbanceText(disturbance)];
  for (const note of notes) console.log(`  - ${note}`);
  if (isVoid && !quick) {
    voided.push(name);
    console.log('  VOID: the machine was not quiet; these figures do not count and are not written');
  } else results.push({ row, name, atMs: Date.now(), machine, ...result, notes });
}

const figures = results.flatMap((result) => result.figures);
console.log(`\n${table(figures)}`);
if (!quick) keep(results);
if (voided.length > 0) console.log(`\nvoid, run again on a quiet machine: ${voided.join(', ')}`);
const isMissed = figures.some((figure) => verdictOf(figure) === 'MISSED');
process.exitCode = isMissed || voided.length > 0 ? 1 : 0;

function split(args: readonly string[]): [readonly string[], boolean] {
  return [args.filter((arg) => arg !== '--quick'), args.includes('--quick')];
}

function names({ row, name }: Bench, asked: string): boolean {
  return asked === String(row) || asked === name;
}

function table(rows: readonly Figure[]): string {
  const head = ['row', 'what', 'ours', 'peer', 'ratio', 'gate', 'ambition', 'verdict'];
  const cells = rows.map((figure) => [
    String(figure.row),
    figure.what,
    `${rounded(figure.ours)} ${figure.unit}`,
    figure.peer === undefined ? '-' : `${rounded(figure.peer)} ${figure.unit}`,
    figure.peer === undefined ? '-' : `${rounded(figure.judged)} ×`,
    bound(figure, figure.gate),
    bound(figure, figure.ambition),
    verdictOf(figure),
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return [head, widths.map((width) => '-'.repeat(width)), ...cells].map(line).join('\n');
}

function bound({ wanted, peer, unit }: Figure, value: number): string {
  return `${wanted === 'most' ? '≤' : '≥'} ${value} ${peer === undefined ? unit : '×'}`;
}

function rounded(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

interface Kept {
  readonly benches: readonly { readonly row: number; readonly name: string }[];
}

/** Into `results.json`: benchmarks that were not run keep what an earlier run found. */
function keep(ran: readonly Named[]): void {
  const file = new URL('./results.json', import.meta.url);
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Kept).benches : [];
  const benched = ran.map(({ figures: rows, ...rest }) => ({
    ...rest,
    figures: rows.map((figure) => ({ ...figure, verdict: verdictOf(figure) })),
  }));
  const others = before.filter(({ name }) => !ran.some((each) => each.name === name));
  const all = [...others, ...benched].sort((a, b) => a.row - b.row);
  writeFileSync(file, `${JSON.stringify({ benches: all }, undefined, 2)}\n`);
}
