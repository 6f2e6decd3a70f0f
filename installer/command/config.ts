import type { Command } from 'commander';
import { readSettings, type Sources, settingTable } from '#shared/setting/index.ts';
import { exitCode, Stop } from '../exit-code.ts';
import { settingSources } from '../io/file/config-file.ts';
import { bold, dim, say } from '../io/terminal/terminal.ts';

const MASK = '<secret>';

/** `carillon config show`: each value, where it came from and what it is; secrets masked. */
export function configCommands(root: Command): void {
  const config = root.command('config').summary('settings of this machine');
  config
    .command('show')
    .description('Prints each setting, its value, where it came from and what it is; secrets are masked.')
    .option('--config <file>', 'configuration file (TOML)')
    .option('--json', 'one JSON object')
    .addHelpText('after', '\nExample:\n  carillon config show --config /etc/carillon/appliance.toml')
    .action((options: { config?: string; json?: boolean }) => {
      const flags = options.config === undefined ? {} : { config: options.config };
      show(settingSources(flags), options.json === true);
    });
}

function show(sources: Sources, json: boolean): void {
  const rows = settingRows(sources);
  if (json) {
    const shown = rows.map(({ env, value, origin }) => [env, { value, origin }]);
    say(JSON.stringify(Object.fromEntries(shown)));
    return;
  }
  const width = Math.max(...rows.map(({ env }) => env.length));
  for (const { env, value, text, origin, meaning } of rows) {
    const written = value === null ? dim('not set') : bold(text === '' ? '""' : text);
    say(`${env.padEnd(width)}  ${written}  ${dim(`${origin}: ${meaning}`)}`);
  }
}

/** Every setting: its value as the programs get it, its text as a person writes it, where that came from, what it is. */
export function settingRows(sources: Sources) {
  const reading = readSettings(settingTable, sources);
  if (!reading.ok) throw new Stop(exitCode.wrongConfiguration, reading.error.reason);
  const { values, texts, origins } = reading.value;
  return Object.entries(settingTable).map(([key, { env, secret, meaning }]) => {
    const name = key as keyof typeof settingTable;
    const [text, origin] = [texts[name], origins[name]];
    const masked = secret && origin !== 'default';
    const value = text === undefined ? null : masked ? MASK : values[name];
    return { env, value, text: masked ? MASK : (text ?? ''), origin, meaning };
  });
}
