import { fail, ok, type Result } from '#shared/result.ts';

/** Where a value came from, in the order of precedence: flag over environment over file over default. */
export type Origin = 'flag' | 'environment' | 'file' | 'default';

export type Program = 'cloud' | 'appliance';

/** One setting as a person writes it. The flag and the key in the file follow from the environment name. */
export interface Setting<T> {
  /** `CARILLON_SIP_UDP`; the flag is `--sip-udp`, the key in the file `sip_udp`. */
  readonly env: string;
  readonly programs: readonly Program[];
  /** Text used when the setting is not given; `undefined` = the program decides. */
  readonly fallback: string | undefined;
  readonly meaning: string;
  readonly secret: boolean;
  readonly parse: (text: string) => Result<T>;
}

// biome-ignore lint/suspicious/noExplicitAny: a table holds settings of every type; `Values` gives each its own back
export type SettingTable = Readonly<Record<string, Setting<any>>>;

/** The typed values of a table: `undefined` where nothing was said and there is no default. */
export type Values<Table extends SettingTable> = {
  readonly [Key in keyof Table]: Table[Key] extends Setting<infer T> ? T | undefined : never;
};

/** Raw texts by source. Flags and file keys as a person writes them, without `--`. */
export interface Sources {
  readonly flags: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly file: Readonly<Record<string, unknown>>;
}

export interface Reading<Table extends SettingTable> {
  readonly values: Values<Table>;
  /** As a person wrote them, or the default as a person would; absent where there is none. */
  readonly texts: Readonly<Partial<Record<keyof Table & string, string>>>;
  readonly origins: Readonly<Record<keyof Table & string, Origin>>;
}

const PREFIX = 'CARILLON_';

/** Variables of the operator's commands: no setting of a program, and no misspelt one either. */
const OF_COMMANDS: ReadonlySet<string> = new Set(['CARILLON_TOKEN', 'CARILLON_CLOUD']);

export const flagOf = (setting: Setting<unknown>): string =>
  setting.env.slice(PREFIX.length).toLowerCase().replaceAll('_', '-');

const fileKeyOf = (setting: Setting<unknown>): string => setting.env.slice(PREFIX.length).toLowerCase();

/**
 * Reads every setting of the table once. Fails with `configurationWrong` (exit 78) on the first value that cannot
 * be read and on any unknown key: a misspelt setting must not pass silently.
 */
export function readSettings<Table extends SettingTable>(
  table: Table,
  sources: Sources,
): Result<Reading<Table>> {
  const fault = unknownKey(table, sources);
  if (fault) return fail('configurationWrong', fault);
  const values: Record<string, unknown> = {};
  const texts: Record<string, string> = {};
  const origins: Record<string, Origin> = {};
  for (const [name, setting] of Object.entries(table)) {
    const found = textOf(setting, sources);
    if (!found.ok) return found;
    origins[name] = found.value.origin;
    if (found.value.text === undefined) continue;
    const parsed = setting.parse(found.value.text);
    if (!parsed.ok) {
      const where = writtenAs(setting, found.value.origin);
      return fail('configurationWrong', `${where}: ${parsed.error.reason}`, where);
    }
    values[name] = parsed.value;
    texts[name] = found.value.text;
  }
  return ok({ values: Object.freeze(values), texts, origins } as unknown as Reading<Table>);
}

/** The name of a setting as the person who wrote it knows it. */
function writtenAs(setting: Setting<unknown>, origin: Origin): string {
  if (origin === 'flag') return `--${flagOf(setting)}`;
  if (origin === 'file') return `${fileKeyOf(setting)} in the configuration file`;
  return setting.env;
}

function textOf(
  setting: Setting<unknown>,
  sources: Sources,
): Result<{ text: string | undefined; origin: Origin }> {
  const flag = sources.flags[flagOf(setting)];
  if (flag !== undefined) return ok({ text: flag, origin: 'flag' });
  const environment = sources.environment[setting.env];
  if (environment !== undefined) return ok({ text: environment, origin: 'environment' });
  const written = sources.file[fileKeyOf(setting)];
  if (written !== undefined) {
    if (typeof written === 'string' || typeof written === 'number' || typeof written === 'boolean') {
      return ok({ text: String(written), origin: 'file' });
    }
    const where = writtenAs(setting, 'file');
    return fail('configurationWrong', `${where}: write the value as a text in quotes`, where);
  }
  return ok({ text: setting.fallback, origin: 'default' });
}

function unknownKey(table: SettingTable, sources: Sources): string | undefined {
  const settings = Object.values(table);
  const flags = settings.map(flagOf);
  const keys = settings.map(fileKeyOf);
  const names = settings.map((setting) => setting.env);
  for (const flag of Object.keys(sources.flags)) {
    if (!flags.includes(flag)) return unknownSetting(`--${flag}`, nearest(flag, flags), '--');
  }
  for (const key of Object.keys(sources.file)) {
    if (!keys.includes(key))
      return unknownSetting(`${key} in the configuration file`, nearest(key, keys), '');
  }
  for (const name of Object.keys(sources.environment)) {
    if (name.startsWith(PREFIX) && !names.includes(name) && !OF_COMMANDS.has(name))
      return unknownSetting(name, nearest(name, names), '');
  }
  return undefined;
}

const unknownSetting = (written: string, near: string | undefined, sign: string): string =>
  `${written} is not a setting${near === undefined ? '' : `; did you mean ${sign}${near}?`} (carillon config show lists all)`;

/** The known name with the fewest edits, if it is close enough to be a slip of the finger. */
function nearest(written: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(written.length / 4)) + 1;
  for (const name of known) {
    const distance = editDistance(written, name);
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replace, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
