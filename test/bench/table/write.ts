import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { benches } from './bench-list.ts';
import { benchmarkPage, type KeptBench } from './benchmark-table.ts';

/** Writes `docs/benchmarks.md` from the results of this checkout: `node test/bench/table/write.ts`. */
const root = join(import.meta.dirname, '..', '..', '..');
const results = join(root, 'test', 'bench', 'results.json');
if (!existsSync(results)) {
  console.error('test/bench/results.json is missing: run `npm run bench` on a quiet machine first');
  process.exit(66);
}
const { benches: kept } = JSON.parse(readFileSync(results, 'utf8')) as { benches: readonly KeptBench[] };
writeFileSync(join(root, 'docs', 'benchmarks.md'), benchmarkPage(benches, kept));
