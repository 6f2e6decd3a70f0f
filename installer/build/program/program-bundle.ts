import { createRequire } from 'node:module';
import { dirname, join, posix, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildFailure, build, type Plugin, stop } from 'esbuild';

/** The front door. */
const ENTRY = 'installer/carillon.ts';

/** Not put into the bundle: addons, build tools, and what packages ask for and do without. */
const OUTSIDE = [
  'better-sqlite3',
  'koffi',
  'esbuild',
  'vite',
  'pg-native',
  'bufferutil',
  'utf-8-validate',
  '@wasm-audio-decoders/opus-ml',
];

/** Packages in the form of CommonJS ask for modules of Node by this function. */
const BANNER =
  "import { createRequire as askFrom } from 'node:module'; const require = askFrom(import.meta.url);";

/** Our modules in a thread of their own are named like this. */
const THREAD = /new URL\(\s*'(\.[^']+\.ts)'\s*,\s*import\.meta\.url\s*,?\s*\)/g;

/** Mark of a question that the plugin asked itself. */
const ASKED = Symbol('asked');

/** Bundles under way in this process, which share one process of esbuild. */
let running = 0;

/** Files that a thread is started with, from the root. */
function threadsIn(texts: ReadonlyMap<string, string>): string[] {
  const found = [...texts].flatMap(([path, text]) =>
    path.endsWith('.ts') && !path.startsWith('installer/build/')
      ? [...text.matchAll(THREAD)].map(([, to = '']) => posix.join(posix.dirname(path), to))
      : [],
  );
  return [...new Set(found)].toSorted();
}

/**
 * Writes the front door, what it loads on demand and every thread into `made`, as ES modules that share their common parts; `home`
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
        return text === undefined ? undefined : { contents: placed(text, path, root, home), loader: 'ts' };
      });
    },
  };
}

/** The text of the module at `file` for the bundle that will lie in `home`. */
function placed(text: string, file: string, root: string, home: string): string {
  const literal = (value: string): string => JSON.stringify(value);
  return (
    text
      // Both mean the same. The bundler leaves out unused parts of a namespace: languages, other styles, JSON Schema.
      .replace("import { z } from 'zod';", "import * as z from 'zod';")
      .replace(THREAD, (_, to: string) => {
        const thread = relative(root, join(dirname(file), to)).replace(/\.ts$/, '.mjs');
        return `new URL(${literal(pathToFileURL(join(home, thread)).href)})`;
      })
      .replace(/import\.meta\.resolve\(\s*'([^']+)'\s*\)/g, (_, name: string) =>
        literal(pathToFileURL(createRequire(file).resolve(name)).href),
      )
      .replaceAll('import.meta.dirname', literal(dirname(file)))
      .replaceAll('import.meta.filename', literal(file))
      .replaceAll('import.meta.url', literal(pathToFileURL(file).href))
  );
}
