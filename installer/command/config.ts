import type { Command } from 'commander';
import { readSettings, settingTable } from '#shared/setting/index.ts';
import { exitCode, Stop } from '../exit-code.ts';
import { settingSources } from '../io/config-file.ts';
import { bold, dim, say } from '../io/terminal.ts';

/** `carillon config show`: each value and where it came from, secrets masked. */
export function configCommands(root: Command): void {
  const config = root.command('config').summary('settings of this machine');
  config
    .command('show')
    .description('Prints each setting, its value and where it came from; secrets are masked.')
    .option('--config <file>', 'configuration file (TOML)')
    .option('--json', 'one JSON object')
    .addHelpText('after', '\nExample:\n  carillon config show --config /etc/carillon/appliance.toml')
    .action((options: { config?: string; json?: boolean }) => {
      const flags = options.config === undefined ? {} : { config: options.config };
      show(settingSources(flags), options.json === true);
    });
}

function show(sources: ReturnType<typeof settingSources>, json: boolean): void {
  const reading = readSettings(settingTable, sources);
  if (!reading.ok) throw new Stop(exitCode.wrongConfiguration, reading.error.reason);
  const rows = Object.entries(settingTable).map(([name, setting]) => {
    const value = reading.value.values[name as keyof typeof settingTable];
    const shown = value === undefined ? null : setting.secret ? '<secret>' : value;
    return {
      env: setting.env,
      value: shown,
      origin: reading.value.origins[name as keyof typeof settingTable],
    };
  });
  if (json) {
    say(JSON.stringify(Object.fromEntries(rows.map(({ env, ...rest }) => [env, rest]))));
    return;
  }
  const width = Math.max(...rows.map((row) => row.env.length));
  for (const row of rows) {
    const value = row.value === null ? dim('not set') : bold(plain(row.value));
    say(`${row.env.padEnd(width)}  ${value}  ${dim(row.origin)}`);
  }
}

function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.join(', ');
  const listen = value as { host?: string; port?: number };
  return listen.host === undefined ? JSON.stringify(value) : `${listen.host}:${listen.port}`;
}
