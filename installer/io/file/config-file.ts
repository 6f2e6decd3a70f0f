import { readFileSync } from 'node:fs';
import { parse, TomlError } from 'smol-toml';
import { type Sources, settingTable } from '#shared/setting/index.ts';
import { exitCode, Stop } from '../../exit-code.ts';
import { withSecretFiles } from './secret-file.ts';

/** Collects flags, environment and file; the file is the one named by `--config` or `CARILLON_CONFIG`. */
export function settingSources(flags: Readonly<Record<string, string>>): Sources {
  const file = flags.config ?? process.env[settingTable.config.env];
  return {
    flags,
    environment: withSecretFiles(process.env),
    file: file === undefined ? {} : readToml(file),
  };
}

export function readToml(file: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'is not there' : 'cannot be read';
    throw new Stop(exitCode.wrongConfiguration, `configuration file ${file} ${why}; check --config`);
  }
  try {
    return parse(text);
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    const what = cause.message.split('\n')[0] ?? 'not TOML';
    throw new Stop(
      exitCode.wrongConfiguration,
      `${file} line ${cause.line}, column ${cause.column}: ${what}`,
    );
  }
}
