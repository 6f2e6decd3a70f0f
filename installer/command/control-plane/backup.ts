import type { Command } from 'commander';
import type { Result } from '#shared/result.ts';
import type { Sources } from '#shared/setting/index.ts';
import { exitCode, Stop } from '../../exit-code.ts';
import { settingSources } from '../../io/file/config-file.ts';
import { inWords, readFileOf } from '../../io/file/readable-file.ts';
import { progress, say } from '../../io/terminal/terminal.ts';
import type { BackupProgress, BackupSummary, Programs } from '../../program.ts';

interface Options {
  readonly config?: string;
  readonly data?: string;
  readonly database?: string;
  readonly owner?: string;
  readonly keepDays?: string;
  readonly recipient?: readonly string[];
  readonly identity?: readonly string[];
  readonly passphraseFile?: string;
  readonly expired?: boolean;
  readonly json?: boolean;
}

const KEPT_DAYS = 30;

/** `carillon backup`, `carillon backup verify`, `carillon restore`: a control plane as one encrypted file. */
export function backupCommands(root: Command, programs: Programs): void {
  const backup = root
    .command('backup')
    .summary('the control plane as one encrypted file')
    .description(
      'Writes database, keys and files of the control plane into one encrypted file, while it runs.',
    )
    .argument('<file>', 'archive to write; it must not exist')
    .option('--owner <text>', 'person or office that answers for the copy, since it holds personal data')
    .option('--keep-days <days>', 'days until the copy is to be deleted', String(KEPT_DAYS));
  withPlace(backup)
    .option('--recipient <key>', 'public key of age (age1…); several times for several people', collected)
    .option('--passphrase-file <file>', 'file with a passphrase, instead of keys')
    .addHelpText(
      'after',
      '\nExample:\n  carillon backup cloud.age --owner "IT, care.example" --recipient age1… --config /etc/carillon/cloud.toml',
    )
    .action(async (file: string, options: Options) => {
      if (options.owner === undefined)
        throw new Stop(exitCode.wrongUse, 'name who answers for the copy: --owner "NAME"');
      const [sources, keepDays] = [sourcesOf(options), daysOf(options.keepDays)];
      const to = { recipients: options.recipient ?? [], passphrase: passphraseOf(options) };
      const written = done(
        await (await programs.backup()).write(sources, {
          file,
          to,
          owner: options.owner,
          keepDays,
          onProgress: shown,
        }),
      );
      progress('');
      tell(options, written, [
        `${written.rows} rows and ${written.files} files in ${written.size} bytes: ${file}`,
        ...summary(written.manifest),
        ...missing(written.missing),
      ]);
    });

  const verify = backup
    .command('verify')
    .description('Reads a backup to its end, checks every byte, and changes nothing.')
    .argument('<file>', 'archive to read');
  withOpening(verify)
    .option('--json', 'one JSON object')
    .addHelpText('after', '\nExample:\n  carillon backup verify cloud.age --identity key.txt')
    .action(async (file: string, _: Options, command: Command) => {
      // Options that both commands have are taken by the first of the two words.
      const options: Options = command.optsWithGlobals();
      const by = openingOf(options);
      const read = done(await (await programs.backup()).verify(file, by));
      const rows = Object.values(read.end.tables).reduce((sum, each) => sum + each.rows, 0);
      tell(options, read, [
        `whole: ${rows} rows in ${Object.keys(read.end.tables).length} tables, ${read.end.files} files`,
        ...summary(read.manifest),
        ...missing(read.end.missing),
      ]);
    });

  const restore = root
    .command('restore')
    .summary('a backup as a new control plane')
    .description('Brings a backup into an empty database and folder, as a new installation.')
    .argument('<file>', 'archive to read');
  withOpening(withPlace(restore))
    .option('--expired', 'also after the day on which the copy was to be deleted')
    .addHelpText(
      'after',
      '\nExample:\n  carillon restore cloud.age --identity key.txt --data /var/lib/carillon-cloud',
    )
    .action(async (file: string, options: Options) => {
      const [sources, by] = [sourcesOf(options), openingOf(options)];
      const restored = done(
        await (await programs.backup()).restore(sources, {
          file,
          by,
          expired: options.expired === true,
          onProgress: shown,
        }),
      );
      progress('');
      tell(options, restored, [
        `${restored.rows} rows and ${restored.files} files restored as of ${day(restored.manifest.madeAt)}`,
        `${restored.marked.scopes} revisions and ${restored.marked.hosts} hosts moved on; start the cloud, and hosts go on without a new enrolment`,
        'stop the control plane that the backup was made from, and lead its names to this one',
        'what was changed, revoked, erased or deleted since then is as before: do it again',
        ...missing(restored.missing),
      ]);
    });
}

