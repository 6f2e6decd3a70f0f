import { type Assumptions, CHOSEN, OPTIONS } from './assumptions.ts';
import { COSTS, type Costs } from './costs.ts';
import { type Simulated, simulated } from './simulation.ts';

export const SIZES = [10_000, 100_000, 1_000_000];
const HEADING = '## A model of a million hosts';

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  line(head),
  line(head.map(() => '---')),
  ...rows.map(line),
];

const grouped = (value: number): string => Math.round(value).toLocaleString('en-GB');
/** Three places are all that a model knows. */
const rounded = (value: number): string =>
  value >= 100 ? grouped(Number(value.toPrecision(3))) : String(Number(value.toPrecision(2)));

const ROWS: readonly (readonly [what: string, of: (found: Simulated) => string])[] = [
  ['replicas, one of them to spare', ({ replicas }) => grouped(replicas)],
  ['hosts of a shard', ({ shardHosts: { least, most } }) => `${grouped(least)} to ${grouped(most)}`],
  ['largest replica when one is lost: hosts', ({ largest }) => grouped(largest.hosts)],
  ['of its core in the busiest second, %', ({ largest }) => rounded(largest.corePercent)],
  ['its memory, MB', ({ largest }) => rounded(largest.memoryMb)],
  [
    'heartbeats/s, and in the busiest second',
    ({ heartbeatsPerS: { mean, peak } }) => `${rounded(mean)}, ${rounded(peak)}`,
  ],
  ['messages/s of all brokers, in and out', ({ brokerMessagesPerS }) => rounded(brokerMessagesPerS)],
  ['brokers, one of them to spare', ({ brokers }) => grouped(brokers)],
  ['HTTPS requests/s of hosts', ({ requestsPerS }) => rounded(requestsPerS)],
  ['traffic of hosts, Mbit/s', ({ mbitPerS }) => rounded(mbitPerS)],
  [
    'rows/s that the database writes, and in the busiest second',
    ({ rowsPerS: { mean, peak } }) => `${rounded(mean)}, ${rounded(peak)}`,
  ],
  ['log of the database, MB/s', ({ logMbPerS }) => rounded(logMbPerS)],
  ['events stored in a day, GB', ({ storedGbPerDay }) => rounded(storedGbPerDay)],
  ['size of the database in the end, GB', ({ keptGb }) => rounded(keptGb)],
  [
    'cores: replicas, brokers, database',
    ({ cores: { replicas, brokers, database } }) => [replicas, brokers, database].map(grouped).join(', '),
  ],
  [
    'memory, GB: replicas, brokers, database',
    ({ memoryGb: { replicas, brokers, database } }) => [replicas, brokers, database].map(rounded).join(', '),
  ],
  [
    'money a month: cores, memory, disk, traffic, requests',
    ({ money: { cores, memory, disk, traffic, requests } }) =>
      [cores, memory, disk, traffic, requests].map(rounded).join(', '),
  ],
  ['money a month in all', ({ money }) => rounded(money.all)],
];

const COST_ROWS: readonly (readonly [what: string, of: (costs: Costs) => string])[] = [
  ['heartbeat at a replica', ({ heartbeatUs }) => `${rounded(heartbeatUs)} µs`],
  ['heartbeat at a broker', ({ brokerUs }) => `${rounded(brokerUs)} µs`],
  [
    'row at the database',
    ({ rowUs }) => `${rounded(rowUs)} µs, ${rounded(Math.round(perCore(rowUs)))}/s of a core`,
  ],
  ['replica without hosts', ({ idleMsPerS, idleMb }) => `${rounded(idleMsPerS)} ms/s, ${rounded(idleMb)} MB`],
  ['database for such a replica', ({ idleDatabaseMsPerS }) => `${rounded(idleDatabaseMsPerS)} ms/s`],
  ['memory of a replica for a host', ({ hostKb }) => `${rounded(hostKb)} kB`],
  ['log for a row', ({ rowLogBytes }) => `${rounded(rowLogBytes)} B`],
  [
    'space for a host, for an event',
    ({ hostBytes, eventBytes }) => `${rounded(hostBytes)} B, ${rounded(eventBytes)} B`,
  ],
];

const perCore = (rowUs: number): number => 1e6 / rowUs;

/** The section of `docs/scale.md`, and the answer of the command. */
export function modelText(
  sizes: readonly number[] = SIZES,
  assumed: Assumptions = CHOSEN,
  costs: Costs = COSTS,
): string {
  const found = sizes.map((hosts) => simulated(hosts, costs, assumed));
  return [
    HEADING,
    '',
    '`npm run scale` prints this section. It makes the identities of so many hosts, gives them to shards and replicas as the program',
    'does, lets them speak for a day, and multiplies what happens by the costs below. Nothing of this size was run. Prices have no',
    'currency; every assumption is an option: `npm run scale -- --hosts 50000 --core-price 20`.',
    '',
    ...table(
      ['Figure', ...sizes.map((hosts) => `${grouped(hosts)} hosts`)],
      ROWS.map(([what, of]) => [what, ...found.map(of)]),
    ),
    '',
    'A replica uses one core. A shard is not divided: with more than 64 replicas some would own none. The brokers know nothing of each',
    'other; each owner is connected to all of them. A heartbeat without news writes no row; the rows are signs of life, written once in',
    'five minutes for a host, transitions, events and leases.',
    '',
    `Costs (of \`npm run bench hosts-replicas\`: ${costs.measured}):`,
    '',
    ...table(
      ['Work', 'Cost'],
      COST_ROWS.map(([what, of]) => [what, of(costs)]),
    ),
    '',
    'Assumptions, which were not measured:',
    '',
    ...table(
      ['Option', 'Value', 'Meaning'],
      OPTIONS.map(({ name, field, says }) => [`\`--${name}\``, String(assumed[field]), says]),
    ),
    '',
  ].join('\n');
}

/** The page with this section in the place of its former one. */
export function withModel(page: string, section: string): string {
  const from = page.indexOf(HEADING);
  if (from < 0) throw new Error(`docs/scale.md has no section ${HEADING}`);
  const next = page.indexOf('\n## ', from + HEADING.length);
  return `${page.slice(0, from)}${section}${next < 0 ? '' : page.slice(next)}`;
}
