import { bold, dim, green, red } from '../../../io/terminal/terminal.ts';
import type { RehearsalResult } from '../../../program.ts';

const PAGE = 'docs/rehearsal.md';

/** The heading of the documentation that explains a situation; a dot falls out of an anchor. */
const pageOf = (name: string): string => `${PAGE}#${name.replaceAll('.', '')}`;

const SIGN = { passed: green('✓'), failed: red('✗'), notApplicable: dim('–') } as const;

/** The line of one situation at a terminal, and below it what is to be mended. */
export function resultLine({
  name,
  verdict,
  found,
  sent,
  expected,
  advice,
  rule,
  tookMs,
}: RehearsalResult): string {
  const head = `${SIGN[verdict]} ${name.padEnd(22)}`;
  if (verdict === 'notApplicable') return `${head} ${dim('cannot happen to this application')}`;
  if (verdict === 'passed') return `${head} ${dim(`${tookMs} ms`)}`;
  return [
    `${head} ${red(`It ${found}.`)}`,
    `    sent      ${sent}`,
    `    expected  ${expected}`,
    `    mend      ${advice}`,
    `    read      ${pageOf(name)}, ${rule}`,
  ].join('\n');
}

export interface Score {
  readonly passed: number;
  readonly failed: number;
  readonly notApplicable: number;
}

export function scoreOf(results: readonly RehearsalResult[]): Score {
  const count = (verdict: RehearsalResult['verdict']): number =>
    results.filter((result) => result.verdict === verdict).length;
  return { passed: count('passed'), failed: count('failed'), notApplicable: count('notApplicable') };
}

export function scoreLine({ passed, failed, notApplicable }: Score): string {
  const left = notApplicable === 0 ? '' : `; ${notApplicable} cannot happen to this application`;
  return bold(`${passed} of ${passed + failed} situations went well${left}.`);
}

/** The report for a program. */
export const jsonReport = (target: string, results: readonly RehearsalResult[]) => ({
  target,
  ...scoreOf(results),
  situations: results.map((result) => ({ ...result, page: pageOf(result.name) })),
});

/** The report for a CI that reads JUnit's XML. */
export function junitReport(target: string, results: readonly RehearsalResult[]): string {
  const { failed, notApplicable } = scoreOf(results);
  const seconds = results.reduce((sum, { tookMs }) => sum + tookMs, 0) / 1_000;
  const head = `name="carillon rehearse ${xml(target)}" tests="${results.length}" failures="${failed}" errors="0" skipped="${notApplicable}" time="${seconds}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n<testsuite ${head}>\n${results.map(testCase).join('')}</testsuite>\n</testsuites>\n`;
}

function testCase({
  name,
  verdict,
  found = '',
  sent,
  expected,
  advice,
  rule,
  tookMs,
}: RehearsalResult): string {
  const head = `<testcase classname="carillon.rehearsal" name="${xml(name)}" time="${tookMs / 1_000}"`;
  if (verdict === 'passed') return `${head}/>\n`;
  if (verdict === 'notApplicable')
    return `${head}><skipped message="cannot happen to this application"/></testcase>\n`;
  const text = `${sent}\n${expected}\n${advice}\n${pageOf(name)}, ${rule}`;
  return `${head}><failure message="It ${xml(found)}.">${xml(text)}</failure></testcase>\n`;
}

const xml = (text: string): string =>
  text
    .replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    // XML 1.0 has no other control characters, and an answer of an application may have any.
    .replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '\ufffd');
