import { readFileSync } from 'node:fs';
import { settingTable } from '#shared/setting/index.ts';
import { exitCode, Stop } from '../../exit-code.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Environment in which the text of a secret setting comes from a file: `CARILLON_S3_FILE=/run/secrets/s3` is `CARILLON_S3` with
 * the text of the file, without a line feed at its end. A file keeps a secret out of the lists of processes and of containers;
 * with systemd it is `CARILLON_S3_FILE=%d/s3` beside `LoadCredential=s3:…`.
 */
export function withSecretFiles(environment: Environment): Environment {
  const read: Record<string, string | undefined> = { ...environment };
  const settings = Object.values(settingTable);
  for (const { env } of settings.filter(({ secret }) => secret)) {
    const name = `${env}_FILE`;
    const file = environment[name];
    // The claim file is a setting of its own.
    if (file === undefined || settings.some((each) => each.env === name)) continue;
    delete read[name];
    if (file === '') continue;
    if (environment[env] !== undefined)
      throw new Stop(exitCode.wrongConfiguration, `${env} and ${name} are the same setting; leave one out`);
    read[env] = textOf(name, file);
  }
  return read;
}

function textOf(name: string, file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'is not there' : 'cannot be read';
    throw new Stop(
      exitCode.wrongConfiguration,
      `${name}: the file ${file} ${why}; check its path and rights`,
    );
  }
  if (Buffer.byteLength(text) > 65_536)
    throw new Stop(
      exitCode.wrongConfiguration,
      `${name}: the file ${file} is too long for a secret; check its path`,
    );
  return text.replace(/\r?\n$/, '');
}
