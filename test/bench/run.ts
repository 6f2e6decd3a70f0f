import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { alarmLatency } from './alarm-latency.ts';
import { alarmRate } from './alarm-rate.ts';
import { bulkLoad } from './bulk-load.ts';
import { callAnswer } from './call-answer.ts';
import { callRelay } from './call-relay.ts';
import { capture } from './capture/capture.ts';
import { configurationApplied } from './configuration-applied.ts';
import { costGrowth } from './cost-growth.ts';
import { dtmf } from './dtmf.ts';
import { gsm } from './gsm.ts';
import { hosts } from './hosts.ts';
import { legLimit } from './leg-limit.ts';
import { mediaLeg } from './media-leg.ts';
import { memory } from './memory.ts';
import { messageReply } from './message-reply.ts';
import { mp3Encode } from './mp3-encode.ts';
import { promptLatency } from './prompt-latency.ts';
import { provisioningRate } from './provisioning-rate.ts';
import { registerDigest } from './register-digest.ts';
import { rtpRelay } from './rtp-relay.ts';
import { srtp } from './srtp.ts';
import { supervision } from './supervision.ts';
import { type Bench, type BenchResult, type Figure, verdictOf } from './support/bench.ts';
import { toneHandshake } from './tone-handshake.ts';

const benches: readonly Bench[] = [
  messageReply,
  alarmLatency,
  alarmRate,
  callAnswer,
  callRelay,
  registerDigest,
  rtpRelay,
  mediaLeg,
  legLimit,
  srtp,
  provisioningRate,
  bulkLoad,
  configurationApplied,
  memory,
  costGrowth,
  hosts,
  supervision,
  dtmf,
  toneHandshake,
  gsm,
  promptLatency,
  mp3Encode,
  capture,
];

type Named = BenchResult & Pick<Bench, 'row' | 'name'>;

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
for (const { row, name, run } of chosen) {
  console.log(`\n${row} ${name}${quick ? ' (quick: the figures do not count)' : ''}`);
  const result = await run({ quick, say: (text) => console.log(`  ${text}`) });
  results.push({ row, name, ...result });
  for (const note of result.notes) console.log(`  - ${note}`);
}

const figures = results.flatMap((result) => result.figures);
console.log(`\n${table(figures)}`);
if (!quick) keep(results);
process.exitCode = figures.some((figure) => verdictOf(figure) === 'MISSED') ? 1 : 0;

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
