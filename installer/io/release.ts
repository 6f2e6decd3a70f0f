import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UnitFile } from '../plan/index.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** Release of this program. */
export function ownVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return version;
}

/** Is this the packed program (and not a checkout under Node)? */
export const isPacked = (): boolean => ROOT.startsWith('/$carillon');

/** The files of `systemd/` of this release. */
export function ownUnits(): readonly UnitFile[] {
  const folder = join(ROOT, 'systemd');
  return [folder, join(folder, 'vip')].flatMap((each) =>
    readdirSync(each)
      .filter((name) => name.includes('.') && !name.endsWith('.md'))
      .map((name) => ({ name, text: readFileSync(join(each, name), 'utf8') })),
  );
}
