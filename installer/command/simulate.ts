import type { Command } from 'commander';
import { exitCode, Stop } from '../exit-code.ts';
import { inWords, readFileOf } from '../io/file/readable-file.ts';
import { complain, dim, green, red, say } from '../io/terminal/terminal.ts';
import type { Programs, ScaipRun } from '../program.ts';
import { callAsAsked } from '../step/device-call.ts';
import { hostPort, oneOf, seconds, wholeNumber } from './option/option-word.ts';
import { simulateArcCommand } from './simulate-arc.ts';
import { simulateCallCommands } from './simulate-call.ts';
import { simulateDc09Command } from './simulate-dc09.ts';
import { simulateMessageCommands } from './simulate-message.ts';
import { simulateSiprecCommand } from './simulate-siprec.ts';
import { simulateSwarmCommand } from './simulate-swarm.ts';

interface ScaipFlags {
  readonly to: string;
  readonly transport: ScaipRun['transport'];
  readonly domain: string;
  readonly receiver: string;
  readonly device: string;
  readonly password?: string;
  readonly count: number;
  readonly rate: number;
  readonly deviceType: string;
  readonly statusCode: string;
  readonly trust?: string;
  readonly talk: number;
  readonly json?: boolean;
}

/** `carillon simulate …`: devices and centres on the same engines as the appliance. */
export function simulateCommands(root: Command, programs: Programs, environment: NodeJS.ProcessEnv): void {
  const simulate = root.command('simulate').summary('devices and alarm receiving centres to try things with');
  simulate
    .command('scaip')
    .description(
      'Sends SCAIP alarms and waits for the answers; ends 0 only when every alarm was acknowledged.',
    )
    .option('--to <host:port>', 'appliance', hostPort, '127.0.0.1:5060')
    .option('--transport <name>', 'udp, tcp or tls', oneOf(['udp', 'tcp', 'tls']), 'udp')
    .option('--domain <domain>', 'tenant', 'demo.carillon.test')
    .option('--receiver <name>', 'user part of the request URI', 'scaip')
    .option('--device <id>', 'device: From user and cid', 'scaip-0001')
    .option('--password <password>', 'digest password of the device, when it has one')
    .option('--count <n>', 'how many alarms', wholeNumber, 1)
    .option('--rate <n>', 'alarms per second; 0 = one after the other', wholeNumber, 0)
    .option('--device-type <code>', 'SCAIP dty', '0003')
    .option('--status-code <code>', 'SCAIP stc', '0010')
    .option('--trust <file>', 'PEM file of the authority, for tls')
    .option(
      '--talk <seconds>',
      'calls when the answer says so, and stays so long on the line; 0: does not call',
      seconds,
      30,
    )
    .option('--json', 'one JSON object')
    .addHelpText('after', '\nExample:\n  carillon simulate scaip --count 10 --device scaip-0002')
    .action((flags: ScaipFlags) => scaip(flags, programs));

  simulateDc09Command(simulate, programs);
  simulateMessageCommands(simulate, programs);
  simulateCallCommands(simulate, programs, environment);
  simulateSiprecCommand(simulate, programs, environment);
  simulateSwarmCommand(simulate, programs);

  simulateArcCommand(simulate, programs);
}

async function scaip(flags: ScaipFlags, programs: Programs): Promise<void> {
  const quiet = flags.json === true;
  const onStep: ScaipRun['onStep'] = ({ atMs, text }) => {
    if (!quiet && flags.count === 1) say(`${dim(`${atMs.toFixed(1).padStart(8)} ms`)}  ${text}`);
  };
  const outcome = await programs
    .simulateScaip({
      ...flags,
      password: flags.password,
      trust: flags.trust === undefined ? undefined : trusted(flags.trust),
      onStep,
      ...(speaks(flags) && { speak: (number) => speak(programs, flags, number, onStep) }),
    })
    .catch((cause: unknown) => {
      if (cause instanceof Stop) throw cause;
      throw new Stop(
        exitCode.tryAgain,
        `${inWords((cause as Error).message)}. Does the appliance run there?`,
      );
    });
  if (quiet) say(JSON.stringify(outcome));
  else {
    const all = `${outcome.acknowledged} of ${outcome.sent} alarms acknowledged`;
    say(outcome.acknowledged === outcome.sent ? green(all) : red(all));
  }
  const [first] = outcome.failures;
  if (outcome.acknowledged < outcome.sent)
    throw new Stop(exitCode.tryAgain, first ?? 'an alarm was not acknowledged');
}

/** A load of many alarms per second has no telephones, and the simulated telephone speaks no TLS. */
const speaks = ({ talk, rate, transport }: ScaipFlags): boolean =>
  talk > 0 && rate === 0 && transport !== 'tls';

async function speak(
  programs: Programs,
  { to, transport, domain, device, password, talk }: ScaipFlags,
  number: string,
  onStep: ScaipRun['onStep'],
): Promise<void> {
  if (transport === 'tls') return;
  const calling = { to, transport, domain, user: device, password };
  await callAsAsked(programs, { ...calling, ...(onStep && { onStep }) }, number, talk * 1_000).catch(
    (cause: unknown) => complain(red(`the device could not call ${number}: ${(cause as Error).message}`)),
  );
}

function trusted(file: string): string {
  return readFileOf(file).toString('utf8');
}
