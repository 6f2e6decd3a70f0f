/**
 * Bundles the web console into `cloud/console/dist`, which the cloud serves under `/console`. Quick (a blink), so it
 * runs before every start; plain JavaScript, because it may run on the Node of the system.
 */
import { copyFileSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** Files of ours do nothing when they are loaded: of a contract only what is used comes along, and no validator. */
const quietImports = {
  name: 'quiet imports',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^(#shared|\.{1,2})\// }, async ({ path, pluginData, ...args }) => {
      if (pluginData === quietImports) return undefined;
      const found = await resolve(path, { ...args, pluginData: quietImports });
      return { ...found, sideEffects: false };
    });
  },
};

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'cloud', 'console');

/** A module that is imported on demand is a file of its own beside the others. */
const apart = {
  name: 'apart',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: `./${basename(path, '.ts')}.js`, external: true } : undefined,
    );
  },
};

/** Resolves when the files are written; rejects with what esbuild has to say about the sources. */
export async function buildConsole(to = join(folder, 'dist')) {
  mkdirSync(to, { recursive: true });
  await build({
    entryPoints: { main: join(folder, 'main.tsx'), softphone: join(folder, 'client', 'softphone.ts') },
    outdir: to,
    bundle: true,
    format: 'esm',
    target: 'es2023',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    plugins: [apart, quietImports],
    legalComments: 'none',
    logLevel: 'silent',
  });
  await build({
    entryPoints: { main: join(folder, 'style.css') },
    outdir: to,
    bundle: true,
    minify: true,
    logLevel: 'silent',
  });
  for (const file of ['index.html', 'bell.svg']) copyFileSync(join(folder, file), join(to, file));
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  await buildConsole();
