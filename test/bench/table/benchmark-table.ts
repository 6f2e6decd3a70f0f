import { type Figure, type Verdict, verdictOf } from '../support/bench.ts';
import type { Machine } from './machine.ts';

/** A benchmark as `results.json` keeps it. */
export interface KeptBench {
  readonly row: number;
  readonly name: string;
  /** When it ended; absent in results of before 2026-11-26. */
  readonly atMs?: number;
  readonly machine?: Machine;
  readonly figures: readonly Figure[];
  readonly notes: readonly string[];
}

const HEAD = [
  'Row',
  'Benchmark',
  'Figure',
  'Ours',
  'Peer',
  'Ratio',
  'Spread',
  'Gate',
  'Ambition',
  'Verdict',
  'Machine',
  'Date',
];

const INTRODUCTION = `# Benchmarks, measured

\`node test/bench/table/write.ts\` writes this page from the results of \`npm run bench\`. A figure is the median of its
repetitions; the ratio is judged where there is a peer in the same run. A run in which others had more than 2 % of the machine does
not count and is not here. A figure in microseconds holds for its machine, a ratio for others too. [test/bench/README.md](../test/bench/README.md) has load, warm-up and repetitions of each row.`;

/** The newest results of each benchmark, in the order of the rows. */
export function newestOf(...lists: readonly (readonly KeptBench[])[]): readonly KeptBench[] {
  const newest = new Map<string, KeptBench>();
  for (const bench of lists.flat()) {
    const { atMs = 0 } = newest.get(bench.name) ?? {};
    if ((bench.atMs ?? 0) >= atMs) newest.set(bench.name, bench);
  }
  return [...newest.values()].toSorted((a, b) => a.row - b.row || a.name.localeCompare(b.name, 'en'));
}

/**
 * The table of all benchmarks: what was measured last, on which machine, and since when a row was not run. `names` are all benchmarks
 * that there are, in their order.
 */
export function benchmarkPage(
  names: readonly Pick<KeptBench, 'row' | 'name'>[],
  kept: readonly KeptBench[],
): string {
  const newestMs = Math.max(...kept.map(({ atMs = 0 }) => atMs));
  const machines = [
    ...new Set(kept.flatMap(({ machine }) => (machine === undefined ? [] : [machineText(machine)]))),
  ];
  const numberOf = ({ machine }: KeptBench): string =>
    machine === undefined ? '-' : String(machines.indexOf(machineText(machine)) + 1);
  const rows = names.flatMap((bench) => {
    const found = kept.find(({ name }) => name === bench.name);
    return found === undefined
      ? [neverRun(bench)]
      : found.figures.map((figure) => rowOf(found, figure, numberOf(found), newestMs));
  });
  const notes = kept.flatMap(({ row, name, notes: said }) => [
    `### ${row} ${name}\n`,
    ...said.map((note) => `- ${note}`),
    '',
  ]);
  return [
    INTRODUCTION,
    '',
    ...(machines.length === 0
      ? []
      : ['## Machines', '', ...machines.map((text, n) => `${n + 1}. ${text}`), '']),
    '## Figures',
    '',
    line(HEAD),
    line(HEAD.map(() => '---')),
    ...rows.map(line),
    '',
    '## Load and conditions',
    '',
    ...notes,
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}

function neverRun({ row, name }: Pick<KeptBench, 'row' | 'name'>): readonly string[] {
  return [
    String(row),
    name,
    'not run on a quiet machine since this page exists',
    ...HEAD.slice(3).map(() => '-'),
  ];
}

function rowOf(
  { name, atMs }: KeptBench,
  figure: Figure,
  machine: string,
  newestMs: number,
): readonly string[] {
  const { row, what, unit, ours, peer, judged, gate, ambition, wanted, spread } = figure;
  const sign = wanted === 'most' ? '≤' : '≥';
  const bound = peer === undefined ? ` ${unit}` : ' ×';
  return [
    String(row),
    name,
    what,
    `${rounded(ours)} ${unit}`,
    peer === undefined ? '-' : `${rounded(peer)} ${unit}`,
    peer === undefined ? '-' : ratioText(judged),
    spread === undefined ? '-' : `${rounded(spread[0])} to ${rounded(spread[1])}`,
    `${sign} ${gate}${bound}`,
    `${sign} ${ambition}${bound}`,
    Number.isFinite(judged) ? verdictText(verdictOf(figure)) : 'void',
    machine,
    dateText(atMs, newestMs),
  ];
}

const DAY_MS = 86_400_000;

function dateText(atMs: number | undefined, newestMs: number): string {
  if (atMs === undefined) return 'not noted';
  const day = new Date(atMs).toISOString().slice(0, 10);
  return newestMs - atMs > DAY_MS ? `not run since ${day}` : day;
}

const verdictText = (verdict: Verdict): string => (verdict === 'MISSED' ? '**missed**' : verdict);

const ratioText = (judged: number): string => (Number.isFinite(judged) ? `${rounded(judged)} ×` : 'void');

const machineText = ({ cpu, cores, memoryGb, kernel, versions }: Machine): string =>
  `${cpu}, ${cores} cores, ${memoryGb} GB, Linux ${kernel}; ${Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')}`;

const line = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** JSON has no infinity: a figure that does not count was written as null. */
function rounded(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return 'void';
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
