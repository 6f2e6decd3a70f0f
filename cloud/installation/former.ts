import { createHash } from 'node:crypto';
import { randomText } from './folder-keys.ts';
import type { InstallationKeys } from './installation-keys.ts';

/** Number of former installations that a copy of a copy of a copy remembers. */
const MOST_FORMER = 16;

/** The `installation` key: its own random text, and in a restored copy those of the installations it came from. */
interface InstallationId {
  readonly own: string;
  readonly former: readonly string[];
}

/** Earlier versions, and installations that were never restored, have the random text alone. */
function idOf(text: string): InstallationId {
  return text.startsWith('{') ? (JSON.parse(text) as InstallationId) : { own: text, former: [] };
}

const hashed = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24);

/** Name of this installation; it tells nothing of the key. */
export const installationName = (keys: InstallationKeys): string =>
  hashed(idOf(keys.of('installation').text()).own);

/** Names of the installations that this one was restored from, the last one first. */
export const formerNames = (keys: InstallationKeys): readonly string[] =>
  idOf(keys.of('installation').text()).former.map(hashed);

/** Makes another installation of a copy: its name is new, and it remembers the one that it came from. */
export async function beginNewInstallation(keys: InstallationKeys): Promise<void> {
  const kept = keys.of('installation');
  const { own: last, former } = idOf(kept.text());
  const id: InstallationId = { own: randomText(), former: [last, ...former].slice(0, MOST_FORMER) };
  await kept.replace(JSON.stringify(id));
}
