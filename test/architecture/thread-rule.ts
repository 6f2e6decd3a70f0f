import { posix } from 'node:path';
import { type Import, importsOf } from './import-reader.ts';
import { type Finding, finding, nameOf, programOf, type Source, walk } from './source.ts';

/** Modules of Node that announce in every thread that loads them, on its standard error, that they are experimental. */
const EXPERIMENTAL: readonly string[] = ['node:sqlite', 'node:wasi'];

/** Sources by their path from the root. */
export type Repository = ReadonlyMap<string, Source>;

/**
 * Packages and experimental modules of Node that each worker thread loads when it starts. A thread has a module cache of its own: a package that comes with a face
 * it hardly uses is read, compiled and kept once more, on a machine where an alarm may be waiting for the thread.
 */
export const THREAD_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'appliance/io/history/history-worker.ts': ['better-sqlite3', 'ipaddr.js', 're2js', 'zod'],
  'appliance/io/media-worker/worker.ts': [],
  'appliance/io/prompt/prompt-worker.ts': [
    '@wasm-audio-decoders/ogg-vorbis',
    'ipaddr.js',
    'mpg123-decoder',
    'node:wasi',
    'ogg-opus-decoder',
    're2js',
    'undici',
  ],
  'appliance/io/recorder/recorder-worker.ts': ['wasm-media-encoders'],
  'appliance/io/sqlite/check-worker.ts': ['better-sqlite3'],
  'appliance/io/sqlite/journal-worker.ts': ['better-sqlite3'],
  'appliance/io/sqlite/record-store/record-worker.ts': ['better-sqlite3'],
  'appliance/io/speech/speech-worker.ts': ['ipaddr.js', 're2js', 'undici', 'ws'],
  'appliance/io/stream/stream-worker.ts': ['ipaddr.js', 're2js', 'ws'],
  'appliance/io/webrtc/webrtc-worker.ts': ['werift'],
  'cloud/console/client/hidden/hidden-timer-worker.ts': [],
};

/** Programs of worker threads: what `new Worker(new URL('./x.ts', import.meta.url))` names. */
export function threadPrograms(repository: Repository): string[] {
  const found = new Set<string>();
  for (const from of repository.values()) {
    // Most files start none, and need not be parsed for it.
    if (!from.text.includes('new Worker(')) continue;
    walk(programOf(from), ({ type, callee, arguments: given }) => {
      if (type !== 'NewExpression' || nameOf(callee) !== 'Worker' || !Array.isArray(given)) return;
      const named = /^new URL\(\s*'([^']+)',\s*import\.meta\.url,?\s*\)$/.exec(textOf(from, given[0]));
      if (named?.[1] !== undefined) found.add(posix.join(posix.dirname(from.path), named[1]));
    });
  }
  return [...found].sort();
}

const textOf = (from: Source, node: { readonly start: number; readonly end: number } | undefined): string =>
  node === undefined ? '' : from.text.slice(node.start, node.end);

/** A package or an experimental module that a program loads before its first line runs, and the files from the program to the one that names it. */
export interface Loaded {
  readonly name: string;
  readonly chain: readonly string[];
}

/** Packages and experimental modules of Node in the static imports of a program, followed through all our files; each by its shortest chain. */
export function packagesLoadedBy(program: string, repository: Repository): Loaded[] {
  const chains = new Map<string, readonly string[]>([[program, [program]]]);
  const loaded = new Map<string, Loaded>();
  // A map that grows while it is walked gives what was added, too: nearest first.
  for (const [path, chain] of chains) {
    const from = repository.get(path);
    if (from === undefined) throw new Error(`${chain.at(-2)} imports ${path}, which is not there`);
    for (const { kind, target } of loadedAtOnce(from)) {
      const judged = kind === 'package' || EXPERIMENTAL.includes(target);
      if (judged && !loaded.has(target)) loaded.set(target, { name: target, chain });
      if (kind === 'ours' && !chains.has(target)) chains.set(target, [...chain, target]);
    }
  }
  return [...loaded.values()];
}

const imports = new WeakMap<Source, readonly Import[]>();

/** The static imports of a file. Only `import type` and `export type` are removed with the types: `import { type A }` loads. */
function loadedAtOnce(from: Source): readonly Import[] {
  const known = imports.get(from);
  if (known !== undefined) return known;
  const loads = /^(import|export)\b(?!\s*(type\b(?!\s+from\b|\s*,)|\())/;
  const found = importsOf(from).filter(({ position }) =>
    loads.test(from.text.slice(position, position + 40)),
  );
  imports.set(from, found);
  return found;
}

/** Packages that a thread loads beyond its row, with the chain by which they come; a thread without a row is a finding too. */
export function heavyThreads(
  repository: Repository,
  rows: Readonly<Record<string, readonly string[]>> = THREAD_PACKAGES,
): Finding[] {
  return threadPrograms(repository).flatMap((program): Finding[] => {
    const from = repository.get(program);
    if (from === undefined)
      return [{ path: program, line: 1, fault: 'is started as a thread and is not there' }];
    const allowed = rows[program];
    if (allowed === undefined) return [finding(from, 0, 'is a thread without a row in THREAD_PACKAGES')];
    return packagesLoadedBy(program, repository)
      .filter(({ name }) => !allowed.includes(name))
      .map(({ name, chain }) => finding(from, 0, `loads ${name} by ${chain.join(' > ')}`));
  });
}
