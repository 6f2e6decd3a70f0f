import { userInfo } from 'node:os';
import type { Command } from 'commander';
import type { Result } from '#shared/result.ts';
import { settingTable } from '#shared/setting/index.ts';
import { exitCode, Stop } from '../exit-code.ts';
import { dim, say } from '../io/terminal/terminal.ts';
import type { OverrideLine, Programs } from '../program.ts';

interface Place {
  readonly data?: string;
  readonly json?: boolean;
}

interface SetFlags extends Place {
  readonly reason?: string;
  readonly author?: string;
  readonly for?: string;
  readonly pin?: boolean;
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000 };

/** `carillon override …` and `carillon bundle apply`: what a person on site changes beside the running appliance. */
export function overrideCommands(root: Command, programs: Programs): void {
  const override = root.command('override').summary('set a key of the configuration aside, for a while');

  place(override.command('list'))
    .description('Shows what is overridden on this host: by whom, why, and until when.')
    .addHelpText('after', '\nExample:\n  carillon override list')
    .action(async (flags: Place) => {
      const found = done((await programs.onSite()).overrides(folderOf(flags)));
      tell(flags, { overrides: found }, found.length === 0 ? ['nothing is overridden'] : found.map(line));
    });

  place(override.command('set'))
    .argument('<key>', 'network, logLevel, service:NAME, testMode or fallbackNumber')
    .argument('<value>', 'JSON or a word')
    .requiredOption('--reason <text>', 'why')
    .option('--author <name>', 'who (default: the user of this shell)')
    .option('--for <time>', 'how long: 30m, 8h; at most 72h; not for the network')
    .option('--pin', 'hold it against later revisions of the configuration')
    .description(
      'Overrides a key. For the network it only notes what was changed by carillon network set, so that the control plane knows; the note is dropped after 2 min unless the cloud is reached or you confirm it.',
    )
    .addHelpText(
      'after',
      '\nExample:\n  carillon override set logLevel debug --for 2h --reason "a lost call"',
    )
    .action(async (key: string, written: string, flags: SetFlags) => {
      const body = {
        key,
        value: jsonOr(written),
        author: flags.author ?? userInfo().username,
        reason: flags.reason ?? '',
        ttlMs: flags.for === undefined ? undefined : lifeOf(flags.for),
        pinned: flags.pin ?? false,
      };
      const made = done((await programs.onSite()).setOverride(folderOf(flags), body));
      tell(flags, { override: made }, [line(made)]);
    });

  place(override.command('confirm'))
    .description('Keeps a network change that is on trial.')
    .addHelpText('after', '\nExample:\n  carillon override confirm')
    .action(async (flags: Place) => {
      const kept = done((await programs.onSite()).confirmNetwork(folderOf(flags)));
      tell(flags, { override: kept }, [line(kept)]);
    });

  place(override.command('clear'))
    .argument('<key>')
    .option('--author <name>', 'who (default: the user of this shell)')
    .description('Ends an override; the configuration counts again.')
    .addHelpText('after', '\nExample:\n  carillon override clear logLevel')
    .action(async (key: string, flags: Pick<SetFlags, keyof Place | 'author'>) => {
      const by = flags.author ?? userInfo().username;
      const cleared = done((await programs.onSite()).clearOverride(folderOf(flags), key, by));
      tell(flags, { override: cleared }, [`${key} is as configured again`]);
    });

  const bundle =
    root.commands.find((command) => command.name() === 'bundle') ??
    root.command('bundle').summary('configuration of a site as a file');
  place(bundle.command('apply'))
    .argument('<file>')
    .description('Gives a bundle to the appliance of this machine, which takes what its platform has signed.')
    .addHelpText('after', '\nExample:\n  carillon bundle apply /media/stick/north.bundle')
    .action(async (file: string, flags: Place) => {
      const { hosts } = done((await programs.onSite()).applyBundle(folderOf(flags), file));
      tell(flags, { hosts }, [
        `handed over (${hosts} hosts); carillon status shows the revision that is in force`,
      ]);
    });
}

const place = (command: Command): Command =>
  command
    .option('--data <folder>', 'folder of the appliance (default: CARILLON_DATA)')
    .option('--json', 'one JSON object');

const folderOf = ({ data }: Place): string =>
  data ?? process.env[settingTable.data.env] ?? settingTable.data.fallback ?? '.';

function done<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  const { code, reason } = result.error;
  const by: Readonly<Record<string, (typeof exitCode)[keyof typeof exitCode]>> = {
    invalid: exitCode.wrongUse,
    notFound: exitCode.missing,
    damaged: exitCode.damagedFile,
    unreadable: exitCode.missing,
    disk: exitCode.disk,
  };
  throw new Stop(by[code] ?? exitCode.unexpected, reason);
}

/** JSON where it is some, else the word itself. */
function jsonOr(written: string): unknown {
  try {
    return JSON.parse(written) as unknown;
  } catch {
    return written;
  }
}

function lifeOf(written: string): number {
  const [, count, unit] = /^(\d{1,4})([mh])$/.exec(written) ?? [];
  const unitMs = UNIT_MS[unit ?? ''];
  if (count === undefined || unitMs === undefined)
    throw new Stop(exitCode.wrongUse, `--for ${written}: write minutes or hours, for example 30m or 8h`);
  return Number(count) * unitMs;
}

function line({ key, value, author, reason, expiresAt, pinned, drift }: OverrideLine): string {
  const until = expiresAt === null ? 'until it is cleared' : `until ${new Date(expiresAt).toISOString()}`;
  const words = [until, pinned ? 'pinned' : '', drift ? 'the configuration wants something else' : ''];
  return `${key} = ${JSON.stringify(value)}  ${author}: ${reason}  ${dim(words.filter((word) => word !== '').join(', '))}`;
}

const tell = ({ json }: Place, facts: object, lines: readonly string[]): void =>
  say(json === true ? JSON.stringify({ success: true, ...facts }) : lines.join('\n'));
