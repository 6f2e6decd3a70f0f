import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from './program.ts';

export interface SippRun {
  /** Name of a file in `sipp/`, or the XML itself. */
  readonly scenario: string;
  /** Takes what comes with a Call-ID of its own. */
  readonly outOfCall?: string;
  readonly transport: 'udp' | 'tcp';
  readonly port: number;
  /** Address SIPp is at; absent: 127.0.0.1. One of IPv6 calls `::1`. */
  readonly from?: string;
  /** Port SIPp is at; absent: any. */
  readonly fromPort?: number;
  /** Flags of SIPp besides. */
  readonly flags?: readonly string[];
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
  /** The whole text that `<log>` wrote. */
  readonly log: string;
  /** Every message as it was on the wire, sent and received. */
  readonly messages: string;
  readonly errors: string;
}

const scenarios = new URL('../sipp/', import.meta.url).pathname;

/** Runs SIPp with a scenario of ours against `port` on the loopback address of its family. */
export async function runSipp(run: SippRun): Promise<SippOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-sipp-'));
  const file = (name: string) => join(folder, name);
  try {
    writeFileSync(file('calls.csv'), `SEQUENTIAL\n${run.calls.map((call) => call.join(';')).join('\n')}\n`);
    const { code, stderr } = await runProgram('sipp', [
      `${run.from?.includes(':') === true ? '[::1]' : '127.0.0.1'}:${run.port}`,
      ...['-sf', scenarioFile(run.scenario, folder)],
      ...(run.outOfCall === undefined ? [] : ['-oocsf', join(scenarios, run.outOfCall)]),
      ...['-inf', file('calls.csv'), '-key', 'domain', run.domain],
      ...['-t', run.transport === 'udp' ? 'u1' : 't1', '-i', run.from ?? '127.0.0.1'],
      ...(run.fromPort === undefined ? [] : ['-p', String(run.fromPort)]),
      ...(run.flags ?? []),
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

function scenarioFile(scenario: string, folder: string): string {
  if (!scenario.startsWith('<')) return join(scenarios, scenario);
  const file = join(folder, 'scenario.xml');
  writeFileSync(file, scenario);
  return file;
}

/** SIPp also notes that an out-of-call scenario did what it is there for, and that not every message has a Contact. */
const complaints = (errors: string): string =>
  errors
    .split(/(?=\d{4}-\d\d-\d\d\t)/)
    .filter(
      (line) =>
        !line.includes('using the out-of-call scenario') &&
        !line.includes('Cannot record route set') &&
        !line.includes('watchdog timer') &&
        !line.startsWith('The following events'),
    )
    .join('');

/** The messages SIPp received, as its trace shows them. */
export function received(trace: string): string[] {
  return trace
    .split(/^-{10,}.*$/m)
    .flatMap((piece) => /message received \[\d+\] bytes\s*:\s*\n\n([\s\S]*)/.exec(piece)?.[1]?.trim() ?? []);
}
