/** The sources of the web console as one sum, which the build keeps beside its files. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = join(fileURLToPath(import.meta.url), '..', '..', '..', '..');

/** All that a build reads: code, texts, contracts, runbooks, the programs that bundle, and the versions of packages. */
const SOURCES = [
  'cloud/console',
  'shared',
  'systemd/monitoring/runbook/alarm',
  'installer/build/console',
  'package.json',
  'package-lock.json',
];
const BUILT = 'cloud/console/dist';

const isBelow = (path, folder) => path === folder || path.startsWith(`${folder}/`);

/** Whether the file of this path, from the root of the checkout, counts in the sum. */
export const isSource = (path) => SOURCES.some((source) => isBelow(path, source)) && !isBelow(path, BUILT);

/** SHA-256 over the paths and contents of all sources, hex. 3 MB: 0.1 s. */
export function sumOfSources(root = ROOT) {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap((source) => filesBelow(root, source))) {
    const bytes = readFileSync(join(root, path));
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/** The sources at and below a path, in the order of their names. */
function filesBelow(root, path) {
  if (!isSource(path)) return [];
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (found?.isFile()) return [path];
  const names = found?.isDirectory() ? readdirSync(join(root, path)).toSorted() : [];
  return names.flatMap((name) => filesBelow(root, `${path}/${name}`));
}
