import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { noAnswerReason } from '#shared/http/index.ts';
import { exitCode, Stop } from '../../../exit-code.ts';
import { fileReason, readFileOf } from '../../../io/file/readable-file.ts';
import { ownSigningKey, readSigningKey, type SigningKeyFile } from '../../../io/file/signing-key.ts';
import { complain, dim, say } from '../../../io/terminal/terminal.ts';
import type { Programs, Rehearsal, RehearsalResult } from '../../../program.ts';
import { baseOf, type CallbackTarget, callbackTarget } from '../../../step/callback-target.ts';
import { addressesOf } from '../../../step/demo-callback.ts';
import { seconds } from '../../option/option-word.ts';
import { jsonReport, junitReport, resultLine, scoreLine, scoreOf } from './report.ts';

interface Flags {
  readonly callback?: string;
  readonly key?: string;
  readonly nextKey?: string;
  readonly audience?: string;
  readonly domain?: string;
  readonly timeout: number;
  readonly ca?: string;
  readonly only?: readonly string[];
  readonly list?: boolean;
  readonly markdown?: boolean;
  readonly json?: boolean;
  readonly junit?: string;
  readonly data: string;
}

const DOMAIN = 'rehearsal.carillon.test';

/** `carillon rehearse`: forty situations for the application of a customer, before people depend on it. */
export function rehearseCommand(root: Command, programs: Programs): void {
  root
    .command('rehearse')
    .summary('forty situations for your application, with a score')
    .description(
      'Sends your application forty situations of a real site (repeats, outages, forgeries, slow networks …) by the delivery of the appliance, and says what it did wrong and where the documentation explains it.',
    )
    .option('--callback <url>', 'your application: http://localhost:PORT, or https://…')
    .option(
      '--key <file>',
      'private key that signs, in PEM, or a file with a shared secret (default: one is made)',
    )
    .option('--next-key <file>', 'key that follows when keys change (default: one is made)')
    .option('--audience <origin>', 'aud of the tokens (default: the origin of --callback)')
    .option('--domain <domain>', `tenant, iss of the tokens (default: ${DOMAIN})`)
    .option('--timeout <seconds>', 'callbackTimeout of your receiver', seconds, 5)
    .option('--ca <file>', 'PEM file of the authority that issued the certificate of your application')
    .option('--only <names>', 'these situations, with commas', (text) => text.split(','))
    .option('--list', 'lists the situations and ends')
    .addOption(new Option('--markdown', 'with --list: the page of the documentation').hideHelp())
    .option('--json', 'the report as one JSON object')
    .option('--junit <file>', 'writes the report as XML of JUnit for your CI')
    .option('--data <folder>', 'where keys are kept, and where a demo has run', './.carillon')
    .addHelpText(
      'after',
      '\nExamples:\n  carillon rehearse --callback http://localhost:3000\n  carillon rehearse --callback https://app.example --key key.pem --junit rehearsal.xml\n  carillon rehearse --callback http://localhost:3000 --only twice,outage\n\nEnds with 0 when every situation went well, and with 3 when one did not.',
    )
    .action((flags: Flags) => rehearse(flags, programs));
}

async function rehearse(flags: Flags, programs: Programs): Promise<void> {
  const rehearsal = await programs.rehearsal();
  if (flags.list === true) return printList(rehearsal, flags.markdown === true);
  if (flags.callback === undefined)
    throw new Stop(
      exitCode.wrongUse,
      'The address is missing: add --callback http://localhost:PORT, or https://…',
    );
  checkNames(flags.only, rehearsal);
  const target = callbackTarget('--callback', flags.callback);
  const check = checkOf(flags, target);
  const front = target.kind === 'direct' ? undefined : await openFront(rehearsal, target, flags.data);
  const open = await rehearsal.open({
    ...check,
    id: randomBytes(4).toString('hex'),
    url: front?.url ?? baseOf(target),
    timeoutMs: flags.timeout * 1_000,
    allowPrivate: front === undefined ? await addressesOf(target) : ['127.0.0.0/8'],
    ca: front?.ca ?? (flags.ca === undefined ? [] : [readFileOf(flags.ca).toString('utf8')]),
    isTls: front === undefined,
  });
  try {
    if (flags.json !== true) printCheck(check);
    judgeGreeting(await open.greet(), baseOf(target), check);
    const show = (result: RehearsalResult): void => {
      if (flags.json !== true) say(resultLine(result));
    };
    conclude(flags, baseOf(target), await open.rehearse(flags.only, show));
  } finally {
    await open.close();
    await front?.close();
  }
}

