import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { exitCode, Stop } from '../exit-code.ts';
import { complain, dim, green, red, say } from '../io/terminal/terminal.ts';
import type { Programs, SwarmRun } from '../program.ts';
import { oneOf, wholeNumber } from './option/option-word.ts';

interface SwarmFlags {
  readonly cloud?: string;
  readonly token?: string;
  readonly domain: string;
  readonly hosts: number;
  readonly sites?: number;
  readonly profile: SwarmRun['profile'];
  readonly folder?: string;
  readonly seconds: number;
  readonly alarms: number;
  readonly faults: number;
  readonly json?: boolean;
}

/** `carillon simulate swarm`: many hosts at one control plane. */
export function simulateSwarmCommand(simulate: Command, programs: Programs): void {
  simulate
    .command('swarm')
    .description(
      'Enrols hosts without engines and lets them connect, beat, take configuration, raise alarms and break; ends 0 only when all were there at the end.',
    )
    .option('--hosts <n>', 'how many', wholeNumber, 10)
    .option('--sites <n>', 'in how many sites (default: two hosts each)', wholeNumber)
    .option('--seconds <n>', 'how long, once all are there', wholeNumber, 60)
    .option('--alarms <n>', 'alarms per host and hour', wholeNumber, 1)
    .option('--faults <n>', 'connections that break, per host and hour', wholeNumber, 0)
    .option(
      '--profile <name>',
      'supervision: high, standard or economy',
      oneOf(['high', 'standard', 'economy']),
      'standard',
    )
    .option('--folder <folder>', 'where identities are kept, so that the same hosts come again')
    .option('--domain <domain>', 'tenant', 'demo.carillon.test')
    .option('--cloud <url>', 'base URL of the cloud (default: CARILLON_CLOUD, or that of the login)')
    .option('--token <token>', 'API token (default: CARILLON_TOKEN, or that of the login)')
    .option('--json', 'one JSON object')
    .addHelpText('after', '\nExample:\n  carillon simulate swarm --hosts 100 --seconds 120 --token …')
    .action((flags: SwarmFlags) => swarm(flags, programs));
}

async function swarm(flags: SwarmFlags, programs: Programs): Promise<void> {
  // The commands of the API are 200 modules, which no other simulator needs.
  const { findLogin } = await import('./operator/index.ts');
  const login = findLogin(process.env, {
    ...(flags.cloud === undefined ? {} : { cloud: flags.cloud }),
    ...(flags.token === undefined ? {} : { token: flags.token }),
  });
  const quiet = flags.json === true;
  let shown = '';
  let end: Awaited<ReturnType<Programs['simulateSwarm']>>;
  try {
    end = await programs.simulateSwarm({
      ...flags,
      ...login,
      sites: flags.sites ?? Math.ceil(flags.hosts / 2),
      folder: flags.folder ?? mkdtempSync(join(tmpdir(), 'carillon-swarm-')),
      onStep: ({ connected, configured, hosts, said }) => {
        const line = `${connected} of ${hosts} connected, ${configured} configured, ${said.hb ?? 0} heartbeats`;
        if (!quiet && line !== shown) complain(dim(line));
        shown = line;
      },
    });
  } catch (cause) {
    throw new Stop(exitCode.tryAgain, `${(cause as Error).message}; is the cloud at ${login.cloud} running?`);
  }
  if (quiet) say(JSON.stringify(end));
  else {
    const all = `${end.connected} of ${end.hosts} hosts connected, ${end.configured} configured, ${end.waiting} events wait`;
    say(end.connected === end.hosts ? green(all) : red(all));
  }
  if (end.connected < end.hosts)
    throw new Stop(exitCode.tryAgain, `${end.hosts - end.connected} hosts were not connected at the end`);
}