const collected = (key: string, before: readonly string[] = []): readonly string[] => [...before, key];

const withPlace = (command: Command): Command =>
  command
    .option('--config <file>', 'configuration file (TOML)')
    .option('--data <folder>', 'folder of all state')
    .option('--database <database>', 'sqlite:FILE or postgres://…')
    .option('--json', 'one JSON object');

const withOpening = (command: Command): Command =>
  command
    .option('--identity <file>', 'file with a secret key of age; several times', collected)
    .option('--passphrase-file <file>', 'file with the passphrase');

const textOf = (file: string): string => readFileOf(file, file, exitCode.missing).toString('utf8');

const passphraseOf = ({ passphraseFile }: Options): string | undefined =>
  passphraseFile === undefined ? undefined : textOf(passphraseFile).replace(/\r?\n$/, '');

/** Lines of identity files, as the program age-keygen writes them: comments begin with #. */
const openingOf = (options: Options) => ({
  identities: (options.identity ?? []).flatMap((file) =>
    textOf(file)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#')),
  ),
  passphrase: passphraseOf(options),
});

function daysOf(text = String(KEPT_DAYS)): number {
  const days = Number(text);
  if (!Number.isInteger(days) || days < 1 || days > 3_650)
    throw new Stop(exitCode.wrongUse, `--keep-days ${text} must be 1 to 3650 whole days`);
  return days;
}

const shown = ({ table, rows, files }: BackupProgress): void =>
  progress(table === undefined ? `${rows} rows, ${files} files` : `${rows} rows, ${table}`);

const day = (atMs: number): string => new Date(atMs).toISOString().slice(0, 16).replace('T', ' ');

const summary = ({ madeAt, owner, expiresAt, vaultKey, holdsVaultKey }: BackupSummary): string[] => [
  `made ${day(madeAt)} UTC; ${owner} answers for it; to be deleted on ${day(expiresAt).slice(0, 10)}`,
  holdsVaultKey
    ? `it holds the vault key ${vaultKey}: the encryption of this file is all that protects it`
    : `it needs the vault key ${vaultKey}, which is kept in another place`,
];

const missing = (hashes: readonly string[]): string[] =>
  hashes.length === 0
    ? []
    : [`${hashes.length} prompt files have no bytes: ${hashes.slice(0, 3).join(', ')}`];

function sourcesOf({ config, data, database }: Options): Sources {
  const flags = Object.entries({ config, data, database }).filter(([, value]) => value !== undefined);
  return settingSources(Object.fromEntries(flags) as Record<string, string>);
}

function done<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  progress('');
  const codes: Readonly<Record<string, Stop['code']>> = {
    configurationWrong: exitCode.wrongConfiguration,
    backupRefused: exitCode.damagedFile,
  };
  throw new Stop(codes[result.error.code] ?? exitCode.refused, inWords(result.error.reason));
}

function tell({ json }: Options, facts: unknown, lines: readonly string[]): void {
  if (json === true) say(JSON.stringify(facts));
  else for (const line of lines) say(line);
}
