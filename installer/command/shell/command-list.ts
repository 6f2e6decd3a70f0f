import type { Command } from 'commander';
import { COMMANDS } from './command-summary.ts';
import type { CommandSummary } from './command-tree.ts';

/**
 * The commands for the help of the root alone. Chosen: their summaries are kept in a file that is written from the commands, as the code of
 * all commands takes half a second to load.
 */
export function listCommands(root: Command): void {
  const usages = new Map<Command, string>();
  for (const { group, usage, does } of COMMANDS) {
    const [name = ''] = usage.split(' ');
    const command = root.createCommand(name).summary(does).helpGroup(group);
    usages.set(command, usage);
    root.addCommand(command);
  }
  const { subcommandTerm } = root.createHelp();
  root.configureHelp({ subcommandTerm: (command) => usages.get(command) ?? subcommandTerm(command) });
}

/** Summaries of all commands, from their code. */
export function summariesOf(root: Command): readonly CommandSummary[] {
  const help = root.createHelp();
  return help.visibleCommands(root).flatMap((command) => {
    if (command.name() === 'help') return [];
    const does = help.subcommandDescription(command);
    return [{ group: command.helpGroup() ?? '', usage: help.subcommandTerm(command), does }];
  });
}

/** The file `command-summary.ts`. */
export function summaryModule(summaries: readonly CommandSummary[]): string {
  const rows = summaries.map(({ group, usage, does }) => {
    const text = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
    return `  { group: ${text(group)}, usage: ${text(usage)}, does: ${text(does)} },`;
  });
  return `import type { CommandSummary } from './command-tree.ts';

/** \`npm run docs:commands\` writes this from the commands. */
// biome-ignore format: one row for each command
export const COMMANDS: readonly CommandSummary[] = [
${rows.join('\n')}
];
`;
}
