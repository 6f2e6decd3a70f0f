import type { Command } from 'commander';
import { flagOf, readSettings, settingTable, type Values } from '#shared/setting/index.ts';
import { exitCode, Stop } from '../../../exit-code.ts';
import { readToml } from '../../../io/file/config-file.ts';
import { textOf } from '../../../io/host/appliance-unit.ts';
import {
  applianceKeys,
  asSources,
  fromEnvironment,
  layout,
  merged,
  type Written,
} from '../../../plan/index.ts';

export type ApplianceSettings = Values<typeof settingTable>;

/** Adds a flag for each setting of the appliance that a technician may answer. */
export function withSettingFlags(command: Command): Command {
  command.option('--answers <file>', 'answer file (TOML): the same keys as the configuration file');
  for (const setting of Object.values(settingTable)) {
    if (!setting.programs.includes('appliance') || setting.env === 'CARILLON_CONFIG') continue;
    const fallback = setting.fallback ? ` (default ${setting.fallback})` : '';
    command.option(`--${flagOf(setting)} <value>`, `${setting.meaning}${fallback}`);
  }
  return command;
}

/**
 * Settings out of what is configured already, the answer file, the environment and the flags, the later over the
 * earlier one. Stops with 78 and the key that is wrong.
 */
export function writtenFrom(flags: Readonly<Record<string, unknown>>): Written {
  const answers = typeof flags.answers === 'string' ? readToml(flags.answers) : {};
  const given: Record<string, string> = {};
  for (const key of applianceKeys) {
    const value = flags[camel(key)];
    if (typeof value === 'string') given[key] = value;
  }
  return merged(configured(), texts(answers, String(flags.answers)), fromEnvironment(process.env), given);
}

/** The configuration of the host; nothing before the first time. */
export function configured(): Written {
  return textOf(layout.configuration) === undefined
    ? {}
    : texts(readToml(layout.configuration), layout.configuration);
}

/** The settings as the appliance will read them. */
export function judged(written: Written): ApplianceSettings {
  const reading = readSettings(settingTable, asSources(written));
  if (!reading.ok) throw new Stop(exitCode.wrongConfiguration, reading.error.reason);
  return reading.value.values;
}

const camel = (key: string): string =>
  key.replaceAll(/_([a-z0-9])/g, (_, sign: string) => sign.toUpperCase());

/** Answers are texts; a number or a list is written as a person would in a flag. */
function texts(answers: Readonly<Record<string, unknown>>, file: string): Written {
  const all: Record<string, string> = {};
  for (const [key, value] of Object.entries(answers)) {
    if (!applianceKeys.includes(key)) {
      const known = 'carillon config show names every setting';
      throw new Stop(exitCode.wrongConfiguration, `${file}: the key ${key} is unknown; ${known}.`);
    }
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw new Stop(exitCode.wrongConfiguration, `${file}: ${key} must be a text in quotes.`);
    }
    all[key] = String(value);
  }
  return all;
}
