import type { Command } from 'commander';
import { exitCode, Stop } from '../exit-code.ts';
import { inWords, readFileOf } from '../io/file/readable-file.ts';
import { dim, green, red, say } from '../io/terminal/terminal.ts';
import type { MessageOutcome, NowIpRun, Programs } from '../program.ts';
import { LACS_BODY, LACS_PROFILE } from '../step/demo-message.ts';
import { digits, hostPort, oneOf, seconds } from './option/option-word.ts';

interface DeviceOptions {
  readonly to: string;
  readonly transport: 'udp' | 'tcp';
  readonly domain: string;
  readonly receiver: string;
  readonly device: string;
  readonly password?: string;
  readonly json?: boolean;
}

interface NowIpFlags extends DeviceOptions {
  readonly identity: string;
  readonly event: string;
  readonly heartbeat?: boolean;
  readonly talk: number;
  readonly habit: NowIpRun['behaviour'];
}

interface LacsFlags extends DeviceOptions {
  readonly body?: string;
}

const HABITS = ['confirms', 'rejects', 'silent'] as const;

/** `carillon simulate nowip` and `carillon simulate lacs`: devices that say their alarms by SIP MESSAGE. */
export function simulateMessageCommands(simulate: Command, programs: Programs): void {
  withDevice(
    simulate
      .command('nowip')
      .description(
        'A NOW-IP controller: says its alarm by MESSAGE, calls, and answers commands; ends 0 only when it was acknowledged.',
      ),
    { receiver: 'nowip', device: 'nowip-0001' },
  )
    .option('--identity <digits>', '8 digits of the controller, 4 of the unit', digits(12), '123456780001')
    .option('--event <digits>', 'event of BS 8521; 010 is the button', digits(3), '010')
    .option('--heartbeat', 'a sign of life instead of an alarm')
    .option('--talk <seconds>', 'calls, and stays so long on the line; 0: does not call', seconds, 30)
    .option('--habit <name>', `how it takes commands: ${HABITS.join(', ')}`, oneOf(HABITS), 'confirms')
    .addHelpText('after', '\nExample:\n  carillon simulate nowip --identity 123456780001 --talk 0')
    .action((flags: NowIpFlags) => {
      const { identity, habit, talk, heartbeat, event } = flags;
      const own = {
        identity,
        behaviour: habit,
        talkMs: talk * 1_000,
        event: heartbeat === true ? undefined : event,
      };
      return tell(flags, programs.simulateNowIp({ ...deviceOptionsOf(flags), ...own }));
    });

  withDevice(
    simulate
      .command('lacs')
      .description('A LACS device: sends one XML body by MESSAGE; ends 0 only when it was answered.'),
    { receiver: 'lacs', device: 'lacs-0001' },
  )
    .option('--body <file>', 'file with the XML; {{reference}} in it is replaced')
    .addHelpText(
      'after',
      `\nThe form of LACS is not public: the receiver needs a protocol profile of kind xml that extends lacs. Without --body the\ndevice sends a body that the demo's own profile reads:\n${JSON.stringify(LACS_PROFILE, null, 2)}\n\nExample:\n  carillon simulate lacs --body alarm.xml`,
    )
    .action((flags: LacsFlags) =>
      tell(flags, programs.simulateLacs({ ...deviceOptionsOf(flags), body: bodyOf(flags.body) })),
    );
}

const withDevice = (
  command: Command,
  usual: { readonly receiver: string; readonly device: string },
): Command =>
  command
    .option('--to <host:port>', 'appliance', hostPort, '127.0.0.1:5060')
    .option('--transport <name>', 'udp or tcp', oneOf(['udp', 'tcp']), 'udp')
    .option('--domain <domain>', 'tenant', 'demo.carillon.test')
    .option('--receiver <name>', 'user part of the receiver', usual.receiver)
    .option('--device <id>', 'user part of From', usual.device)
    .option('--password <password>', 'digest password of the device, when it has one')
    .option('--json', 'one JSON object');

const deviceOptionsOf = (flags: DeviceOptions) => ({
  to: flags.to,
  transport: flags.transport,
  domain: flags.domain,
  receiver: flags.receiver,
  device: flags.device,
  password: flags.password,
  onStep: ({ atMs, text }: { readonly atMs: number; readonly text: string }): void => {
    if (flags.json !== true) say(`${dim(`${atMs.toFixed(1).padStart(8)} ms`)}  ${text}`);
  },
});

async function tell({ json }: DeviceOptions, running: Promise<MessageOutcome>): Promise<void> {
  const outcome = await running.catch((cause: unknown) => {
    throw new Stop(exitCode.tryAgain, `${inWords((cause as Error).message)}; is the appliance running?`);
  });
  if (json === true) say(JSON.stringify(outcome));
  else
    say(outcome.acknowledged ? green('the alarm was acknowledged') : red('the alarm was not acknowledged'));
  if (!outcome.acknowledged) throw new Stop(exitCode.tryAgain, `it was not acknowledged: ${outcome.ended}`);
}

function bodyOf(file: string | undefined): string {
  if (file === undefined) return LACS_BODY;
  return readFileOf(file, file, exitCode.wrongUse).toString('utf8');
}
