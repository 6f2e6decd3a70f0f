import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/** Folders of the sources, from the root of the checkout. */
const FOLDERS = ['appliance', 'cloud', 'shared', 'installer'];
/** Names the versions of all packages. */
const LOCK = 'package-lock.json';
/** Bundled apart, for browsers. */
const CONSOLE = join('cloud', 'console') + sep;

/** Code of the programs: path from the root, and content. */
export interface Sources {
  /** SHA-256 over the root, and the paths and contents of all files, hex. */
  readonly sum: string;
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * Reads all code that the programs may be made of. The root counts in the sum, because a bundle names the files that it reads at
 * run time by their places. 10 MB: 0.15 s.
 */
export function readSources(root: string): Sources {
  const texts = new Map<string, string>();
  const hash = createHash('sha256').update(`${root}\0`);
  for (const path of [...FOLDERS.flatMap((folder) => codeBelow(root, folder)), LOCK]) {
    const text = readFileSync(join(root, path), 'utf8');
    texts.set(path, text);
    hash.update(`${path}\0${text.length}\0${text}`);
  }
  return { sum: hash.digest('hex'), texts };
}

/** Code below a folder, as paths from the root, in the order of their names; without that of the console. */
function codeBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => /\.(?:ts|mjs|json)$/.test(path) && !path.startsWith(CONSOLE))
    .toSorted();
}
