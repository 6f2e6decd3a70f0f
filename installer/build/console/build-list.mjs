/** The list of the files that a build of the web console has left. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Names the files of a build and of the one before it: `cloud/io/console-page` reads nothing else. */
export const LIST = 'files.json';

/** The sum and the files of a build, and the files of the one before it; no files where there was none. */
export function readBuildList(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, LIST), 'utf8'));
  } catch {
    return { files: [], before: [] };
  }
}
