import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from './program.ts';

export interface SippRun {
  /** Name of a file in `sipp/`. */
  readonly scenario: string;
  /** Takes what comes with a Call-ID of its own. */
  readonly outOfCall?: string;
  readonly transport: 'udp' | 'tcp';
  readonly port: number;
  readonly domain: string;
  /** One call for each line; `[field0]` is the first of its values. */
  readonly calls: readonly (readonly string[])[];
  /** Calls begun in a second. */
  readonly perSecond?: number;
  /** SIPp gives up after so many seconds. */
  readonly withinS?: number;
  /** Most calls at a time. */
  readonly atOnce?: number;
}

export interface SippOutcome {
  /** 0: every call came to its end as the scenario tells it. */
  readonly code: number;
  /** What `<log>` wrote, whole. */
  readonly log: string;
  /** Every message as it was on the wire, sent and received. */
  readonly messages: string;
  readonly errors: string;
}

const scenarios = new URL('../sipp/', import.meta.url).pathname;

/** Runs SIPp with a scenario of ours against `127.0.0.1:port`. */
export async function runSipp(run: SippRun): Promise<SippOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-sipp-'));
  const file = (name: string) => join(folder, name);
  try {
    writeFileSync(file('calls.csv'), `SEQUENTIAL\n${run.calls.map((call) => call.join(';')).join('\n')}\n`);
    const { code, stderr } = await runProgram('sipp', [
      `127.0.0.1:${run.port}`,
      ...['-sf', join(scenarios, run.scenario)],
      ...(run.outOfCall === undefined ? [] : ['-oocsf', join(scenarios, run.outOfCall)]),
      ...['-inf', file('calls.csv'), '-key', 'domain', run.domain],
      ...['-t', run.transport === 'udp' ? 'u1' : 't1', '-i', '127.0.0.1'],
      ...['-m', String(run.calls.length), '-r', String(run.perSecond ?? 20), '-l', String(run.atOnce ?? 100)],
      ...['-nostdin', '-timeout', `${run.withinS ?? 10}s`, '-timeout_error', '-default_behaviors', 'none'],
      ...['-trace_logs', '-log_file', file('log'), '-trace_msg', '-message_file', file('messages')],
      ...['-trace_err', '-error_file', file('errors')],
    ]);
    const read = (name: string) =>
      readdirSync(folder).includes(name) ? readFileSync(file(name), 'utf8') : '';
    return {
      code,
      log: read('log'),
      messages: read('messages'),
      errors: complaints(read('errors')) || (code === 0 ? '' : stderr),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** SIPp also notes that an out-of-call scenario did what it is there for. */
const complaints = (errors: string): string =>
  errors
    .split(/(?=\d{4}-\d\d-\d\d\t)/)
    .filter(
      (line) => !line.includes('using the out-of-call scenario') && !line.startsWith('The following events'),
    )
    .join('');
