import { type Command, InvalidArgumentError } from 'commander';
import { exitCode, Stop } from '../exit-code.ts';
import { inWords } from '../io/file/readable-file.ts';
import { asked, dim, green, say } from '../io/terminal/terminal.ts';
import type { Programs } from '../program.ts';
import { PASSWORD, passwordOf } from '../step/telephone-password.ts';
import { hostPort } from './option/option-word.ts';

interface ClientFlags {
  readonly to: string;
  readonly service: string;
  readonly domain: string;
  readonly device: string;
  readonly password?: string | undefined;
  readonly seconds: number;
}

interface ServerFlags {
  readonly host: string;
  readonly port: number;
  readonly folder: string;
}

const step = ({ atMs, text }: { readonly atMs: number; readonly text: string }): void =>
  say(`${dim(`${atMs.toFixed(1).padStart(8)} ms`)}  ${text}`);

/** `carillon simulate siprec …`: both sides of a recording session. */
export function simulateSiprecCommand(
  simulate: Command,
  programs: Programs,
  environment: NodeJS.ProcessEnv,
): void {
  const siprec = simulate
    .command('siprec')
    .summary('recording sessions (SIPREC): a client that copies a call, a server that writes it to files');
  siprec
    .command('client')
    .description(
      'Copies a call of two: each has a stream and a tone; one is held, a third one joins and leaves.',
    )
    .option('--to <host:port>', 'recording server', hostPort, '127.0.0.1:5060')
    .option('--service <name>', 'recording service', 'recorder')
    .option('--domain <domain>', 'tenant', 'demo.carillon.test')
    .option('--device <id>', 'who it is', 'operator')
    .option('--password <password>', PASSWORD)
    .option('--seconds <n>', 'of each of the four stretches', seconds, 2)
    .addHelpText(
      'after',
      '\nThe tenant needs a recording service of that name (POST /callrecording/{domain}).\n\nExample:\n  carillon simulate siprec client --service recorder',
    )
    .action((flags: ClientFlags) => client({ ...flags, password: passwordOf(flags, environment) }, programs));
  siprec
    .command('server')
    .description(
      'Takes every recording session: prints its metadata, writes a WAV file with a channel per stream.',
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'UDP port', port, 5_080)
    .option('--folder <folder>', 'where the files go', '.')
    .addHelpText(
      'after',
      '\nExample:\n  carillon simulate siprec server --port 5080 --folder /tmp/recordings',
    )
    .action((flags: ServerFlags) => server(flags, programs));
}

async function client(flags: ClientFlags, programs: Programs): Promise<void> {
  const session = await programs
    .openRecordingClient({ ...flags, user: flags.device, password: flags.password, onStep: step })
    .catch((cause: unknown) => {
      const reason = inWords(cause instanceof Error ? cause.message : String(cause));
      throw new Stop(exitCode.tryAgain, `${reason}. ${adviceFor(reason, flags.service)}`);
    });
  let over = false;
  const ended = session.over.then(() => {
    over = true;
  });
  const stretches = [
    () => session.hold(0, true),
    () => session.hold(0, false),
    () => session.join('Cay', 'sip:cay@guest.example'),
    () => session.leave(),
  ];
  for (const next of stretches) {
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, flags.seconds * 1_000))]);
    if (over) break;
    await next();
  }
  if (!over) await session.end();
  await ended;
  say(green('the session was taken and recorded from its beginning to its end'));
}

/** A recording server that is busy says 503 (RFC 3261 21.5.4). */
const adviceFor = (reason: string, service: string): string =>
  reason.includes(' 503 ')
    ? 'The host has no room for a call now: try again.'
    : `Does the appliance run there, is the password right, and has the tenant a recording service ${service}?`;

async function server({ host, port, folder }: ServerFlags, programs: Programs): Promise<void> {
  const running = await programs
    .openRecordingServer({ host, port, folder, onStep: step })
    .catch((cause: unknown) => {
      throw new Stop(exitCode.tryAgain, inWords(cause instanceof Error ? cause.message : String(cause)));
    });
  say(`takes recording sessions at ${host}:${running.port} over UDP; files go to ${folder}; Ctrl-C ends it`);
  await asked();
  await running.close();
}

function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 3_600)) throw new InvalidArgumentError('Write seconds, at most 3600.');
  return value;
}

function port(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 65_535)
    throw new InvalidArgumentError('Write a port, 0 to 65535.');
  return value;
}
