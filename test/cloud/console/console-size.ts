import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly isEntry?: boolean;
}

/** Bytes that a browser fetches, packed as brotli: for the first page, and further for each module that is fetched on demand. */
export function routeSizes(folder: string): {
  readonly first: number;
  readonly routes: ReadonlyMap<string, number>;
} {
  const chunks = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Record<string, Chunk>;
  /** The files of a module and of everything that it imports at once. */
  const files = (name: string, found = new Set<string>()): Set<string> => {
    const chunk = chunks[name];
    if (chunk === undefined || found.has(chunk.file)) return found;
    for (const file of [chunk.file, ...(chunk.css ?? [])]) found.add(file);
    for (const each of chunk.imports ?? []) files(each, found);
    return found;
  };
  const bytes = (names: Iterable<string>): number =>
    [...names].reduce((sum, name) => sum + statSync(join(folder, `${name}.br`)).size, 0);
  // The service worker is an entry too; a page does not wait for it.
  const [entry] =
    Object.entries(chunks).find(([name, { isEntry }]) => isEntry === true && name.endsWith('.html')) ?? [];
  if (entry === undefined) throw new Error('The manifest of the console names no entry.');
  const first = files(entry);
  const onDemand = new Set(Object.values(chunks).flatMap(({ dynamicImports = [] }) => dynamicImports));
  const routes = [...onDemand].map(
    (name) => [name, bytes([...files(name)].filter((file) => !first.has(file)))] as const,
  );
  return { first: bytes(first), routes: new Map(routes) };
}
