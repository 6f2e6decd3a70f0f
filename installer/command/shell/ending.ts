import { type Command, CommanderError } from 'commander';
import { exitCode, Stop } from '../../exit-code.ts';
import { systemReason } from '../../io/file/readable-file.ts';
import { complain, red } from '../../io/terminal/terminal.ts';

/**
 * Runs a command to its end and gives its exit code. It stands in the program that throws: in the binary each program has classes
 * of its own, so that another program does not know a `Stop` of this one.
 */
export async function ended(root: Command, words: readonly string[]): Promise<number> {
  try {
    await root.parseAsync(words, { from: 'user' });
    return exitCode.done;
  } catch (cause) {
    if (cause instanceof CommanderError) return cause.exitCode === 0 ? exitCode.done : exitCode.wrongUse;
    if (!(cause instanceof Stop)) return unexpected(cause);
    complain(red(cause.message));
    return cause.code;
  }
}

/** A failure of network or disk is said in words; anything else is a defect, whose stack its author needs. */
function unexpected(cause: unknown): number {
  const words = systemReason(cause);
  if (words === undefined) throw cause;
  complain(red(words));
  return exitCode.unexpected;
}
