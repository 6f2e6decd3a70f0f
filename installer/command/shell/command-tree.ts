import type { Command } from 'commander';
import type { Programs } from '../../program.ts';

/** Commands whose code is loaded when one of their first words is called. */
export interface CommandModule {
  readonly words: readonly string[];
  readonly add: (root: Command, programs: Programs, environment: NodeJS.ProcessEnv) => Promise<void>;
}

/** A command as the help of the root shows it. */
export interface CommandSummary {
  /** Heading of its group. */
  readonly group: string;
  /** Its name and what it takes, as in the help: `demo [options]`. */
  readonly usage: string;
  readonly does: string;
}

/** As a person types it. */
export const nameOf = (command: Command): string =>
  command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;

export function* everyCommand(root: Command): Generator<Command> {
  for (const command of root.commands) {
    yield command;
    yield* everyCommand(command);
  }
}

/** A wrong use throws, and names the help of the command that was meant. */
export function withAdvice(root: Command): Command {
  for (const command of [root, ...everyCommand(root)])
    command.exitOverride().showHelpAfterError(`(${nameOf(command)} --help lists what there is)`);
  return root;
}
