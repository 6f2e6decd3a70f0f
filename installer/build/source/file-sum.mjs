/** Files of a checkout as one sum, by which a build knows whether it is that of the sources as they are. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The files at and below a path from the root that count, as paths from the root, in the order of their names. */
export function filesBelow(root, path, counts) {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (found?.isFile()) return counts(path) ? [path] : [];
  if (!found?.isDirectory()) return [];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, '/').length).replaceAll('\\', '/'))
    .filter(counts)
    .toSorted();
}

/** SHA-256 over the paths and contents of these files, hex. `onFile` gets each content. */
export function sumOfFiles(root, paths, onFile = () => undefined) {
  const hash = createHash('sha256');
  for (const path of paths) {
    const bytes = readFileSync(join(root, path));
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
    onFile(path, bytes);
  }
  return hash.digest('hex');
}
