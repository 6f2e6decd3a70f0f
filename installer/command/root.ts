import { Command } from 'commander';
import { ownVersion } from '../io/release.ts';
import { say } from '../io/terminal/terminal.ts';
import type { Programs } from '../program.ts';
import { listCommands } from './shell/command-list.ts';
import { type CommandModule, withAdvice } from './shell/command-tree.ts';
import { ended } from './shell/ending.ts';
import { TECHNICIAN_MODULES } from './technician/index.ts';

const AFTER = `
Examples:
  carillon demo                              everything on this machine, with two alarms
  sudo carillon status                       how this host is, and the code of its page
  sudo carillon selftest                     what fails, and what to do about it
  carillon COMMAND --help                    what a command takes, with an example

Ends with 0 done, 3 a self-test failed, 4 rolled back, 64 wrong use, 65 wrong file, 69 something is missing here, 74 disk,
75 try again (network), 76 refused by the cloud, 77 not permitted, 78 configuration wrong, 1 unexpected.`;

export { everyCommand, nameOf } from './shell/command-tree.ts';

/** Every command, by who uses it. The words of the API have one module. */
const GROUPS: readonly (readonly [heading: string, modules: readonly CommandModule[]])[] = [
  [
    'To try things:',
    [
      {
        words: ['demo'],
        add: async (root, programs) => (await import('./demo.ts')).demoCommand(root, programs),
      },
      {
        words: ['simulate'],
        add: async (root, programs, environment) =>
          (await import('./simulate.ts')).simulateCommands(root, programs, environment),
      },
      {
        words: ['tones'],
        add: async (root, programs) => (await import('./tones.ts')).tonesCommand(root, programs),
      },
      {
        words: ['explain'],
        add: async (root, programs) => (await import('./explain.ts')).explainCommand(root, programs),
      },
      {
        words: ['listen'],
        add: async (root, _, environment) =>
          (await import('./develop/listen.ts')).listenCommand(root, { environment, say }),
      },
      {
        words: ['rehearse'],
        add: async (root, programs) =>
          (await import('./develop/rehearse/rehearse.ts')).rehearseCommand(root, programs),
      },
      {
        words: ['mcp'],
        add: async (root, programs, environment) =>
          (await import('./develop/mcp/mcp.ts')).mcpCommand(root, programs, { environment, say }),
      },
    ],
  ],
  [
    'On a machine of a site:',
    [
      ...TECHNICIAN_MODULES,
      {
        words: ['override', 'bundle'],
        add: async (root, programs) => (await import('./override.ts')).overrideCommands(root, programs),
      },
      {
        words: ['outbox'],
        add: async (root, programs, environment) =>
          (await import('./outbox.ts')).outboxCommands(root, programs, { environment, say }),
      },
      {
        words: ['config'],
        add: async (root) => (await import('./config.ts')).configCommands(root),
      },
    ],
  ],
  [
    'Through the API of the control plane:',
    [
      {
        words: [
          ...['login', 'tenant', 'site', 'host', 'device', 'key', 'incident', 'alarm', 'privacy', 'record'],
          ...['trace', 'evidence', 'receiver', 'sender', 'trunk', 'media', 'recording', 'prompt'],
          ...['maintenance', 'config'],
        ],
        add: async (root, _, environment) =>
          (await import('./operator/index.ts')).operatorCommands(root, { environment, say }),
      },
      {
        words: ['audit'],
        add: async (root, programs, environment) =>
          (await import('./audit.ts')).auditCommands(root, programs, environment),
      },
    ],
  ],
  [
    'Where the control plane runs:',
    [
      {
        words: ['db'],
        add: async (root, programs) => (await import('./db.ts')).databaseCommands(root, programs),
      },
      {
        words: ['backup', 'restore'],
        add: async (root, programs) =>
          (await import('./control-plane/backup.ts')).backupCommands(root, programs),
      },
      {
        words: ['broker'],
        add: async (root, programs) => (await import('./broker.ts')).brokerCommands(root, programs),
      },
      {
        words: ['bundle'],
        add: async (root) => (await import('./bundle.ts')).bundleCommands(root),
      },
    ],
  ],
  [
    'Programs that keep running:',
    [
      {
        words: ['cloud', 'appliance'],
        add: async (root, programs) => (await import('./daemon.ts')).daemonCommands(root, programs),
      },
    ],
  ],
  [
    'Commands:',
    [
      {
        words: [],
        add: async (root) => (await import('./shell/completion.ts')).completionCommand(root),
      },
      {
        words: ['version'],
        add: async (root) => (await import('./version.ts')).versionCommand(root),
      },
      { words: ['--version'], add: async () => undefined },
    ],
  ],
];

/** Runs a command for people to its end. Gives the exit code. */
export const runCommand = async (
  programs: Programs,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> =>
  ended(asksForList(words) ? commandList() : await rootCommand(programs, environment, words[0]), words);

/** Nothing but the help of the root: a command behind the flag has a help of its own. */
const asksForList = ([word, ...more]: readonly string[]): boolean =>
  more.length === 0 && (word === undefined || ['--help', '-h', 'help'].includes(word));

/** Every command by its summary, for `carillon --help`. */
export function commandList(): Command {
  const root = emptyRoot();
  listCommands(root);
  return withAdvice(withVersion(root));
}

const emptyRoot = (): Command =>
  new Command('carillon')
    .description('Receives alarms from any device, turns each into one callback, and lets people talk.')
    .addHelpText('after', AFTER);

const withVersion = (root: Command): Command =>
  root.version(`carillon ${ownVersion()}`, '--version', 'the release');

/**
 * The root command: the commands with this first word, or every command where none has it. Chosen: a command loads its own code alone; all
 * of it is 400 modules, and half a second of a small processor.
 */
export async function rootCommand(
  programs: Programs,
  environment: NodeJS.ProcessEnv,
  word?: string,
): Promise<Command> {
  const root = emptyRoot();
  const hasWord = ({ words }: CommandModule): boolean => word !== undefined && words.includes(word);
  const isKnown = GROUPS.some(([, modules]) => modules.some(hasWord));
  for (const [heading, modules] of GROUPS) {
    root.commandsGroup(heading);
    for (const module of isKnown ? modules.filter(hasWord) : modules)
      await module.add(root, programs, environment);
  }
  return withAdvice(withVersion(root));
}
