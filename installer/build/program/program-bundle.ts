import { createRequire } from 'node:module';
import { dirname, join, posix, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildFailure, build, type Plugin, stop } from 'esbuild';
import { ABSENT_PACKAGES, filesNamedIn, placed } from '../source/module-place.ts';

/** The entry of the command line. */
const ENTRY = 'installer/carillon.ts';

/** Not put into the bundle: addons, build tools, and what packages ask for and do without. */
const OUTSIDE = ['better-sqlite3', 'koffi', 'esbuild', 'vite', ...ABSENT_PACKAGES];

/** Packages in the form of CommonJS ask for modules of Node by this function. */
const BANNER =
  "import { createRequire as askFrom } from 'node:module'; const require = askFrom(import.meta.url);";

/** A module beside another one, which runs in a thread of its own. */
const isThread = (path: string): boolean => path.startsWith('.') && path.endsWith('.ts');

/** Mark of a question that the plugin asked itself. */
const ASKED = Symbol('asked');

/** Bundles under way in this process, which share one process of esbuild. */
let running = 0;

/** Files that a thread is started with, from the root. */
function threadsIn(texts: ReadonlyMap<string, string>): string[] {
  const found = [...texts].flatMap(([path, text]) =>
    path.endsWith('.ts') && !path.startsWith('installer/build/')
      ? filesNamedIn(text)
          .filter(isThread)
          .map((thread) => posix.join(posix.dirname(path), thread))
      : [],
  );
  return [...new Set(found)].toSorted();
}

/**
 * Writes the entry, what it loads on demand and every thread into `made`, as ES modules that share their common parts; `home`
 * is where they will lie. Rejects with what esbuild has to say about the sources.
 */
export async function bundleProgram(
  root: string,
  texts: ReadonlyMap<string, string>,
  made: string,
  home: string,
): Promise<void> {
  const threads = threadsIn(texts);
  running++;
  try {
    await build({
      absWorkingDir: root,
      entryPoints: [ENTRY, ...threads],
      outdir: made,
      outbase: '.',
      outExtension: { '.js': '.mjs' },
      chunkNames: 'part/[name]-[hash]',
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node24',
      // Names and lines stay for stack traces. Text beyond Latin-1 would double the memory of all of it.
      minifySyntax: true,
      charset: 'ascii',
      legalComments: 'none',
      logLevel: 'silent',
      external: OUTSIDE,
      banner: { js: BANNER },
      plugins: [placePlugin(root, texts, home)],
    });
  } catch (cause) {
    throw isFailure(cause) ? new Error(cause.errors.map(sentence).join('; '), { cause }) : cause;
  } finally {
    running--;
    // Otherwise its process stays beside a daemon.
    if (running === 0) await stop();
  }
}

const isFailure = (cause: unknown): cause is BuildFailure => cause instanceof Error && 'errors' in cause;

const sentence = ({ text, location }: BuildFailure['errors'][number]): string =>
  location === null ? text : `${location.file}:${location.line}: ${text}`;

/** Gives every word of a module about its own place the place that it has in the checkout, and a thread its place in the bundle. */
function placePlugin(root: string, texts: ReadonlyMap<string, string>, home: string): Plugin {
  const isOurs = (file: string): boolean =>
    file.startsWith(root + sep) && !file.includes(`${sep}node_modules${sep}`);
  return {
    name: 'carillon-place',
    setup(plan) {
      // Our modules do nothing by being imported: a thread takes no part of an `index.ts` that it does not use.
      plan.onResolve({ filter: /^[.#]/ }, async ({ path, pluginData, ...from }) => {
        if (pluginData === ASKED || !isOurs(from.importer)) return undefined;
        const resolved = await plan.resolve(path, { ...from, pluginData: ASKED });
        return { ...resolved, sideEffects: false };
      });
      plan.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const text = texts.get(relative(root, path).replaceAll(sep, '/'));
        return text === undefined ? undefined : { contents: placedAt(text, path, root, home), loader: 'ts' };
      });
    },
  };
}

/** The text of the module at `file` for the bundle that will lie in `home`. */
function placedAt(text: string, file: string, root: string, home: string): string {
  const urlOf = (path: string): string => pathToFileURL(path).href;
  return placed(text, {
    file: (path) =>
      isThread(path)
        ? urlOf(join(home, relative(root, join(dirname(file), path)).replace(/\.ts$/, '.mjs')))
        : undefined,
    packageFile: (specifier) => urlOf(createRequire(file).resolve(specifier)),
    dirname: dirname(file),
    filename: file,
    url: urlOf(file),
  });
}
