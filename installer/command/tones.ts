import { readFileSync, statSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { exitCode, Stop } from '../exit-code.ts';
import { fileReason } from '../io/file/readable-file.ts';
import { complain, dim, say } from '../io/terminal/terminal.ts';
import type { Programs } from '../program.ts';

/** Chosen: some 18 hours of a call; more is no recording that a person wants to look into as a whole. */
const MOST_BYTES = 1 << 30;

/** `carillon tones`: what the detectors of a call hear in a recording, one JSON line for each digit or tone. */
export function tonesCommand(root: Command, programs: Programs): void {
  root
    .command('tones')
    .summary('what the tone detectors hear in a file')
    .description('Prints the digits and tones that the detectors hear in a WAV file, one JSON line each.')
    .argument('<file>', 'WAV: PCM, A-law or mu-law, any rate; every channel is heard by itself')
    .addOption(
      new Option('--profile <name>', 'alarm: also single tones of alarm protocols; ivr: digits of people')
        .choices(['alarm', 'ivr'])
        .default('alarm'),
    )
    .option('--json', 'the same: the output is JSON in any case')
    .addHelpText('after', '\nExample:\n  carillon tones call.wav --profile ivr')
    .action((file: string, { profile }: { profile: 'alarm' | 'ivr' }) => tones(file, profile, programs));
}

async function tones(file: string, profile: 'alarm' | 'ivr', programs: Programs): Promise<void> {
  const sounds = await programs.hearTones(contentOf(file), profile);
  if (!sounds.ok) {
    throw new Stop(
      exitCode.damagedFile,
      `${file}: ${sounds.error.reason} Convert it first: sox ${file} -b 16 call.wav`,
    );
  }
  for (const each of sounds.value) say(JSON.stringify(each));
  if (sounds.value.length === 0) complain(dim(`${file}: no digit and no tone.`));
}

function contentOf(file: string): Uint8Array {
  try {
    const facts = statSync(file);
    if (!facts.isFile()) throw new Stop(exitCode.damagedFile, `${file} is no file; name a WAV file.`);
    if (facts.size > MOST_BYTES)
      throw new Stop(
        exitCode.damagedFile,
        `${file} is larger than 1 GiB; cut out the part that you want to look at.`,
      );
    return readFileSync(file);
  } catch (thrown) {
    if (thrown instanceof Stop) throw thrown;
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
    if (code === 'ENOENT') throw new Stop(exitCode.damagedFile, `There is no file ${file}.`);
    if (code === 'EACCES') throw new Stop(exitCode.notPermitted, `${file} may not be read by this user.`);
    throw new Stop(exitCode.damagedFile, `${file} cannot be read: ${fileReason(thrown)}.`);
  }
}
