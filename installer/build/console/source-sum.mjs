/** The sources of the web console as one sum, which the build keeps beside its files. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesBelow, sumOfFiles } from '../source/file-sum.mjs';

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
export const sumOfSources = (root = ROOT) =>
  sumOfFiles(
    root,
    SOURCES.flatMap((source) => filesBelow(root, source, isSource)),
  );
