import type { Command } from 'commander';
import { exitCode, Stop } from '../exit-code.ts';
import { inWords } from '../io/file/readable-file.ts';
import { asked, dim, green, red, say } from '../io/terminal/terminal.ts';
import type { Programs, SipRun, ToneRun } from '../program.ts';
import { toneReceiver } from '../step/demo-simulated.ts';
import { PASSWORD, passwordOf } from '../step/telephone-password.ts';
import { digits, hostPort, oneOf, seconds } from './option/option-word.ts';

interface DeviceOptions {
  readonly to: string;
  readonly transport: 'udp' | 'tcp';
  readonly domain: string;
  readonly device: string;
  readonly password?: string | undefined;
  readonly json?: boolean;
}

interface ToneFlags extends DeviceOptions {
  readonly protocol: ToneRun['protocol'];
  readonly receiver?: string;
  readonly identity: string;
  readonly talk: number;
}

interface SipFlags extends DeviceOptions {
  readonly call?: string;
  readonly srtp: SipRun['srtp'];
  readonly play?: string;
  readonly say?: string;
  readonly lang: string;
  readonly digits?: string;
  readonly talk: number;
}

const PROTOCOLS = ['bs8521', 'tt92', 'tt92-stmf', 'ttnew', 'contactId', 'p100'] as const;
const SRTP = ['negotiated', 'always', 'alwaysWithTLS', 'never'] as const;

/** `carillon simulate tone` and `carillon simulate sip`: devices and people with a telephone. */
export function simulateCallCommands(
  simulate: Command,
  programs: Programs,
  environment: NodeJS.ProcessEnv,
): void {
  withDevice(
    simulate
      .command('tone')
      .description(
        'Rings as an analogue unit and says its alarm in tones; ends 0 only when it was acknowledged.',
      ),
    'analogue-0001',
  )
    .option('--protocol <name>', PROTOCOLS.join(', '), oneOf(PROTOCOLS), 'bs8521')
    .option(
      '--receiver <name>',
      'user part that is called (default: the receiver of the demo for the protocol)',
    )
    .option('--identity <digits>', 'controller and unit', digits(1, 12), '123456780001')
    .option('--talk <seconds>', 'the call ends by itself after this', seconds, 60)
    .addHelpText('after', '\nExample:\n  carillon simulate tone --protocol bs8521')
    .action((flags: ToneFlags) => tone({ ...flags, password: passwordOf(flags, environment) }, programs));

  withDevice(
    simulate
      .command('sip')
      .description('A SIP telephone: registers, then calls a destination or answers calls.'),
    'operator',
  )
    .option('--call <user or address>', 'calls; without it the telephone waits and answers')
    .option('--srtp <policy>', SRTP.join(', '), oneOf(SRTP), 'negotiated')
    .option('--play <file>', 'a WAV, MP3 or Ogg file to play when the call is answered')
    .option('--say <text>', 'a text to speak then')
    .option('--lang <code>', 'language of the text', 'en')
    .option('--digits <digits>', 'digits to send after that')
    .option(
      '--talk <seconds>',
      'hangs up so long after everything is said; the other side may be sooner',
      seconds,
      60,
    )
    .addHelpText('after', '\nExample:\n  carillon simulate sip --device operator --say "How can I help?"')
    .action((flags: SipFlags) => sip({ ...flags, password: passwordOf(flags, environment) }, programs));
}

const withDevice = (command: Command, device: string): Command =>
  command
    .option('--to <host:port>', 'appliance', hostPort, '127.0.0.1:5060')
    .option('--transport <name>', 'udp or tcp', oneOf(['udp', 'tcp']), 'udp')
    .option('--domain <domain>', 'tenant', 'demo.carillon.test')
    .option('--device <id>', 'who it is', device)
    .option('--password <password>', PASSWORD)
    .option('--json', 'one JSON object');

const shown =
  (quiet: boolean) =>
  ({ atMs, text }: { readonly atMs: number; readonly text: string }): void => {
    if (!quiet) say(`${dim(`${atMs.toFixed(1).padStart(8)} ms`)}  ${text}`);
  };

async function tone(flags: ToneFlags, programs: Programs): Promise<void> {
  const quiet = flags.json === true;
  const outcome = await programs
    .simulateTone({
      ...flags,
      receiver: flags.receiver ?? toneReceiver(flags.protocol),
      password: flags.password,
      talkMs: flags.talk * 1_000,
      until: asked(),
      onStep: shown(quiet),
    })
    .catch(unreached);
  if (quiet) say(JSON.stringify(outcome));
  else
    say(outcome.acknowledged ? green('the alarm was acknowledged') : red('the alarm was not acknowledged'));
  if (!outcome.acknowledged)
    throw new Stop(exitCode.tryAgain, `the call ended without an acknowledge: ${outcome.ended}`);
}

async function sip(flags: SipFlags, programs: Programs): Promise<void> {
  const quiet = flags.json === true;
  const phone = await programs
    .openPhone({
      ...flags,
      user: flags.device,
      password: flags.password,
      says: {
        ...(flags.play !== undefined && { file: flags.play }),
        ...(flags.say !== undefined && { text: flags.say, lang: flags.lang }),
        ...(flags.digits !== undefined && { digits: flags.digits }),
      },
      onStep: shown(quiet),
    })
    .catch(unreached);
  const talkMs = flags.talk * 1_000;
  try {
    if (flags.call === undefined) {
      phone.answer(talkMs, (outcome) => {
        if (quiet) say(JSON.stringify(outcome));
      });
      await asked();
      return;
    }
    void asked().then(phone.hangUp);
    const outcome = await phone.call(flags.call, talkMs);
    if (quiet) say(JSON.stringify(outcome));
    if (!outcome.answered) throw new Stop(exitCode.tryAgain, `the call was not answered: ${outcome.ended}`);
  } finally {
    await phone.close();
  }
}

function unreached(cause: unknown): never {
  throw new Stop(
    exitCode.tryAgain,
    `${inWords((cause as Error).message)}; is the appliance running, and is the password right?`,
  );
}
