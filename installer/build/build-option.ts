import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError, Option } from 'commander';
import { exitCode, Stop } from '../exit-code.ts';
import { CPUS, type Cpu } from './cpu.ts';
import { readSigningKey, type SigningKey } from './minisign.ts';

/** The products of a build. */
export interface BuildOptions {
  readonly cpus: readonly Cpu[];
  readonly out: string;
  readonly binaryOnly: boolean;
  readonly signing: SigningKey | undefined;
  /** Stands in the trusted comment of each signature. */
  readonly channel: string;
  /** Level of xz for the packages. */
  readonly compression: number;
}

interface Flags {
  readonly cpu?: readonly Cpu[];
  readonly out: string;
  readonly binaryOnly: boolean;
  readonly key?: string;
  readonly channel: string;
  readonly compression: string;
}

const LEVELS = [...'0123456789'];
/** Words of a trusted comment are parted by blanks. */
const CHANNEL = /^[a-z0-9.-]+$/;

/**
 * Reads the words behind `npm run build --`. Throws a `Stop`: 64 for wrong use, 65 for a key that is none, and 0 with an
 * empty sentence when help was asked for and printed.
 */
export function buildOptions(words: readonly string[], root: string): BuildOptions {
  const command = new Command('npm run build --')
    .description(
      'Makes everything that is handed out: binaries, .run, .deb, bill of materials, sums, signatures.',
    )
    .addOption(new Option('--cpu <cpu...>', 'only for these').choices(CPUS))
    .option('--out <folder>', 'where to', join(root, 'dist'))
    .option('--binary-only', 'no packages, bill, sums and signatures', false)
    .addOption(
      new Option(
        '--key <file>',
        'sign by this key of minisign (installer/build/release-key.ts makes one)',
      ).env('CARILLON_SIGNING_KEY'),
    )
    .option('--channel <name>', 'stands in the signatures', 'stable')
    .addOption(
      new Option('--compression <level>', 'of the packages; a low one is for packages that nobody keeps')
        .choices(LEVELS)
        .default('6'),
    )
    .addHelpText(
      'after',
      '\nExample:\n  npm run build -- --cpu x64 --out /tmp/out --key /media/stick/carillon.key',
    )
    .showHelpAfterError('(npm run build -- --help lists what there is)')
    .allowExcessArguments(false)
    .exitOverride();
  try {
    command.parse(words, { from: 'user' });
  } catch (cause) {
    if (!(cause instanceof CommanderError)) throw cause;
    // It has said itself what there is to say.
    throw new Stop(cause.exitCode === 0 ? exitCode.done : exitCode.wrongUse, '');
  }
  const { cpu = CPUS, out, binaryOnly, key, channel, compression } = command.opts<Flags>();
  if (!CHANNEL.test(channel))
    throw new Stop(exitCode.wrongUse, `--channel "${channel}" is no name; write for example stable or beta.`);
  return {
    cpus: cpu,
    out,
    binaryOnly,
    signing: key === undefined ? undefined : signingKey(key),
    channel,
    compression: Number(compression),
  };
}

/** The secret key in a file; a `Stop` with 65 that says what it is instead and how to get one. */
export function signingKey(file: string): SigningKey {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Stop(
      exitCode.damagedFile,
      `${file} cannot be read (${code}). Check the path, and that the stick is mounted.`,
    );
  }
  try {
    return readSigningKey(text);
  } catch (cause) {
    throw new Stop(exitCode.damagedFile, `${file}: ${(cause as Error).message}`);
  }
}
