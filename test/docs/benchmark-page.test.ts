import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Figure } from '#test/bench/support/bench.ts';
import { isDisturbed, ticksBetween } from '#test/bench/support/quiet-machine.ts';
import { benches } from '#test/bench/table/bench-list.ts';
import { benchmarkPage, type KeptBench, newestOf } from '#test/bench/table/benchmark-table.ts';
import measured from '#test/bench/table/measured.json' with { type: 'json' };

const figure: Figure = {
  row: '3f',
  what: 'alarms',
  unit: 'µs',
  ours: 150,
  peer: 100,
  judged: 1.5,
  gate: 2.5,
  ambition: 1.6,
  wanted: 'most',
  spread: [1.4, 1.61],
};
const DAY = Date.UTC(2026, 10, 26);
const machine = {
  cpu: 'Some CPU',
  cores: 2,
  memoryGb: 24,
  kernel: '6.1.0',
  versions: { Node: '24.21.0', kamailio: '5.6.3-2' },
};
const kept = (fields: Partial<KeptBench>): KeptBench => ({
  row: 3,
  name: 'alarm-rate',
  atMs: DAY,
  machine,
  figures: [figure],
  notes: ['64 under way'],
  ...fields,
});
const names = [
  { row: 2, name: 'alarm-latency' },
  { row: 3, name: 'alarm-rate' },
];

describe('the table of benchmarks', () => {
  it('has machine, versions, date, load, figure, peer, ratio and spread', () => {
    const page = benchmarkPage(names, [kept({})]);
    expect(page).toContain(
      '| 3f | alarm-rate | alarms | 150 µs | 100 µs | 1.50 × | 1.40 to 1.61 | ≤ 2.5 × | ≤ 1.6 × | ambition | 1 | 2026-11-26 |',
    );
    expect(page).toContain('Some CPU, 2 cores, 24 GB, Linux 6.1.0; Node 24.21.0, kamailio 5.6.3-2');
    expect(page).toContain('- 64 under way');
  });

  it('says of a row that was not run since when, or that it never was', () => {
    const page = benchmarkPage(names, [
      kept({}),
      kept({ row: 2, name: 'alarm-latency', atMs: DAY - 3 * 86_400_000 }),
    ]);
    expect(page).toContain('not run since 2026-11-23');
    expect(benchmarkPage(names, [kept({})])).toContain('| 2 | alarm-latency | not run on a quiet machine');
  });

  it('keeps the newest results of each benchmark, and says which machine they are of', () => {
    const other = { ...machine, cpu: 'Another CPU' };
    const older = kept({ atMs: DAY - 1, notes: ['older'] });
    const second = kept({ row: 2, name: 'alarm-latency', machine: other });
    const page = benchmarkPage(names, newestOf([older, second], [kept({})]));
    expect(page).not.toContain('older');
    expect(page).toContain('1. Another CPU');
    expect(page).toContain('2. Some CPU');
    expect(page).toMatch(/^\| 3f .*\| 2 \| 2026-11-26 \|$/m);
  });

  it('calls a figure void that does not count', () => {
    const lost = JSON.parse(JSON.stringify({ ...figure, judged: Number.POSITIVE_INFINITY })) as Figure;
    expect(benchmarkPage(names, [kept({ figures: [lost] })])).toContain(
      '| 100 µs | void | 1.40 to 1.61 | ≤ 2.5 × | ≤ 1.6 × | void |',
    );
  });

  it('is docs/benchmarks.md, with a row for every benchmark', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/benchmarks.md'), 'utf8');
    expect(page).toBe(benchmarkPage(benches, measured.benches as readonly KeptBench[]));
    expect(benches.filter(({ name }) => !page.includes(`| ${name} |`)).map(({ name }) => name)).toEqual([]);
  });
});

describe('a run that is disturbed', () => {
  it.each([
    ['nothing', { foreign: 0.02, steal: 0.02 }, false],
    ['other programs', { foreign: 0.021, steal: 0 }, true],
    ['the host of the machine', { foreign: 0, steal: 0.021 }, true],
  ])('by %s', (_, disturbance, expected) => {
    expect(isDisturbed(disturbance)).toBe(expected);
  });

  it('is known apart from its own processes and from those of the kernel', () => {
    const all = [
      // A grandchild stands before its parent.
      { pid: 12, parent: 11, ticks: 4 },
      { pid: 2, parent: 0, ticks: 8 },
      { pid: 3, parent: 2, ticks: 16 },
      { pid: 10, parent: 1, ticks: 1 },
      { pid: 11, parent: 10, ticks: 2 },
      { pid: 1, parent: 0, ticks: 32 },
      { pid: 13, parent: 1, ticks: 64 },
    ];
    const began = all.map((each) => ({ ...each, ticks: 0 }));
    expect(ticksBetween(began, all, 10)).toBe(32 + 64);
  });

  it('does not count those whose parent had ended, when they end', () => {
    const own = { pid: 10, parent: 1, ticks: 0 };
    const left = { pid: 14, parent: 1, ticks: 50 };
    const other = { pid: 15, parent: 1, ticks: 5 };
    expect(ticksBetween([own, left, other], [own, { ...other, ticks: 9 }], 10)).toBe(4);
  });
});
