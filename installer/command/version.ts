import { type Command, Option } from 'commander';
import { ownUnits, ownVersion } from '../io/release.ts';
import { say } from '../io/terminal/terminal.ts';

/** `carillon version`: release, runtime and CPU, for support. */
export function versionCommand(root: Command): void {
  root
    .command('version')
    .summary('release, runtime and CPU')
    .description('Prints the release, the runtime and the CPU.')
    .option('--json', 'one JSON object')
    .addOption(new Option('--units', 'the units of systemd that belong to this release').hideHelp())
    .addHelpText('after', '\nExample:\n  carillon version --json')
    .action((options: { json?: boolean; units?: boolean }) => {
      if (options.units === true) return say(JSON.stringify({ units: ownUnits() }));
      const facts = { version: ownVersion(), node: process.versions.node, cpu: process.arch };
      say(
        options.json === true
          ? JSON.stringify(facts)
          : `carillon ${facts.version} (Node ${facts.node}, ${facts.cpu})`,
      );
    });
}
