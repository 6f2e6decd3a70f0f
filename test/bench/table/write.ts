import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { benches } from './bench-list.ts';
import { benchmarkPage, type KeptBench, newestOf } from './benchmark-table.ts';

/**
 * Adds the results of this checkout to `measured.json`, which has the newest figures of each benchmark on whatever machine it was
 * measured, and writes `docs/benchmarks.md` from it: `node test/bench/table/write.ts`.
 */
const root = join(import.meta.dirname, '..', '..', '..');
const results = join(root, 'test', 'bench', 'results.json');
const measured = join(import.meta.dirname, 'measured.json');
if (!existsSync(results)) {
  console.error('test/bench/results.json is missing: run `npm run bench` on a quiet machine first');
  process.exit(66);
}
const read = (file: string): readonly KeptBench[] => JSON.parse(readFileSync(file, 'utf8')).benches;

const kept = newestOf(read(measured), read(results));
writeFileSync(measured, `${JSON.stringify({ benches: kept }, undefined, 2)}\n`);
writeFileSync(join(root, 'docs', 'benchmarks.md'), benchmarkPage(benches, kept));
