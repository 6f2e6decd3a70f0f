import { Command } from 'commander';
import { ownVersion } from '../io/release.ts';
import { say } from '../io/terminal/terminal.ts';
import type { Programs } from '../program.ts';
import { auditCommands } from './audit.ts';
import { brokerCommands } from './broker.ts';
import { bundleCommands } from './bundle.ts';
import { configCommands } from './config.ts';
import { backupCommands } from './control-plane/backup.ts';
import { daemonCommands } from './daemon.ts';
import { databaseCommands } from './db.ts';
import { demoCommand } from './demo.ts';
import { listenCommand } from './develop/listen.ts';
import { mcpCommand } from './develop/mcp/mcp.ts';
import { rehearseCommand } from './develop/rehearse/rehearse.ts';
import { explainCommand } from './explain.ts';
import { operatorCommands } from './operator/index.ts';
import { outboxCommands } from './outbox.ts';
import { overrideCommands } from './override.ts';
import { withAdvice } from './shell/command-tree.ts';
import { completionCommand } from './shell/completion.ts';
import { ended } from './shell/ending.ts';
import { simulateCommands } from './simulate.ts';
import { technicianCommands } from './technician/index.ts';
import { tonesCommand } from './tones.ts';
import { versionCommand } from './version.ts';

const AFTER = `
Examples:
  carillon demo                              everything on this machine, with two alarms
  sudo carillon status                       how this host is, and the code of its page
  sudo carillon selftest                     what fails, and what to do about it
  carillon COMMAND --help                    what a command takes, with an example

Ends with 0 done, 3 a self-test failed, 4 rolled back, 64 wrong use, 65 wrong file, 69 something is missing here, 74 disk,
75 try again (network), 76 refused by the cloud, 77 not permitted, 78 configuration wrong, 1 unexpected.`;

export { everyCommand, nameOf } from './shell/command-tree.ts';

/** Runs a command for people to its end. Gives the exit code. */
export const runCommand = (
  programs: Programs,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> => ended(rootCommand(programs, environment), words);

/** Every command of the front door, by who uses it. */
export function rootCommand(programs: Programs, environment: NodeJS.ProcessEnv): Command {
  const root = new Command('carillon')
    .description('Receives alarms from any device, turns each into one callback, and lets people talk.')
    .addHelpText('after', AFTER);
  root.commandsGroup('To try things:');
  demoCommand(root, programs);
  simulateCommands(root, programs, environment);
  tonesCommand(root, programs);
  explainCommand(root, programs);
  listenCommand(root, { environment, say });
  rehearseCommand(root, programs);
  mcpCommand(root, programs, { environment, say });
  root.commandsGroup('On a machine of a site:');
  technicianCommands(root, programs);
  overrideCommands(root, programs);
  outboxCommands(root, programs, { environment, say });
  configCommands(root);
  root.commandsGroup('Through the API of the control plane:');
  operatorCommands(root, { environment, say });
  auditCommands(root, programs, environment);
  root.commandsGroup('Where the control plane runs:');
  databaseCommands(root, programs);
  backupCommands(root, programs);
  brokerCommands(root, programs);
  bundleCommands(root);
  root.commandsGroup('Programs that keep running:');
  daemonCommands(root, programs);
  root.commandsGroup('Commands:');
  completionCommand(root);
  versionCommand(root);
  root.version(`carillon ${ownVersion()}`, '--version', 'the release');
  return withAdvice(root);
}
