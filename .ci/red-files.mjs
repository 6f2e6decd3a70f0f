// Of the JSON report of a suite (first argument): a line for each file with a failure, `<tests that passed in it> <path>`.
// Nothing when the suite ended without its report.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const [report] = process.argv.slice(2);
if (existsSync(report)) {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  for (const { name, status, assertionResults } of testResults) {
    if (status !== 'failed') continue;
    const green = assertionResults.filter((each) => each.status === 'passed').length;
    process.stdout.write(`${green} ${relative('', name)}\n`);
  }
}