function conclude(flags: Flags, target: string, results: readonly RehearsalResult[]): void {
  if (flags.junit !== undefined) writeReport(flags.junit, junitReport(target, results));
  if (flags.json === true) say(JSON.stringify(jsonReport(target, results)));
  else say(`\n${scoreLine(scoreOf(results))}`);
  const { failed } = scoreOf(results);
  if (failed > 0)
    throw new Stop(
      exitCode.selfTestFailed,
      `${failed === 1 ? 'One situation' : `${failed} situations`} did not go well. Mend what the lines above say, and rehearse again.`,
    );
}

function printList({ situations, page }: Rehearsal, asPage: boolean): void {
  if (asPage) return void process.stdout.write(page());
  for (const { name, sent } of situations) say(`${name.padEnd(22)}  ${sent}`);
}

function checkNames(only: readonly string[] | undefined, { situations }: Rehearsal): void {
  const unknown = only?.find((name) => !situations.some((situation) => situation.name === name));
  if (unknown !== undefined)
    throw new Stop(
      exitCode.wrongUse,
      `--only ${unknown}: there is no such situation. carillon rehearse --list names them.`,
    );
}

/** The facts by which the application checks callbacks. */
interface Check {
  readonly audience: string;
  readonly domain: string;
  readonly key: SigningKeyFile;
  readonly nextKey: SigningKeyFile;
}

/**
 * Chosen: where a demo has run and no key is named, its key, audience and tenant are used: an application that was written against
 * the demo is rehearsed as it is.
 */
function checkOf(flags: Flags, { url }: CallbackTarget): Check {
  const demo = flags.key === undefined ? demoCheck(join(flags.data, 'demo')) : undefined;
  const own = join(flags.data, 'rehearsal');
  const nextKey =
    flags.nextKey === undefined
      ? ownSigningKey(join(own, 'next-key.pem'))
      : readSigningKey(flags.nextKey, '--next-key');
  return {
    audience: flags.audience ?? demo?.audience ?? url.origin,
    domain: flags.domain ?? demo?.domain ?? DOMAIN,
    key:
      demo?.key ??
      (flags.key === undefined ? ownSigningKey(join(own, 'key.pem')) : readSigningKey(flags.key, '--key')),
    nextKey,
  };
}

function demoCheck(folder: string): Omit<Check, 'nextKey'> | undefined {
  const [ready, kept] = [join(folder, 'ready.json'), join(folder, 'demo.json')];
  if (!existsSync(ready) || !existsSync(kept)) return undefined;
  const { audience, issuer, callbackKey, callback } = JSON.parse(readFileSync(ready, 'utf8'));
  // A demo that answers its callbacks itself has no application that knows its key.
  if (callback === undefined) return undefined;
  const { privateKeyPem } = JSON.parse(readFileSync(kept, 'utf8'));
  return { audience, domain: issuer, key: { type: 'ES256', secret: privateKeyPem, publicFile: callbackKey } };
}

function printCheck({ audience, domain, key, nextKey }: Check): void {
  const said = ({ type, publicFile }: SigningKeyFile): string =>
    `${type}${publicFile === undefined ? '' : ` ${publicFile}`}`;
  complain(
    dim(
      `Your application checks with: ${said(key)}, next key ${said(nextKey)}, aud ${audience}, iss ${domain}`,
    ),
  );
}

type Open = Awaited<ReturnType<Rehearsal['open']>>;

/** Without an application, or with one that knows another key, no situation would say anything. */
function judgeGreeting(greeting: Awaited<ReturnType<Open['greet']>>, target: string, check: Check): void {
  if (greeting.kind === 'unreached') throw unreached(target, greeting.reason);
  if (greeting.kind === 'heard') return;
  const { type, publicFile } = check.key;
  const half = publicFile === undefined ? `the ${type} key of --key` : `the ${type} key ${publicFile}`;
  throw new Stop(
    exitCode.wrongConfiguration,
    `Your application refuses a callback that is signed well (${greeting.status} ${greeting.body.slice(0, 200)}). Give it ${half}, audience ${check.audience} and tenant ${check.domain}, or name the key that it knows by --key.`,
  );
}

const unreached = (target: string, reason: string): Stop =>
  new Stop(
    exitCode.tryAgain,
    `Your application cannot be reached at ${target}: ${reason}. Start it, and rehearse again.`,
  );

/** Plain http on this machine gets an address that speaks TLS, since callbacks leave a host over https only. */
async function openFront(rehearsal: Rehearsal, { url }: CallbackTarget, data: string) {
  const { demoAuthority } = await import('../../../io/demo-authority.ts');
  const authority = await demoAuthority(join(data, 'rehearsal'));
  const certificate = await authority.issue(['127.0.0.1', 'localhost']);
  const front = await rehearsal.front(url, certificate).catch((cause: unknown) => {
    throw unreached(url.origin, noAnswerReason(cause));
  });
  return { ...front, ca: [readFileSync(authority.file, 'utf8')] };
}

function writeReport(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (cause) {
    throw new Stop(exitCode.disk, `--junit ${file} cannot be written: ${fileReason(cause)}.`);
  }
}
