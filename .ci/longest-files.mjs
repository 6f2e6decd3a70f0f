// Of the JSON report of a suite (first argument): its longest files, `<seconds> s  <path>` each. Nothing without the report.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const SHOWN = 15;

const [report] = process.argv.slice(2);
if (existsSync(report)) {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const files = testResults
    .map(({ name, startTime = 0, endTime = 0 }) => ({ name, ms: endTime - startTime }))
    .toSorted((a, b) => b.ms - a.ms);
  for (const { name, ms } of files.slice(0, SHOWN))
    process.stdout.write(`${(ms / 1_000).toFixed(0).padStart(5)} s  ${relative('', name)}\n`);
}
