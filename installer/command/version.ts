import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { say } from '../io/terminal.ts';

/** `carillon version`: release, runtime and CPU, for support. */
export function versionCommand(root: Command): void {
  root
    .command('version')
    .description('Prints the release, the runtime and the CPU.')
    .option('--json', 'one JSON object')
    .addHelpText('after', '\nExample:\n  carillon version --json')
    .action((options: { json?: boolean }) => {
      const file = new URL('../../package.json', import.meta.url);
      const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
      const facts = { version, node: process.versions.node, cpu: process.arch };
      say(
        options.json === true
          ? JSON.stringify(facts)
          : `carillon ${version} (Node ${facts.node}, ${facts.cpu})`,
      );
    });
}
