import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { exitCode, Stop } from '../exit-code.ts';
import { settingSources } from '../io/file/config-file.ts';
import { green, red, say } from '../io/terminal/terminal.ts';
import type { Programs } from '../program.ts';

interface Flags {
  readonly out: string;
  readonly owner: string;
  readonly eachHost?: boolean;
  readonly config?: string;
  readonly data?: string;
  readonly database?: string;
  readonly json?: boolean;
}

/** `carillon broker …`: a broker that is not ours. */
export function brokerCommands(root: Command, programs: Programs): void {
  const broker = root.command('broker').summary('an MQTT broker of your own');
  broker
    .command('check')
    .description('Checks the broker that CARILLON_MQTT names: its required features and its access rules.')
    .option('--config <file>', 'configuration file (TOML)')
    .option('--data <folder>', 'folder of all state')
    .option('--mqtt <url>', 'mqtts://host:8883')
    .option('--json', 'one JSON object')
    .addHelpText('after', '\nExample:\n  carillon broker check --config /etc/carillon/carillon.toml')
    .action((flags: CheckFlags) => check(flags, programs));
  broker
    .command('export')
    .description(
      'Writes the access list, authority and revoked certificates with which a broker admits the hosts of this platform only.',
    )
    .argument('<broker>', 'mosquitto')
    .requiredOption('--out <folder>', 'where the broker finds the files')
    .option('--owner <name>', 'user name of the control plane at the broker', 'carillon-cloud')
    .option(
      '--each-host',
      'name each host with its tenant and site; the list must be exported again after each enrolment',
    )
    .option('--config <file>', 'configuration file (TOML)')
    .option('--data <folder>', 'folder of all state')
    .option('--database <database>', 'sqlite:FILE or postgres://…')
    .option('--json', 'one JSON object')
    .addHelpText(
      'after',
      '\nExample:\n  carillon broker export mosquitto --out /etc/mosquitto/conf.d --data /var/lib/carillon',
    )
    .action((broker: string, flags: Flags) => exportFiles(broker, flags, programs));
}

interface CheckFlags {
  readonly config?: string;
  readonly data?: string;
  readonly mqtt?: string;
  readonly json?: boolean;
}

async function check({ json, ...flags }: CheckFlags, programs: Programs): Promise<void> {
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  const found = await programs.checkBroker(
    settingSources(Object.fromEntries(given) as Record<string, string>),
  );
  if (!found.ok) throw new Stop(exitCode.wrongConfiguration, found.error.reason);
  const unwell = found.value.filter(({ ok }) => !ok).length;
  if (json === true) say(JSON.stringify({ success: unwell === 0, findings: found.value }));
  else
    for (const { ok, sentence } of found.value) say(`${ok ? green('ok    ') : red('FAILED')}  ${sentence}`);
  if (unwell > 0)
    throw new Stop(exitCode.refused, `${unwell} of ${found.value.length} are not as they must be.`);
}

async function exportFiles(broker: string, flags: Flags, programs: Programs): Promise<void> {
  if (broker !== 'mosquitto')
    throw new Stop(exitCode.wrongUse, `Files are written for mosquitto only, not for ${broker}.`);
  const { config, data, database } = flags;
  const given = Object.entries({ config, data, database }).filter(([, value]) => value !== undefined);
  const folder = resolve(flags.out);
  const sources = settingSources(Object.fromEntries(given) as Record<string, string>);
  const made = await programs.exportMosquitto(sources, folder, flags.owner, flags.eachHost === true);
  if (!made.ok) throw new Stop(exitCode.wrongConfiguration, made.error.reason);
  const { files, revoked } = made.value;
  try {
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(folder, name), text, { mode: name.endsWith('.key') ? 0o600 : 0o644 });
  } catch (cause) {
    throw new Stop(exitCode.disk, `${folder} cannot be written: ${(cause as Error).message}`);
  }
  const names = Object.keys(files).map((name) => join(folder, name));
  if (flags.json === true) say(JSON.stringify({ success: true, files: names, revoked }));
  else say(`${names.join('\n')}\n${revoked} certificates are shut out; send the broker SIGHUP.`);
}
