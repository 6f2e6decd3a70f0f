import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { exitCode, Stop } from '../exit-code.ts';
import { releaseKeys } from '../release/index.ts';
import { signingKey } from './build-option.ts';
import { publicKeyText } from './minisign.ts';

/** One in use, one whose secret half lies in a safe. */
const MOST_KEYS = 2;
const PROGRAM = 'node installer/build/release-key.ts';

/** Makes the key that releases are signed by, and lets the builds from now on trust it. */
const command = new Command(PROGRAM)
  .description(
    'Makes a key that releases are signed by (or takes one that is there) and writes its public half into the builds from now on.',
  )
  .argument('<file>', 'the secret key; made when it is not there')
  .option('--keys <file>', 'public keys of the builds', join(import.meta.dirname, '../io/release-keys.pub'))
  .addHelpText('after', `\nExample:\n  ${PROGRAM} /media/stick/carillon.key`)
  .showHelpAfterError(`(${PROGRAM} --help says how)`)
  .allowExcessArguments(false)
  .exitOverride()
  .action(trust);
try {
  command.parse();
} catch (cause) {
  if (cause instanceof CommanderError) process.exit(cause.exitCode === 0 ? exitCode.done : exitCode.wrongUse);
  if (!(cause instanceof Stop)) throw cause;
  console.error(cause.message);
  process.exit(cause.code);
}

function trust(file: string, { keys }: { readonly keys: string }): void {
  const before = existsSync(keys) ? readFileSync(keys, 'utf8') : '';
  const known = releaseKeys(before).length;
  const own = existsSync(file) ? publicKeyText(signingKey(file)) : undefined;
  if (own !== undefined && before.includes(own)) {
    say(`${keys} holds the key of ${file} already.`);
    return;
  }
  if (known >= MOST_KEYS)
    throw new Stop(
      exitCode.wrongUse,
      `${keys} holds ${known} keys, one in use and one in a safe. Take out the lines of the one that nobody signs by any more.`,
    );
  if (own === undefined) make(file);
  writeFileSync(keys, before + (own ?? publicKeyText(signingKey(file))));
  say(`Builds from now on take upgrades that are signed by ${file}: npm run build -- --key ${file}`);
  if (known + 1 < MOST_KEYS)
    say('Make a second key, and lay it in a safe: if this one is lost, installed hosts know that one.');
}

/** By minisign itself, without a password: a build cannot ask a person. */
function make(file: string): void {
  try {
    execFileSync('minisign', ['-G', '-W', '-s', file, '-p', `${file}.pub`], { stdio: 'pipe' });
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      throw new Stop(exitCode.missing, 'minisign is not here: apt-get install minisign.');
    throw new Stop(exitCode.disk, `The key cannot be made: ${message.split('\n').at(-2) ?? message}`);
  }
}

function say(line: string): void {
  console.log(line);
}
