import type { Command } from 'commander';
import type { Result } from '#shared/result.ts';
import type { Sources } from '#shared/setting/index.ts';
import { exitCode, Stop } from '../exit-code.ts';
import { settingSources } from '../io/file/config-file.ts';
import { complain, dim, say } from '../io/terminal/terminal.ts';
import type { Programs } from '../program.ts';

interface Options {
  readonly config?: string;
  readonly data?: string;
  readonly database?: string;
  readonly to?: string;
  readonly json?: boolean;
}

/** `carillon db`: the control plane's database, worked on while no control plane runs. */
export function databaseCommands(root: Command, programs: Programs): void {
  const db = root.command('db').summary('the database of the control plane');

  withPlace(db.command('migrate'))
    .description('Brings the database to the schema of this version.')
    .addHelpText(
      'after',
      '\nExample:\n  carillon db migrate --database postgres://carillon@db.example/carillon',
    )
    .action(async (options: Options) => {
      let tries = 0;
      const onHeld = () => {
        if (++tries === 1)
          complain('waits for a table that another transaction holds, such as that of a backup');
      };
      const ran = done(await (await programs.database()).migrate(sourcesOf(options), onHeld));
      tell(options, { ran }, ran.length === 0 ? ['nothing to do'] : ran.map((name) => `ran ${name}`));
    });

  withPlace(db.command('check'))
    .description('Reads the whole database: counts, hashes, references, revisions, and whether secrets open.')
    .addHelpText('after', '\nExample:\n  carillon db check --json')
    .action(async (options: Options) => {
      const { tables, faults } = done(await (await programs.database()).check(sourcesOf(options)));
      tell(options, { tables, faults }, [
        ...tables.map(({ table, rows, hash }) => `${counted(table, rows)}  ${dim(hash.slice(0, 16))}`),
        ...(faults.length === 0 ? ['sound'] : faults),
      ]);
      if (faults.length > 0)
        throw new Stop(exitCode.damagedFile, `${faults.length} faults; restore a backup or ask for help`);
    });

  withPlace(db.command('copy'))
    .description(
      'Copies everything into another, empty database, and compares counts and hashes. Stop the cloud first.',
    )
    .requiredOption('--to <database>', 'sqlite:FILE or postgres://…')
    .addHelpText(
      'after',
      '\nExample:\n  carillon db copy --data /var/lib/carillon --to postgres://carillon:secret@db.example/carillon',
    )
    .action(async (options: Options) => {
      const copied = done(await (await programs.database()).copy(sourcesOf(options), options.to ?? ''));
      tell(options, { copied }, [
        ...copied.map(({ table, rows }) => counted(table, rows)),
        'copied and compared; set CARILLON_DATABASE to the new one and keep the key folder',
      ]);
    });

  withPlace(db.command('mark-restored'))
    .description(
      'After a backup was put back: moves every revision ahead of what the hosts have, so that they take it. Stop the cloud first.',
    )
    .addHelpText('after', '\nExample:\n  carillon db mark-restored --data /var/lib/carillon')
    .action(async (options: Options) => {
      const marked = done(await (await programs.database()).markRestored(sourcesOf(options)));
      const { scopes, hosts, newestAt } = marked;
      const since = newestAt === null ? 'it' : new Date(newestAt).toISOString();
      tell(options, marked, [
        `${scopes} revisions and ${hosts} hosts moved on; start the cloud, and hosts take what the backup holds`,
        `what was changed, revoked or deleted after ${since} is as before: do it again`,
        'the database does not know machines that were enrolled since then: enrol them again',
      ]);
    });

  withPlace(db.command('rotate-signing'))
    .description(
      'Creates a new key that signs the messages to hosts. It signs once every host knows it. Stop the cloud first.',
    )
    .addHelpText('after', '\nExample:\n  carillon db rotate-signing --data /var/lib/carillon')
    .action(async (options: Options) => {
      const announced = done(await (await programs.database()).rotateSigning(sourcesOf(options)));
      tell(options, announced, [
        `${announced.after} will replace ${announced.before}; start the cloud, which then announces it to the hosts`,
        'it signs as soon as all of them know it, at the latest after 30 days; a day later the old one is withdrawn',
      ]);
    });

  withPlace(db.command('rotate-key'))
    .description(
      'Seals every secret under a new key-encryption key. Stop the cloud first; interrupted, run it again.',
    )
    .addHelpText('after', '\nExample:\n  carillon db rotate-key --data /var/lib/carillon')
    .action(async (options: Options) => {
      const rotated = done(await (await programs.database()).rotateKey(sourcesOf(options)));
      const { before, after, rows, handOver } = rotated;
      tell(options, rotated, [
        `${rows} rows sealed again: key ${after} has replaced ${before}; put the new key into the backup of keys`,
        ...(handOver === undefined
          ? []
          : [`take the key in ${handOver} to where the old one was given from, then remove the file`]),
      ]);
    });
}

const withPlace = (command: Command): Command =>
  command
    .option('--config <file>', 'configuration file (TOML)')
    .option('--data <folder>', 'folder of all state')
    .option('--database <database>', 'sqlite:FILE or postgres://…')
    .option('--json', 'one JSON object');

function sourcesOf({ config, data, database }: Options): Sources {
  const flags = Object.entries({ config, data, database }).filter(([, value]) => value !== undefined);
  return settingSources(Object.fromEntries(flags) as Record<string, string>);
}

function done<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  const code = result.error.code === 'configurationWrong' ? exitCode.wrongConfiguration : exitCode.refused;
  throw new Stop(code, result.error.reason);
}

const counted = (table: string, rows: number): string => `${table.padEnd(24)} ${String(rows).padStart(9)}`;

function tell({ json }: Options, facts: unknown, lines: readonly string[]): void {
  if (json === true) say(JSON.stringify(facts));
  else for (const line of lines) say(line);
}
