/** Bundles the web console: `console.mjs` asks for it where the sources are others than those of the build that is there. */
import { copyFileSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { getConfig } from '@lingui/conf';
import { lingui } from '@lingui/vite-plugin';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import { build } from 'vite';
import { LIST, readBuildList } from './build-list.mjs';
import { contractSchemas } from './contract-schema.mjs';
import { linguiMacro } from './macro.mjs';
import { runbooks } from './runbook.mjs';
import { isSource, ROOT as root } from './source-sum.mjs';

const folder = join(root, 'cloud', 'console');
const texts = join(folder, 'lingui.config.ts');

/** Languages of the console as the component library names them; its others stay out. */
const COMPONENT_LOCALES = ['en-US', 'sv-SE', 'de-DE'];

/** Chosen: so many pages share a module before it comes in one file with others, as 20 small ones come in four turns. */
const SHARED_BY = 4;
/** Where `cloud/http/console.ts` writes the nonce of a response. */
const NONCE_PLACE = '__nonce__';
/** Files that stand in the bundle as they are. */
const COPIED = ['bell.svg', 'manifest.webmanifest'];
/** The address of a service worker is its identity in a browser: its file has no hash in its name. */
const WORKER = 'service-worker';

/** Files of ours do nothing when they are loaded: of a contract only what is used comes along, and no validator. */
const isOurs = (id) => id.startsWith(root) && !id.includes('/node_modules/');
const workerFile = join(folder, 'client', 'push', `${WORKER}.ts`);
const isEntry = (id) => id === join(folder, 'main.tsx') || id === workerFile || id.endsWith('.css');

/** Writes the files of the sources with this sum into `to`. */
export async function bundleConsole(to, source) {
  mkdirSync(to, { recursive: true });
  const made = mkdtempSync(join(to, '.made-'));
  try {
    await forProduction(() => bundle(made));
    await pack(made);
    for (const name of COPIED) copyFileSync(join(folder, name), join(made, name));
    install(made, to, source);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** Vite and its plugins read the environment, which says `test` under a test: what is tested is what is handed out. */
async function forProduction(run) {
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    await run();
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}

const bundle = (to) =>
  build({
    configFile: false,
    root: folder,
    base: '/console/',
    publicDir: false,
    html: { cspNonce: NONCE_PLACE },
    logLevel: 'error',
    plugins: [
      onlyFromSources(),
      contractSchemas(),
      runbooks(),
      linguiMacro(getConfig({ configPath: texts })),
      lingui({ configPath: texts }),
      { ...optimizeLocales.vite({ locales: COMPONENT_LOCALES }), enforce: 'pre' },
    ],
    oxc: { jsx: { runtime: 'automatic', development: false } },
    build: {
      outDir: to,
      manifest: MANIFEST,
      emptyOutDir: true,
      target: 'es2023',
      assetsDir: 'asset',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        input: { index: join(folder, 'index.html'), [WORKER]: workerFile },
        treeshake: { moduleSideEffects: (id) => !isOurs(id) || isEntry(id) },
        output: {
          comments: { legal: false },
          // One file has all that every page needs: as twenty small ones it takes a line with 150 ms four turns.
          codeSplitting: {
            groups: [
              {
                ...{ name: 'first', priority: 1, tags: ['$initial'] },
                test: (id) => !isEntry(id) && !id.endsWith('.html'),
              },
              {
                name: sharedFile,
                minShareCount: SHARED_BY,
                test: (id) => isOurs(id) && !isEntry(id),
              },
            ],
          },
          entryFileNames: ({ name }) => (name === WORKER ? '[name].js' : 'asset/[name]-[hash].js'),
        },
      },
    },
  });

/** The file of a module that pages share; null: it goes where the bundler puts it. A page without dialogs fetches no component library. */
function sharedFile(id, modules) {
  const seen = new Set();
  const isLeaning = (on) => {
    if (on.includes('/node_modules/')) return on.includes('/react-aria-components/');
    if (seen.has(on)) return false;
    seen.add(on);
    return (modules.getModuleInfo(on)?.importedIds ?? []).some(isLeaning);
  };
  return isLeaning(id) ? null : 'common';
}

/** A module from elsewhere would change without changing the sum of the sources. */
const onlyFromSources = () => ({
  name: 'modules of the sources',
  moduleParsed({ id }) {
    const path = relative(root, id.replace(/\?.*/, ''));
    if (id.startsWith('/') && isOurs(id) && !isSource(path))
      throw new Error(
        `${path} is no source of the console: name its folder in installer/build/console/source-sum.mjs`,
      );
  },
});

/** Writes each text of the bundle as brotli and as gzip beside it: no server packs it for each request. */
async function pack(to) {
  const [brotli, zipped] = [promisify(brotliCompress), promisify(gzip)];
  await Promise.all(
    globSync('asset/*.{js,css}', { cwd: to }).map(async (name) => {
      const bytes = await readFile(join(to, name));
      const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
      await writeFile(join(to, `${name}.br`), await brotli(bytes, { params }));
      await writeFile(join(to, `${name}.gz`), await zipped(bytes, { level: 9 }));
    }),
  );
}

/** The manifest of Vite is for the tests of size, and stays unlisted. */
const MANIFEST = 'manifest.json';

const filesIn = (place) =>
  globSync(['*.{html,svg,webmanifest}', `${WORKER}.js`, 'asset/*'], { cwd: place }).toSorted();

/**
 * File by file and the list last: a control plane that runs, and a build beside this one, never meet half of a file. The
 * same sources give the same names, so that building again changes nothing.
 */
function install(made, to, source) {
  const files = filesIn(made);
  const last = readBuildList(to);
  const isSame = files.every((name) => last.files.includes(name));
  const before = isSame ? last.before : last.files.filter((name) => !files.includes(name));
  mkdirSync(join(to, 'asset'), { recursive: true });
  for (const name of files) renameSync(join(made, name), join(to, name));
  writeFileSync(join(made, LIST), `${JSON.stringify({ source, files, before }, null, 1)}\n`);
  renameSync(join(made, MANIFEST), join(to, MANIFEST));
  renameSync(join(made, LIST), join(to, LIST));
  const kept = new Set([...files, ...before]);
  for (const name of filesIn(to)) if (!kept.has(name)) rmSync(join(to, name), { force: true });
}
