import type { Command } from 'commander';
import { exitCode, Stop } from '../exit-code.ts';
import { inWords } from '../io/file/readable-file.ts';
import { dim, green, red, say } from '../io/terminal/terminal.ts';
import type { Dc09Run, Programs } from '../program.ts';
import { account, aesKey, hostPort, oneOf, wholeNumber } from './option/option-word.ts';

interface Dc09Flags {
  readonly to: string;
  readonly transport: Dc09Run['transport'];
  readonly account: string;
  readonly token: Dc09Run['token'];
  readonly data?: string;
  readonly key?: string;
  readonly count: number;
  readonly json?: boolean;
}

/** Data that makes an alarm in each format: burglary in zone 1. */
const USUAL = { 'SIA-DCS': 'NBA01', 'ADM-CID': '1130 01 001', NULL: '' };

/** `carillon simulate dc09`: a security panel. */
export function simulateDc09Command(simulate: Command, programs: Programs): void {
  simulate
    .command('dc09')
    .description('Sends DC-09 frames as a panel does; ends 0 only when every frame was acknowledged.')
    .option('--to <host:port>', 'appliance', hostPort, '127.0.0.1:6060')
    .option('--transport <name>', 'tcp or udp', oneOf(['tcp', 'udp']), 'tcp')
    .option('--account <hex>', '3 to 16 hexadecimal digits', account, '1234')
    .option('--token <name>', 'SIA-DCS, ADM-CID or NULL', oneOf(['SIA-DCS', 'ADM-CID', 'NULL']), 'SIA-DCS')
    .option('--data <text>', 'event data, NBA01 or 1130 01 001')
    .option('--key <hex>', 'AES key of 32, 48 or 64 hexadecimal digits: frames are encrypted', aesKey)
    .option('--count <n>', 'how many frames', wholeNumber, 1)
    .option('--json', 'one JSON object')
    .addHelpText('after', '\nExample:\n  carillon simulate dc09 --account 1234 --data NFA03')
    .action((flags: Dc09Flags) => dc09(flags, programs));
}

async function dc09(flags: Dc09Flags, programs: Programs): Promise<void> {
  const quiet = flags.json === true;
  let outcome: Awaited<ReturnType<Programs['simulateDc09']>>;
  try {
    outcome = await programs.simulateDc09({
      ...flags,
      data: flags.data ?? USUAL[flags.token],
      key: flags.key,
      onStep: ({ atMs, text }) => {
        if (!quiet && flags.count === 1) say(`${dim(`${atMs.toFixed(1).padStart(8)} ms`)}  ${text}`);
      },
    });
  } catch (cause) {
    throw new Stop(exitCode.tryAgain, `${inWords((cause as Error).message)}; is the appliance running?`);
  }
  if (quiet) say(JSON.stringify(outcome));
  else {
    const all = `${outcome.acknowledged} of ${outcome.sent} frames acknowledged`;
    say(outcome.acknowledged === outcome.sent ? green(all) : red(all));
  }
  if (outcome.acknowledged < outcome.sent)
    throw new Stop(exitCode.tryAgain, outcome.failures[0] ?? 'a frame was not acknowledged');
}
