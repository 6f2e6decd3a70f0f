import { type Command, InvalidArgumentError } from 'commander';
import { exitCode, Stop } from '../exit-code.ts';
import { readFileOf } from '../io/file/readable-file.ts';
import { green, say } from '../io/terminal/terminal.ts';
import type { ChainPlace, Programs } from '../program.ts';
import { findLogin } from './operator/index.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface VerifyFlags {
  readonly cloud?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly head?: ChainPlace;
  readonly json?: boolean;
}

/** `carillon audit …`: the operator's look at who changed what. */
export function auditCommands(root: Command, programs: Programs, environment: Environment): void {
  const audit = root.command('audit').summary('who changed what');
  audit
    .command('verify')
    .description('Follows the hash chain of the audit log and names the first entry that does not fit.')
    .argument('[domain]', "tenant; without it the platform's own log")
    .option('--cloud <url>', 'base URL of the cloud (default: CARILLON_CLOUD, or that of the login)')
    .option('--token <token>', 'API token or JWT (default: CARILLON_TOKEN, or that of the login)')
    .option('--token-file <file>', 'file that holds the token')
    .option('--head <seq:hash>', 'a head kept elsewhere, which must still stand in the log', place)
    .option('--json', 'one JSON object')
    .addHelpText(
      'after',
      '\nExample:\n  carillon audit verify care.example --token-file .carillon/cloud/bootstrap-token\n' +
        'Ends 0 when the log is whole, 65 when it is not.',
    )
    .action((domain: string | undefined, flags: VerifyFlags) => verify(domain, flags, programs, environment));
}

async function verify(
  domain: string | undefined,
  flags: VerifyFlags,
  programs: Programs,
  environment: Environment,
): Promise<void> {
  const token = tokenOf(flags);
  const login = findLogin(environment, {
    ...(flags.cloud !== undefined && { cloud: flags.cloud }),
    ...(token !== undefined && { token }),
  });
  const verdict = await programs.verifyAudit({
    baseUrl: login.cloud,
    token: login.token,
    domain,
    kept: flags.head,
  });
  if (flags.json === true) say(JSON.stringify(verdict));
  switch (verdict.kind) {
    case 'whole':
      if (flags.json !== true) say(`${green('whole')}: ${wording(verdict.head)}${beginning(verdict.begin)}`);
      return;
    case 'broken':
      throw new Stop(
        exitCode.damagedFile,
        `${verdict.reason} Keep the database as it is and compare it with a backup.`,
      );
    case 'refused':
      throw new Stop(exitCode.refused, `The cloud refused (${verdict.status}): ${verdict.reason}`);
    case 'unreachable':
      throw new Stop(
        exitCode.tryAgain,
        `${login.cloud} does not answer: ${verdict.reason}; check --cloud and try again`,
      );
  }
}

const wording = ({ seq, hash }: ChainPlace): string =>
  seq === 0 ? 'nothing was logged yet' : `${seq} entries; head ${seq}:${hash}`;

const beginning = (begin: ChainPlace | undefined): string =>
  begin === undefined ? '' : `; the retention has removed the entries up to ${begin.seq}`;

function tokenOf({ token, tokenFile }: VerifyFlags): string | undefined {
  if (tokenFile === undefined) return token;
  return readFileOf(tokenFile, `The token file ${tokenFile}`, exitCode.missing).toString('utf8').trim();
}

function place(text: string): ChainPlace {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seq === undefined || hash === undefined)
    throw new InvalidArgumentError('Write it as the verification printed it: <number>:<64 hex digits>.');
  return { seq: Number(seq), hash };
}
