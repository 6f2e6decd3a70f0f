import type { Command } from 'commander';
import { DEVICE_COMMANDS, type DeviceCommand } from '#shared/alarm-event/index.ts';
import { exitCode, Stop } from '../exit-code.ts';
import { asked, bold, complain, dim, say } from '../io/terminal/terminal.ts';
import type { ArcRequest, Programs, ReceiveRun } from '../program.ts';
import { aesKey, oneOf, port, wholeNumber } from './option/option-word.ts';

interface ArcFlags {
  readonly protocol?: ReceiveRun['protocol'];
  readonly host: string;
  readonly port?: number;
  readonly data: string;
  readonly answer: ReceiveRun['answer'];
  readonly call?: string;
  readonly command: readonly DeviceCommand[];
  readonly talk: number;
  readonly key?: string;
  readonly json?: boolean;
}

const PROTOCOLS = [
  'scaip',
  'nowip',
  'lacs',
  'bs8521',
  'tt92',
  'tt92-stmf',
  'ttnew',
  'voicecall',
  'dc09',
] as const;
const ANSWERS = ['acknowledge', 'hold', 'busy', 'refuse', 'wrong', 'silent'] as const;
const APPLICATION_PORT = 8446;
const SIP_PORT = 5070;
const FRAME_PORT = 12_300;

/** `carillon simulate arc`: the application of a centre, or with `--protocol` a centre that receives alarms on the wire. */
export function simulateArcCommand(simulate: Command, programs: Programs): void {
  simulate
    .command('arc')
    .description(
      'An alarm receiving centre: its application, which takes callbacks and shows them; with --protocol its receiver, which takes alarms that an event sender sends.',
    )
    .option('--protocol <name>', `receives alarms: ${PROTOCOLS.join(', ')}`, oneOf(PROTOCOLS))
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option(
      '--port <port>',
      `port; ${APPLICATION_PORT}, of a receiver ${SIP_PORT}, of dc09 ${FRAME_PORT}`,
      port,
    )
    .option('--data <folder>', 'where its certificate authority is kept', './.carillon/arc')
    .option('--answer <how>', `receiver: ${ANSWERS.join(', ')}`, oneOf(ANSWERS), 'acknowledge')
    .option('--call <address>', 'receiver, scaip: the address that the device shall call')
    .option('--command <name>', 'receiver, tones and nowip: a device command, repeatable', commands, [])
    .option('--talk <seconds>', 'receiver: clears the device after this', wholeNumber, 10)
    .option('--key <hex>', 'receiver, dc09: AES key of 32, 48 or 64 hexadecimal digits', aesKey)
    .option('--json', 'one JSON object per request')
    .addHelpText(
      'after',
      '\nExamples:\n  carillon simulate arc --port 8446\n  carillon simulate arc --protocol bs8521 --command volumeUp\n  carillon simulate arc --protocol nowip --command speak\n  carillon simulate arc --protocol scaip --answer busy',
    )
    .action((flags: ArcFlags) => {
      checkFlags(flags);
      return flags.protocol === undefined
        ? application(flags, programs)
        : receiver({ ...flags, protocol: flags.protocol }, programs);
    });
}

const COMMANDED: readonly string[] = ['nowip', 'bs8521', 'tt92', 'tt92-stmf', 'ttnew'];

/** A flag that would do nothing is a mistake: its author waits for its effect. */
function checkFlags({ protocol, call, command, key, answer }: ArcFlags): void {
  const refuse = (flag: string, protocols: string): never => {
    throw new Stop(
      exitCode.wrongUse,
      `${flag} is only of a receiver of ${protocols}; leave it out, or name it with --protocol`,
    );
  };
  if (call !== undefined && protocol !== 'scaip') refuse('--call', 'scaip');
  if (key !== undefined && protocol !== 'dc09') refuse('--key', 'dc09');
  if (command.length > 0 && !COMMANDED.includes(protocol ?? '')) refuse('--command', COMMANDED.join(', '));
  if (answer !== 'acknowledge' && protocol === undefined) refuse('--answer', PROTOCOLS.join(', '));
}

async function application(flags: ArcFlags, programs: Programs): Promise<void> {
  const { demoAuthority } = await import('../io/demo-authority.ts');
  const authority = await demoAuthority(flags.data);
  const running = await programs.startArc({
    host: flags.host,
    port: flags.port ?? APPLICATION_PORT,
    certificate: await authority.issue([flags.host, 'localhost']),
    publicKeyPem: undefined,
    onRequest: (request) => say(flags.json === true ? JSON.stringify(request) : requestLine(request)),
  });
  complain(
    dim(`Give the appliance CARILLON_TRUST=${authority.file} and CARILLON_ALLOW_PRIVATE=127.0.0.0/8.`),
  );
  say(`ready ${JSON.stringify({ ...running.ready, ca: authority.file })}`);
  await asked();
  await running.close();
}

async function receiver(
  flags: ArcFlags & { readonly protocol: ReceiveRun['protocol'] },
  programs: Programs,
): Promise<void> {
  const { protocol, host, answer, call, key } = flags;
  const running = await programs
    .openReceiver({
      protocol,
      host,
      port: flags.port ?? (protocol === 'dc09' ? FRAME_PORT : SIP_PORT),
      answer,
      call,
      commands: flags.command,
      talkMs: flags.talk * 1_000,
      key,
      onStep: ({ atMs, text }) =>
        say(
          flags.json === true
            ? JSON.stringify({ atMs, text })
            : `${dim(`${atMs.toFixed(1).padStart(8)} ms`)}  ${text}`,
        ),
    })
    .catch((cause: unknown) => {
      throw new Stop(exitCode.tryAgain, `${(cause as Error).message}; choose another --host or --port`);
    });
  say(`ready ${JSON.stringify(running.ready)}`);
  await asked();
  await running.close();
}

const requestLine = (request: ArcRequest): string =>
  `${bold(request.path)} ${dim(request.traceId)} ${JSON.stringify(request.body)} -> ${JSON.stringify(request.answer)}`;

function commands(text: string, before: readonly DeviceCommand[]): readonly DeviceCommand[] {
  return [...before, oneOf(DEVICE_COMMANDS)(text)];
}
