import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import { createClient } from '#shared/client/index.ts';
import { exitCode, Stop } from '../../exit-code.ts';
import type { Terminal } from './command.ts';
import { findLogin } from './login.ts';

const POLL_MS = 2_000;

interface Flags {
  readonly cloud?: string;
  readonly token?: string;
  readonly json?: boolean;
  readonly once?: boolean;
}

/** `carillon site watch`: one line for every host at first, then one for each that changes, until Ctrl-C. */
export function siteWatchCommand(site: Command, { environment, say }: Terminal): void {
  site
    .command('watch')
    .description('Shows the hosts of a tenant and every change of their state, until it is stopped.')
    .argument('<domain>')
    .option('--once', 'only how they are now')
    .option('--cloud <url>', 'base URL of the cloud (default: CARILLON_CLOUD, or that of the login)')
    .option('--token <token>', 'API token or JWT (default: CARILLON_TOKEN, or that of the login)')
    .option('--json', 'one JSON object for each line')
    .addHelpText('after', '\nExample:\n  carillon site watch care.example')
    .action(async (domain: string, flags: Flags) => {
      const login = findLogin(environment, {
        ...(flags.cloud === undefined ? {} : { cloud: flags.cloud }),
        ...(flags.token === undefined ? {} : { token: flags.token }),
      });
      const client = createClient({ baseUrl: login.cloud, token: () => login.token, fetch });
      const shown = new Map<string, string>();
      for (;;) {
        const answer = await client.call('getSiteByDomain', { domain });
        if (!answer.ok && answer.error.code !== 'unreachable')
          throw new Stop(exitCode.refused, answer.error.reason);
        if (answer.ok)
          for (const host of answer.value.data.site) {
            const key = `${host.siteId}/${host.hostId}`;
            const line = `${host.status}  ${host.vendorSpecificDistressString}`.trim();
            if (shown.get(key) === line) continue;
            shown.set(key, line);
            const at = new Date().toISOString();
            say(flags.json === true ? JSON.stringify({ at, ...host }) : `${at}  ${key}  ${line}`);
          }
        if (flags.once === true) return;
        await wait(POLL_MS);
      }
    });
}
